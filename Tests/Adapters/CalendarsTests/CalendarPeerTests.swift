import Foundation
import Repository
import Testing

@testable import Calendars

/// Compares with icalendar and recurring-ical-events. `WHEREABOUTS_ICALENDAR` names a Python that
/// has both. docs/decisions/0057 lists where both differ.
@Suite("CalendarReader and recurring-ical-events") struct CalendarPeerTests {
    private static let python = ProcessInfo.processInfo.environment["WHEREABOUTS_ICALENDAR"]
    private static let isMissing: Comment =
        "skipped: WHEREABOUTS_ICALENDAR names no Python with recurring-ical-events"

    private func compare(_ arguments: [String]) throws -> (feeds: Int, instances: Int) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-calendars-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let peer = Process()
        peer.executableURL = URL(filePath: Self.python ?? "")
        let script = repository.appending(path: "Tests/Support/calendar-peer/calendar_peer.py")
        peer.arguments = ["-W", "ignore", script.path, folder.path] + arguments
        try peer.run()
        peer.waitUntilExit()
        #expect(peer.terminationStatus == 0)
        var (feeds, instances) = (0, 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasSuffix(".tsv") {
            let path = folder.appending(path: file)
            let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            let window = lines[0].split(separator: "\t").compactMap { Int64($0) }
            let bytes = try Data(
                contentsOf: path.deletingPathExtension().appendingPathExtension("ics"))
            let reading = try CalendarReader.instances(
                in: [UInt8](bytes), from: window[0] * 1_000_000, to: window[1] * 1_000_000,
                floatingZone: "Europe/London")
            let ours = reading.instances.map { instance in
                let (start, end) = (instance.startMicroseconds, instance.endMicroseconds)
                return "\(instance.uid)\t\(start / 1_000_000)\t\(end / 1_000_000)\t"
                    + (instance.isAllDay ? "1" : "0")
            }
            let theirs = lines.dropFirst().map(String.init)
            #expect(ours.sorted() == theirs.sorted(), "\(file)")
            #expect(reading.faults.isEmpty, "\(file)")
            (feeds, instances) = (feeds + 1, instances + ours.count)
        }
        return (feeds, instances)
    }

    @Test(
        "Feeds with all features mixed have the same instances",
        .enabled(if: python != nil, isMissing), arguments: [0, 50, 100, 150])
    func mixed(seed: Int) throws {
        let (feeds, instances) = try compare(["\(seed)", "50"])
        #expect(feeds == 50)
        #expect(instances > 5_000)
    }

    @Test(
        "A campus of 100 rooms and 50,000 events has the same instances",
        .enabled(if: python != nil, isMissing))
    func campus() throws {
        let (feeds, instances) = try compare(["campus", "50000", "100"])
        #expect(feeds == 1)
        #expect(instances > 90_000)
    }
}
