import Devices
import EventLog
import Events
import Positioning
import SeededRandomness
import ServiceHost
import Testing
import Wire

@testable import Locator

@Suite("Visits of a locator", .serialized)
struct LocatorVisitsTests {
    private static let start: Int64 = 1_795_248_000_000_000

    private static func moment(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: start + Int64(seconds) * 1_000_000)
    }

    /// - Parameter rssi: nil for a scan without readings.
    private static func scan(
        _ device: Int, _ number: Int, at: Int, arrived: Int? = nil, rssi: Int?
    ) -> ScanRecorded {
        ScanRecorded(
            id: EventID(high: UInt64(device), low: UInt64(number)), site: LocatorBench.site,
            device: DeviceID("d-\(device)"), scanner: ScannerID("d-\(device)"), at: moment(at),
            receivedAt: moment(arrived ?? at),
            wifi: rssi.map { [WiFiReading(bssid: HardwareAddress(value: 1), rssi: $0)] } ?? [])
    }

    private static func stored(_ record: LogRecord, offset: Int, at: Int) -> StoredRecord {
        StoredRecord(
            topic: record.topic, partition: 0, offset: Int64(offset),
            appendedAtMicroseconds: moment(at).microseconds, key: record.key, value: record.value,
            headers: record.headers)
    }

    /// An hour of five devices that change rooms, get lost, fall silent, and send some scans late
    /// or out of order. At the end only the time passes.
    private static func hour(seed: UInt64) -> [StoredRecord] {
        var random = SeededRandom(seed: seed)
        var records: [StoredRecord] = []
        var rooms = [Int](repeating: -40, count: 5)
        var asleepUntil = [Int](repeating: 0, count: 5)
        for second in stride(from: 0, to: 3_600, by: 5) {
            for device in 0..<5 where asleepUntil[device] <= second {
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<6: rooms[device] = rooms[device] == -40 ? -60 : -40
                case 6: asleepUntil[device] = second + Int.random(in: 60..<1_200, using: &random)
                default: break
                }
                let delay = [0, 0, 0, 0, 0, 0, 40, 400][Int.random(in: 0..<8, using: &random)]
                let isLost = Int.random(in: 0..<10, using: &random) == 0
                let scan = scan(
                    device, second, at: second - delay, arrived: second,
                    rssi: isLost ? nil : rooms[device])
                records.append(
                    stored(scan.record(source: "/test"), offset: records.count, at: second))
            }
        }
        for minute in 1...20 {
            let second = 3_600 + minute * 60
            records.append(
                stored(
                    TimePassed(partition: 0, at: moment(second)).record(source: "/test"),
                    offset: records.count, at: second))
        }
        return records
    }

    /// The visit events of the records in batches of random sizes. Now and then another locator
    /// takes over, which has only the stored state.
    private static func visits(
        _ records: [StoredRecord], seed: UInt64?
    ) throws -> [String] {
        var random = SeededRandom(seed: seed ?? 0)
        var bench = try BatchBench(RoomPositioner())
        var stored: [[UInt8]: StoredRecord] = [:]
        var positions: [StoredRecord] = []
        var events: [String] = []
        var next = 0
        while next < records.count {
            let size = seed == nil ? records.count : Int.random(in: 1...40, using: &random)
            let outputs = bench.locate(Array(records[next..<min(next + size, records.count)]))
                .records
            let now = records[min(next + size, records.count) - 1].appendedAtMicroseconds
            next += size
            for output in outputs where output.topic == Topic.visits.name {
                events.append(String(decoding: output.value ?? [], as: UTF8.self))
            }
            for output in outputs where output.topic == Topic.locatorState.name {
                stored[output.key] = BatchBench.stored(output, atMicroseconds: now)
            }
            for output in outputs where output.topic == Topic.positions.name {
                positions.append(BatchBench.stored(output, atMicroseconds: now))
            }
            if seed != nil, Int.random(in: 0..<4, using: &random) == 0 {
                bench = try BatchBench(RoomPositioner())
                for record in stored.values {
                    let isRead = bench.devices.restore(record)
                    #expect(isRead)
                }
                for record in positions {
                    let isRead = bench.devices.restoreLocated(record)
                    #expect(isRead)
                }
            }
        }
        return events
    }

    @Test("However records are batched and locators take over, the visits are the same")
    func replayed() throws {
        for seed in 0..<4 as Range<UInt64> {
            let records = Self.hour(seed: seed)
            let atOnce = try Self.visits(records, seed: nil).sorted()
            #expect(atOnce.count > 40)
            #expect(Set(atOnce).count == atOnce.count)
            #expect(atOnce.count { $0.contains("reason") } == atOnce.count / 2)
            for cut in 1...3 as ClosedRange<UInt64> {
                let isSame = try Self.visits(records, seed: cut).sorted() == atOnce
                #expect(isSame, "hour \(seed), cut \(cut)")
            }
        }
    }

    @Test(
        "A late scan moves no visit, and a silent device's visit ends by the clock")
    func lateAndSilent() throws {
        let scans = [
            Self.scan(1, 1, at: 0, rssi: -40), Self.scan(1, 2, at: 15, rssi: -40),
            Self.scan(1, 3, at: 10, arrived: 400, rssi: -60),
            Self.scan(1, 4, at: 20, arrived: 410, rssi: -60),
        ]
        var records = scans.enumerated().map { index, scan in
            Self.stored(
                scan.record(source: "/test"), offset: index,
                at: Int((scan.receivedAt - Self.moment(0)) / 1_000_000))
        }
        // Ten minutes of silence, five minutes for late scans, and one minute on the way.
        for second in [970, 981] {
            records.append(
                Self.stored(
                    TimePassed(partition: 0, at: Self.moment(second)).record(source: "/test"),
                    offset: records.count, at: second))
        }
        var bench = try BatchBench(RoomPositioner())
        let before = bench.locate(Array(records.dropLast())).records
        #expect(before.filter { $0.topic == Topic.visits.name }.count == 2)
        #expect(bench.devices.isVisited)
        let ended = try bench.locate([records[records.count - 1]]).records
            .filter { $0.topic == Topic.visits.name }
            .map { try VisitEnded(json: $0.value ?? []) }
        #expect(Set(ended.map(\.zone.id.text)) == ["a", "house"])
        #expect(ended.allSatisfy { $0.left == Self.moment(15) && $0.reason == .silent })
        #expect(!bench.devices.isVisited)
    }

    @Test("A silent partition gets the time, once until its next record")
    func silentPartitions() {
        let visited = VisitedPartitions()
        visited.note(3, isVisited: true, atMicroseconds: 0)
        visited.note(5, isVisited: true, atMicroseconds: 30_000_000)
        visited.note(6, isVisited: true, atMicroseconds: 0)
        visited.note(6, isVisited: false, atMicroseconds: 1)
        #expect(visited.silent(atMicroseconds: 60_000_000) == [])
        #expect(visited.silent(atMicroseconds: 60_000_001) == [3])
        #expect(visited.silent(atMicroseconds: 90_000_001) == [5])
        #expect(visited.silent(atMicroseconds: 900_000_000) == [])
        visited.note(3, isVisited: true, atMicroseconds: 60_000_001)
        #expect(visited.silent(atMicroseconds: 900_000_000) == [3])
    }

    @Test(
        "Each visit is written once while locators take over from each other",
        arguments: LocatorBench.Kind.available.filter { $0 != .kafka })
    func onceOnly(_ kind: LocatorBench.Kind) async throws {
        let bench = try await LocatorBench(kind)
        let host = try bench.host()
        // The present time, as the log has it.
        let now = host.now.microseconds
        await host.log.close()
        var scans: [ScanRecorded] = []
        for second in stride(from: 0, to: 600, by: 10) {
            for device in 1...6 {
                let room = (second / 100 + device) % 2 == 0 ? -40 : -60
                var scan = Self.scan(device, second, at: second, rssi: room)
                scan.at = Timestamp(microseconds: now + Int64(second - 600) * 1_000_000)
                scan.receivedAt = scan.at
                scans.append(scan)
            }
        }
        for (part, end) in [120, 240, scans.count].enumerated() {
            let begin = part * 120
            try await bench.append(Array(scans[begin..<end]))
            let wanted = part == 2 ? end : begin + 60
            try await bench.locate(with: [RoomPositioner()]) { $0.count >= wanted }
        }
        let records = try await bench.records(of: Topic.visits.name)
        let started = try records.filter { $0.headers["ce_type"] == EventType.visitStarted.name }
            .map { try VisitStarted(record: $0) }
        let ended = try records.filter { $0.headers["ce_type"] == EventType.visitEnded.name }
            .map { try VisitEnded(record: $0) }
        // Each device visits a room six times, and the building once.
        #expect(started.count == 6 * 6 + 6)
        #expect(Set(started.map(\.visit)).count == started.count)
        #expect(ended.count == 6 * 5)
        #expect(Set(ended.map(\.visit)).isSubset(of: started.map(\.visit)))
        #expect(ended.allSatisfy { $0.left - $0.entered == 90_000_000 && $0.reason == .left })
    }
}
