import Devices
import EventLog
import Events
import HTTP
import Positioning
import Privacy
import ServiceBench
import ServiceHost
import Testing
import Wire

@testable import Locator

@Suite("Erased devices") struct ErasedDevicesTests {
    private static let site = SiteID("museum")

    private static func stored(_ record: LogRecord, at: Int64) -> StoredRecord {
        StoredRecord(
            topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: at,
            key: record.key, value: record.value, headers: record.headers)
    }

    /// Anna's erasure at 500 ms, as the log has it.
    private static func annaErased(appendedAt: Int64) -> StoredRecord {
        let event = DeviceErased(
            id: EventID(high: 1, low: 1), site: site, device: DeviceID("anna"),
            at: Timestamp(microseconds: 500_000))
        return stored(event.record(source: "/test"), at: appendedAt)
    }

    @Test("cover everything of a device from before, and nothing later or of others")
    func covers() {
        var devices = ErasedDevices()
        let isRead = devices.apply(
            Self.annaErased(appendedAt: 700_000), at: Timestamp(microseconds: 800_000))
        #expect(isRead)
        func scan(_ device: String, _ at: Int64, appended: Int64 = 2_000_000) -> StoredRecord {
            let time = Timestamp(microseconds: at)
            return Self.stored(
                ScanRecorded(
                    id: EventID(high: 2, low: 2), site: Self.site, device: DeviceID(device),
                    scanner: ScannerID("s"), at: time, receivedAt: time, steps: 1
                ).record(source: "/test"), at: appended)
        }
        #expect(devices.covers(scan("anna", 499_000)) && devices.covers(scan("anna", 500_000)))
        #expect(devices.covers(scan("anna", 700_000)), "until the log had the erasure")
        #expect(!devices.covers(scan("anna", 701_000)) && !devices.covers(scan("bert", 1_000)))
        #expect(!ErasedDevices().covers(scan("anna", 1_000)))
        // The sender's clock ran an hour ahead.
        #expect(devices.covers(scan("anna", 3_600_000_000, appended: 699_000)))
    }

    @Test("cover surveys and dead letters of the device, which have other keys")
    func values() {
        let devices = ErasedDevices([
            DeviceErased(
                id: EventID(high: 1, low: 1), site: Self.site, device: DeviceID("anna"),
                at: Timestamp(microseconds: 500_000))
        ])
        func survey(_ device: String, _ at: Int64, received: Int64) -> StoredRecord {
            let scan = ScanRecorded(
                id: EventID(high: 2, low: 2), site: Self.site, device: DeviceID(device),
                scanner: ScannerID("s"), at: Timestamp(microseconds: at),
                receivedAt: Timestamp(microseconds: received), steps: 1)
            return Self.stored(
                SurveyRecorded(scan: scan, place: .location(LocationID("desk")))
                    .record(source: "/test"), at: 9_000_000)
        }
        #expect(devices.covers(survey("anna", 400_000, received: 900_000)))
        #expect(devices.covers(survey("anna", 900_000, received: 400_000)))
        #expect(!devices.covers(survey("anna", 900_000, received: 900_000)))
        #expect(!devices.covers(survey("bert", 400_000, received: 400_000)))
        func letter(_ device: String) -> StoredRecord {
            Self.stored(
                DeadLettered(
                    topic: Topic.scans.name, partition: 0, offset: 1, code: "x", detail: "",
                    key: RecordKey.bytes(Self.site, DeviceID(device)), value: nil,
                    at: Timestamp(microseconds: 400_000)
                ).record(source: "/test"), at: 9_000_000)
        }
        #expect(devices.covers(letter("anna")) && !devices.covers(letter("bert")))
    }

    @Test("cover a day at most after an erasure, where the log's clock was ahead by years")
    func logAhead() {
        var devices = ErasedDevices()
        let isRead = devices.apply(
            Self.annaErased(appendedAt: 94_608_000_000_000), at: Timestamp(microseconds: 600_000))
        #expect(isRead)
        let anna = DeviceKey(Self.site, DeviceID("anna"))
        #expect(devices.covers(anna, at: Timestamp(microseconds: 86_400_500_000)))
        #expect(!devices.covers(anna, at: Timestamp(microseconds: 86_400_500_001)))
    }

    @Test("cover all until the log had the erasure, where the clock of who erased was days behind")
    func eraserBehind() {
        var devices = ErasedDevices()
        let appended: Int64 = 3 * 86_400_000_000
        let isRead = devices.apply(
            Self.annaErased(appendedAt: appended), at: Timestamp(microseconds: appended))
        #expect(isRead)
        let anna = DeviceKey(Self.site, DeviceID("anna"))
        #expect(devices.covers(anna, at: Timestamp(microseconds: appended)))
        #expect(!devices.covers(anna, at: Timestamp(microseconds: appended + 1)))
    }

    @Test("are forgotten when their time is over, so that they don't fill the memory")
    func forgotten() {
        var devices = ErasedDevices()
        func key(_ number: Int64) -> DeviceKey {
            DeviceKey(Self.site, DeviceID("phone-\(number)"))
        }
        for number in Int64(0)..<3_000 {
            let at = Timestamp(microseconds: number * 1_000_000)
            let event = DeviceErased(
                id: EventID(high: 1, low: UInt64(number)), site: Self.site,
                device: key(number).device, at: at)
            let isRead = devices.apply(
                Self.stored(event.record(source: "/test"), at: at.microseconds), at: at)
            #expect(isRead)
            devices.forget(before: at.advanced(byMicroseconds: -1_000_000_000))
        }
        func isKnown(_ number: Int64) -> Bool {
            devices.covers(key(number), at: Timestamp(microseconds: number * 1_000_000))
        }
        #expect(!isKnown(0))
        #expect((2_000..<3_000).allSatisfy(isKnown))
    }

    @Test("must be known before a scan is located or a stream begins")
    func ready() async throws {
        let bench = try await ServiceBench()
        let erased = ErasureDirectory()
        let locators = try await LocatorBench(.memory)
        let host = try locators.host()
        let locating = Locating(
            sites: try locators.locating(host, [NearestNeighbours()]).sites,
            rules: VisitRules(host.configuration), visited: VisitedPartitions(),
            clock: bench.clock, erased: erased, onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, erased: erased, notices: bench.notices,
            limits: .init(streams: 1, streamsOfToken: 1))
        let running = Task { await hub.run() }
        defer { running.cancel() }
        #expect(!locating.isReady([]))
        for _ in 0..<20 {
            #expect(throws: Problem.self) { try hub.position() }
            try await Task.sleep(for: .milliseconds(10))
        }
        erased.replace(with: ErasedDevices())
        #expect(locating.isReady([]))
        while (try? hub.position()) == nil { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test("cover the random id of an enrolled device for ever")
    func random() {
        let id = EnrolledID.device([UInt8](repeating: 0xab, count: EnrolledID.bytes))
        #expect(id.text == "d-abababababababababab" && EnrolledID.isOne(id))
        for other in ["d-1", "d-ABABABABABABABABABAB", "x-abababababababababab", "anna"] {
            #expect(!EnrolledID.isOne(DeviceID(other)))
        }
        let devices = ErasedDevices([
            DeviceErased(
                id: EventID(high: 1, low: 1), site: Self.site, device: id,
                at: Timestamp(microseconds: 500_000))
        ])
        let later = Timestamp(microseconds: 9_000_000_000)
        #expect(devices.covers(DeviceKey(Self.site, id), at: later))
        #expect(!devices.covers(DeviceKey(SiteID("other"), id), at: later))
    }
}
