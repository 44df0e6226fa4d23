import Events
import Foundation
import ServiceRuntime
import Spool
import Synchronization
import Testing
import Wire

@testable import Scanning

@Suite struct LineIntakeTests {
    @Test("Bad lines are counted and told by number, and the others are kept with an id")
    func lines() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let told = LockedLines()
        let time = ManualTimeSource(microseconds: 1_800_000_000_000_000)
        let keeper = try ScanKeeper(
            folder: folder, limitBytes: 1_000_000, enrolment: enrolment, time: time,
            log: Logger(service: "test", write: { told.add($0) }), onWork: {})
        let intake = LineIntake(keeper: keeper, enrolment: enrolment, time: time)
        var splitter = LineSplitter()
        let text = """
            {"wifi":[{"bssid":"02:11:22:00:00:01","rssi":-50}]}

            {"wifi":[{"bssid":"02:11:22:00:00:01","rssi":-5
            {"wifi":[]}
            {"id":"0193a000-0000-7000-8000-000000000001","at":"2026-11-21T08:00:00.000Z",\
            "ble":[{"uuid":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","major":1,"minor":2,"rssi":-70}]}
            """
        var lines = splitter.feed(text.utf8)
        if let last = splitter.end() { lines.append(last) }
        lines.append(nil)
        for (index, line) in lines.enumerated() { await intake.keep(line, index + 1) }
        let health = await keeper.currentHealth()
        #expect(health.badLines == 3)
        #expect(health.waitingScans == 2)
        for number in [3, 4, 6] {
            #expect(told.all.contains { $0.contains("\"line\":\(number)") })
        }
        let batch = try #require(await keeper.batch(.droppable, atMost: 10))
        let found = try ids(batch.body)
        #expect(found.last?.description == "0193a000-0000-7000-8000-000000000001")
    }

    @Test("Setting this machine's clock moves the times of lines that are by this clock alone")
    func clockSet() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // It shows 2027-01-15T08:00:00Z, and is 300 days behind.
        let time = ManualTimeSource(microseconds: 1_800_000_000_000_000)
        let uptime = ManualTimeSource(microseconds: 20_000_000)
        let keeper = try keeper(
            folder, time,
            boot: MachineBoot(id: "this boot", microseconds: { uptime.nowMicroseconds }))
        let intake = LineIntake(keeper: keeper, enrolment: enrolment, time: time)
        let times = [
            "", #""at":"2027-01-15T07:59:30.000Z","#, #""at":"2027-11-11T08:00:00.000Z","#,
            #""at":"2026-11-21T08:00:00.000Z","#,
        ]
        for (index, at) in times.enumerated() {
            let line = "{\(at)" + #""wifi":[{"bssid":"02:11:22:00:00:01","rssi":-50}]}"#
            await intake.keep(Array(line.utf8), index + 1)
        }
        uptime.advance(by: .seconds(60))
        time.advance(by: .seconds(300 * 86_400 + 60))
        let now = Timestamp(microseconds: time.nowMicroseconds)
        let batch = try #require(await keeper.batch(.droppable, atMost: 10))
        let scans = try SubmissionDecoder(.file).decode(
            body: batch.body, format: .lines, receivedAt: now
        ).map { try $0.get() }
        let recorded = try #require(scans.last)
        #expect(recorded.correctedAt == recorded.at)
        #expect(scans.dropLast().map { ($0.correctedAt - now) / 1_000_000 } == [-60, -90, -60])
    }

    @Test("A line of any length costs no more than the limit, and the next one is whole")
    func long() {
        var splitter = LineSplitter()
        var lines: [[UInt8]?] = []
        for _ in 0..<3 {
            lines += splitter.feed([UInt8](repeating: 65, count: LineIntake.mostBytes / 2))
        }
        lines += splitter.feed("\nshort\nrest".utf8)
        #expect(lines == [nil, Array("short".utf8)])
        #expect(splitter.end() == .some(Array("rest".utf8)))
    }
}

final class LockedLines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
