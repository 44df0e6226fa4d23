import EventLog
import Events
import SeededRandomness
import ServiceBench
import ServiceHost
import ServiceRuntime
import Sightings
import Testing
import Wire

@testable import ScanIngest

@Suite("The processor of sightings") struct SightingJoiningTests {
    private static let site = SiteID("museum")
    private static let rules = SightingRules(
        windowMicroseconds: 2_000_000, graceMicroseconds: 1_000_000)

    private struct Bench {
        /// This machine's, which stands still.
        static let clock = EventClock(time: { ServiceBench.start })
        let erased = ErasureDirectory(ErasedDevices())
        let metrics = MetricsRegistry()
        let joining: SightingJoining
        var join = SightingJoin(rules)
        var scans: [ScanRecorded] = []
        var setAside: [String] = []
        /// The newest record of each key of the state topic; a tombstone stays.
        var state: [[UInt8]: StoredRecord] = [:]

        init() {
            joining = SightingJoining(
                rules: SightingJoiningTests.rules, erased: erased, clock: Self.clock,
                metrics: metrics, onUnexpected: { _ in })
        }

        mutating func work(_ records: [StoredRecord]) throws {
            let outputs = joining.work(&join, records)
            setAside += outputs.setAside.map(\.code)
            for record in outputs.records {
                let stored = StoredRecord(
                    topic: record.topic, partition: record.partition ?? -1, offset: 0,
                    appendedAtMicroseconds: records.last?.appendedAtMicroseconds ?? 0,
                    key: record.key, value: record.value, headers: record.headers)
                if record.topic == Topic.scans.name {
                    scans.append(try ScanRecorded(record: stored))
                } else {
                    #expect(record.topic == Topic.sightingWindows.name)
                    #expect(record.partition == 3)
                    state[record.key] = stored
                }
            }
        }

        /// Goes on as another process does, after a commit.
        mutating func restart() {
            join = SightingJoin(SightingJoiningTests.rules)
            for record in state.values { joining.restore(&join, record) }
        }
    }

    private static func moment(_ seconds: Double) -> Timestamp {
        ServiceBench.start.advanced(byMicroseconds: Int64(seconds * 1_000) * 1_000)
    }

    private static func stored(_ event: some WireEvent, at seconds: Double) -> StoredRecord {
        let record = event.record(topic: Topic.sightings.name, source: "/test")
        return StoredRecord(
            topic: record.topic, partition: 3, offset: 0,
            appendedAtMicroseconds: moment(seconds).microseconds, key: record.key,
            value: record.value, headers: record.headers)
    }

    private static func sighting(
        _ device: String, by node: String = "a", at seconds: Double, rssi: Int = -60
    ) -> StoredRecord {
        stored(
            SightingReported(
                id: EventID(high: 1, low: 2), site: site, device: DeviceID(device),
                scanner: ScannerID(node), at: moment(seconds), receivedAt: moment(seconds),
                rssi: rssi),
            at: seconds)
    }

    private static func time(_ seconds: Double) -> StoredRecord {
        stored(TimePassed(partition: 3, at: moment(seconds)), at: seconds)
    }

    private static func erasure(_ device: String, at seconds: Double) -> DeviceErased {
        DeviceErased(
            id: EventID(high: 1, low: 9), site: site, device: DeviceID(device),
            at: moment(seconds))
    }

    @Test("appends a scan with its nodes, and the same id for the same device and window")
    func scan() throws {
        var bench = Bench()
        try bench.work([
            Self.sighting("tag", by: "a", at: 0.5, rssi: -70),
            Self.sighting("tag", by: "b", at: 1.5, rssi: -50),
        ])
        #expect(bench.scans.isEmpty)
        try bench.work([Self.time(3)])
        let scan = try #require(bench.scans.first)
        #expect(bench.scans.count == 1)
        let key = DeviceKey(Self.site, DeviceID("tag"))
        let id = { (start: Double, length: Int64) in
            EventID(scanOf: key, windowFrom: Self.moment(start), lasting: length)
        }
        #expect(scan.id == id(0, 2_000_000))
        #expect(scan.id != id(2, 2_000_000) && scan.id != id(0, 1_000_000))
        #expect(scan.heardBy.map(\.scanner.text) == ["b", "a"])
        #expect(scan.at == Self.moment(1.5))
    }

    @Test("goes on with what is stored, and gives the same scans", arguments: 0..<20)
    func restarts(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var records = (0..<200).map { _ in
            Self.sighting(
                "d\(Int.random(in: 0..<5, using: &random))",
                by: "n\(Int.random(in: 0..<4, using: &random))",
                at: Double(Int.random(in: 0..<30_000, using: &random)) / 1_000,
                rssi: -Int.random(in: 40..<90, using: &random))
        }
        records.sort { $0.appendedAtMicroseconds < $1.appendedAtMicroseconds }
        records.append(Self.time(400))
        var whole = Bench()
        try whole.work(records)
        var broken = Bench()
        var rest = records[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...12, using: &random)
            // This work is lost, as when its commit fails.
            if Bool.random(using: &random) {
                _ = broken.joining.work(&broken.join, Array(rest.prefix(count + 3)))
                broken.restart()
            }
            try broken.work(Array(rest.prefix(count)))
            if Bool.random(using: &random) { broken.restart() }
            rest = rest.dropFirst(count)
        }
        #expect(broken.scans == whole.scans)
        #expect(Set(whole.scans.map(\.id)).count == whole.scans.count && whole.scans.count > 40)
        #expect(broken.state.filter { $0.value.value != nil }.count == 1, "only the time is left")
    }

    @Test("is told the time where nothing comes: when the first window is to be closed")
    func silence() throws {
        var bench = Bench()
        try bench.work([Self.sighting("tag", at: 0.5)])
        #expect(bench.joining.silent.silent(at: Self.moment(3)) == [])
        #expect(bench.joining.silent.silent(at: Self.moment(3.001)) == [3])
        bench.restart()
        #expect(bench.joining.silent.silent(at: Self.moment(3.001)) == [3], "after a start, too")
        try bench.work([Self.time(3.001)])
        #expect(bench.scans.count == 1)
        #expect(bench.joining.silent.silent(at: Self.moment(257)) == [])
        #expect(bench.joining.silent.silent(at: Self.moment(259)) == [3], "to forget the device")
        try bench.work([Self.time(259)])
        #expect(bench.joining.silent.silent(at: Self.moment(9_999)) == [])
    }

    @Test("closes windows where nothing comes soon after the log's clock was set back by hours")
    func silenceAfterSetBack() throws {
        var bench = Bench()
        try bench.work([Self.sighting("tag", at: 7_200.5)])
        #expect(bench.joining.silent.silent(at: Self.moment(63)) == [])
        #expect(bench.joining.silent.silent(at: Self.moment(63.001)) == [3])
        bench.restart()
        #expect(bench.joining.silent.silent(at: Self.moment(0.001)) == [3], "after a start, too")
        try bench.work([Self.time(63)])
        #expect(bench.scans.count == 1)
    }

    @Test("forgets the open windows of an erased device, and stores a tombstone")
    func erasing() throws {
        var bench = Bench()
        try bench.work([Self.sighting("tag", at: 0.5), Self.sighting("other", at: 0.5)])
        try bench.work([Self.stored(Self.erasure("tag", at: 1), at: 1), Self.time(3)])
        #expect(bench.scans.map(\.device.text) == ["other"])
        let key = SightingStateKey.bytes(DeviceKey(Self.site, DeviceID("tag")))
        let record = try #require(bench.state[key])
        #expect(record.value == nil)
    }

    @Test("appends no scan of a device that was erased before its window was closed")
    func erasedMeanwhile() throws {
        var bench = Bench()
        try bench.work([Self.sighting("tag", at: 0.5)])
        bench.erased.replace(with: ErasedDevices([Self.erasure("tag", at: 1)]))
        try bench.work([Self.sighting("tag", by: "b", at: 0.9), Self.time(3)])
        #expect(bench.scans.isEmpty)
    }

    @Test("counts what it leaves out, by reason, and sets aside what it can't read")
    func leftOut() throws {
        var bench = Bench()
        var broken = Self.sighting("tag", at: 0.6)
        broken.value = Array("{}".utf8)
        try bench.work([
            Self.sighting("tag", at: 0.5), broken, Self.time(3), Self.sighting("x", at: 4),
        ])
        var late = Self.sighting("tag", at: 1)
        late.appendedAtMicroseconds = Self.moment(5).microseconds
        try bench.work([late])
        #expect(bench.setAside == ["field-missing"])
        let metrics = bench.metrics.exposition
        #expect(metrics.contains(#"whereabouts_sightings_dropped_total{reason="late"} 1"#))
        #expect(metrics.contains(#"whereabouts_sightings_dropped_total{reason="nodes"} 0"#))
        #expect(metrics.contains("whereabouts_scans_joined_total 1"))
    }

    @Test("forgets windows of another length after a change of the setting, with a tombstone")
    func otherLength() throws {
        var bench = Bench()
        try bench.work([Self.sighting("tag", at: 0.5)])
        let longer = SightingJoining(
            rules: SightingRules(windowMicroseconds: 4_000_000, graceMicroseconds: 0),
            erased: bench.erased, clock: Bench.clock, metrics: bench.metrics,
            onUnexpected: { _ in })
        var join = SightingJoin(
            SightingRules(windowMicroseconds: 4_000_000, graceMicroseconds: 0))
        for record in bench.state.values { longer.restore(&join, record) }
        let outputs = longer.work(&join, [Self.time(10)])
        #expect(!outputs.records.contains { $0.topic == Topic.scans.name })
        let key = SightingStateKey.bytes(DeviceKey(Self.site, DeviceID("tag")))
        #expect(outputs.records.contains { $0.key == key && $0.value == nil })
    }
}
