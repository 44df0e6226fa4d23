import Events
import Foundation
import JSON
import Numbers

/// The differences between new positions and the positions in the log.
struct RelocationComparison {
    /// The differences on one floor or on all. A position counts on the floor where the log has it.
    struct Part {
        var compared = 0
        /// Metres between the two positions of each scan that has both.
        var distances: [Double] = []
        var roomsChanged = 0
        var floorsChanged = 0
        var lostBefore = 0
        var lostAfter = 0

        mutating func add(_ before: PositionEstimated, _ now: PositionEstimated) {
            compared += 1
            lostBefore += before.state == .lost ? 1 : 0
            lostAfter += now.state == .lost ? 1 : 0
            guard before.state != .lost, now.state != .lost, let x = before.x, let y = before.y,
                let newX = now.x, let newY = now.y
            else { return }
            distances.append(((newX - x) * (newX - x) + (newY - y) * (newY - y)).squareRoot())
            roomsChanged += before.room == now.room ? 0 : 1
            floorsChanged += before.floor == now.floor ? 0 : 1
        }

        var mean: Double? {
            distances.isEmpty ? nil : distances.reduce(0, +) / Double(distances.count)
        }

        /// The distance at this share of the sorted distances, by nearest rank.
        func quantile(_ share: Double) -> Double? {
            nearestRank(distances.sorted(), share)
        }
    }

    private(set) var scans = 0
    private(set) var all = Part()
    private(set) var byFloor: [String: Part] = [:]

    mutating func add(_ pair: Relocation.Pair) {
        scans += 1
        guard let before = pair.before else { return }
        all.add(before, pair.now)
        let floor = before.floor.map { "\(before.site)/\($0)" } ?? "\(before.site)/-"
        byFloor[floor, default: Part()].add(before, pair.now)
    }

    /// A table with a line for all floors and a line for each floor.
    var table: String {
        func column(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        func number(_ value: Double?) -> String {
            value.map { String(format: "%.2f", $0) } ?? "-"
        }
        let parts = [("all", all)] + byFloor.sorted { $0.key < $1.key }
        let width = parts.map(\.0.count).max() ?? 0
        let heads = [
            "compared", "mean m", "median m", "p95 m", "rooms", "floors", "lost", "lost now",
        ]
        var lines = [
            String(repeating: " ", count: width) + heads.map { column($0, 10) }.joined()
        ]
        for (name, part) in parts {
            let cells = [
                "\(part.compared)", number(part.mean), number(part.quantile(0.5)),
                number(part.quantile(0.95)), "\(part.roomsChanged)", "\(part.floorsChanged)",
                "\(part.lostBefore)", "\(part.lostAfter)",
            ]
            let padding = String(repeating: " ", count: width - name.count)
            lines.append(name + padding + cells.map { column($0, 10) }.joined())
        }
        return lines.joined(separator: "\n")
    }

    /// The comparison as one line of JSON.
    ///
    /// - Parameter microsecondsPerScan: the mean time of one scan's decision.
    func json(positioner: String, microsecondsPerScan: Double?) -> String {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.field("positioner", positioner)
        writer.field("scans", scans)
        Self.write(all, to: &writer)
        writer.field("microsecondsPerScan", microsecondsPerScan, decimals: 3)
        writer.name("floors")
        writer.beginObject()
        for (name, part) in byFloor.sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            writer.beginObject()
            Self.write(part, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        return writer.finishText()
    }

    private static func write(_ part: Part, to writer: inout JSONWriter) {
        writer.field("compared", part.compared)
        writer.field("mean", part.mean, decimals: 3)
        writer.field("median", part.quantile(0.5), decimals: 3)
        writer.field("p95", part.quantile(0.95), decimals: 3)
        writer.field("roomsChanged", part.roomsChanged)
        writer.field("floorsChanged", part.floorsChanged)
        writer.field("lostBefore", part.lostBefore)
        writer.field("lostAfter", part.lostAfter)
    }
}
