import Events
import Geometry
import Site

@testable import RadioMapCare

/// Nodes in a row, 8 m from each other: near enough to be heard, too far to be certain of it.
struct NodeRow {
    static let site = SiteID("simulated")
    let published: PublishedSite

    init(_ names: [String]) throws {
        var document = try SimulatedHearing(seed: 21).published.index.document
        let first = document.scanners[0]
        document.scanners = names.enumerated().map { number, name in
            var scanner = first
            scanner.id = ScannerID(name)
            scanner.point.x += 8 * Double(number)
            return scanner
        }
        published = PublishedSite(version: 1, index: try SiteIndex(document))
    }

    /// The nodes that hear each sender.
    typealias Hearers = [String: [String]]

    /// Each of these nodes is heard by all others.
    static func all(_ names: [String]) -> Hearers {
        Dictionary(
            uniqueKeysWithValues: names.map { name in (name, names.filter { $0 != name }) })
    }

    static func time(hour: Int) -> Timestamp {
        Timestamp(microseconds: Int64(hour) * 3_600_000_000)
    }

    /// Counts transmissions of the senders in these hours.
    func count(
        _ hearers: Hearers, in hours: ClosedRange<Int>, times: Int = 60, _ tally: inout NodeTally
    ) {
        let references = NodeTally.References(published.index.document)
        for hour in hours {
            for (sender, nodes) in hearers {
                let at = Self.time(hour: hour)
                let scan = ScanRecorded(
                    id: EventID(high: 1, low: 2), site: Self.site, device: DeviceID(sender),
                    scanner: ScannerID(sender), at: at, receivedAt: at,
                    heardBy: nodes.map { NodeReading(scanner: ScannerID($0), rssi: -70) })
                for _ in 0..<times { tally.add(scan, references) }
            }
        }
    }

    /// A calibration in which these nodes are deaf.
    static func deaf(_ names: [String], sinceHour hour: Int) -> NodesCalibrated {
        NodesCalibrated(
            site: site, siteVersion: 1, calibratedAt: time(hour: hour), level: -59, wallLoss: 4,
            floorLoss: 15, deviation: 4,
            nodes: names.map {
                NodesCalibrated.Node(
                    scanner: ScannerID($0), offset: 0, offsetError: 7, exponent: 2.2,
                    exponentError: 0, links: 0, readings: 0, state: .deaf,
                    deafSince: time(hour: hour))
            })
    }
}
