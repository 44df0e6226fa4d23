import Devices
import EventLog
import Events
import LogViews
import MemoryLog
import Positioning
import Postgres
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite("An erased device in the locator") struct ErasureBatchTests {
    private static func scan(_ device: String, _ second: Int64) -> ScanRecorded {
        let at = Timestamp(microseconds: LocatorBench.start + second * 1_000_000)
        return ScanRecorded(
            id: EventID(high: UInt64(second), low: UInt64(device.hashValue.magnitude)),
            site: LocatorBench.site, device: DeviceID(device), scanner: ScannerID(device), at: at,
            receivedAt: at, steps: 1)
    }

    private static func erased(_ device: String, _ second: Int64) -> DeviceErased {
        DeviceErased(
            id: EventID(high: 7, low: 7), site: LocatorBench.site, device: DeviceID(device),
            at: Timestamp(microseconds: LocatorBench.start + second * 1_000_000))
    }

    @Test("leaves tombstones of its state, and is passed on to positions and visits")
    func forgotten() throws {
        var bench = try BatchBench(CountingPositioner())
        _ = bench.locate(BatchBench.stored([Self.scan("anna", 1), Self.scan("bert", 2)]))
        let event = Self.erased("anna", 3)
        let outputs = bench.locate([
            BatchBench.stored(event.record(topic: Topic.scans.name, source: "/test"))
        ]).records
        let states = outputs.filter {
            $0.key.starts(with: Array("\(LocatorBench.site)/anna/".utf8))
        }
        #expect(!states.isEmpty && states.allSatisfy { $0.value == nil })
        let others = outputs.filter { $0.topic != Topic.locatorState.name }
        #expect(others.map(\.topic) == [Topic.positions.name, Topic.visits.name])
        #expect(others.allSatisfy { $0.key == event.recordKey })
        let known = bench.devices.devices.keys.map(\.device.text)
        #expect(known == ["bert"])
    }

    @Test("stores nothing of a device whose scans and erasure are in one batch")
    func oneBatch() throws {
        var bench = try BatchBench(NearestNeighbours())
        let event = Self.erased("anna", 3).record(topic: Topic.scans.name, source: "/test")
        let outputs = bench.locate(
            BatchBench.stored([Self.scan("anna", 1), Self.scan("anna", 2)])
                + [BatchBench.stored(event, offset: 2)]
        ).records
        let states = outputs.filter {
            $0.key.starts(with: Array("\(LocatorBench.site)/anna/".utf8))
        }
        #expect(states.allSatisfy { $0.value == nil })
        // The erasure follows the device's positions, so that a view can delete them.
        let positions = outputs.filter { $0.topic == Topic.positions.name }
        #expect(positions.count == 3)
        #expect(positions.last?.headers["ce_type"] == EventType.deviceErased.name)
    }
}

@Suite("Erased devices") struct ErasedDevicesTests {
    private static let site = SiteID("museum")

    private static func stored(_ record: LogRecord) -> StoredRecord {
        StoredRecord(
            topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 900,
            key: record.key, value: record.value, headers: record.headers)
    }

    @Test("cover everything of a device from before, and nothing later or of others")
    func covers() {
        var devices = ErasedDevices()
        let event = DeviceErased(
            id: EventID(high: 1, low: 1), site: Self.site, device: DeviceID("anna"),
            at: Timestamp(microseconds: 500_000))
        let isRead = devices.apply(Self.stored(event.record(source: "/test")))
        #expect(isRead)
        func scan(_ device: String, _ at: Int64) -> StoredRecord {
            let time = Timestamp(microseconds: at)
            return Self.stored(
                ScanRecorded(
                    id: EventID(high: 2, low: 2), site: Self.site, device: DeviceID(device),
                    scanner: ScannerID("s"), at: time, receivedAt: time, steps: 1
                ).record(source: "/test"))
        }
        #expect(devices.covers(scan("anna", 499_000)) && devices.covers(scan("anna", 500_000)))
        #expect(!devices.covers(scan("anna", 501_000)) && !devices.covers(scan("bert", 1_000)))
        #expect(!ErasedDevices().covers(scan("anna", 1_000)))
    }
}

@Suite(
    "The views of an erased device",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ErasedViewsTests {
    private static let site = SiteID("museum")

    private static func position(_ device: String, _ number: Int) -> PositionEstimated {
        let at = Timestamp(microseconds: 1_795_305_600_000_000 + Int64(number) * 1_000_000)
        return PositionEstimated(
            id: EventID(high: UInt64(number), low: 1), scan: EventID(high: UInt64(number), low: 2),
            at: at, locatedAt: at, device: DeviceID(device), site: site, siteVersion: 1,
            state: .lost, late: false, positioner: "knn", radioMapVersion: 1)
    }

    private static func visit(_ device: String, _ number: Int) -> VisitStarted {
        VisitStarted(
            visit: EventID(high: UInt64(number), low: 3), site: site, device: DeviceID(device),
            zone: Zone(.room, ZoneID("a")),
            entered: Timestamp(microseconds: 1_795_305_600_000_000), confidence: 1)
    }

    private func apply(
        _ view: some View, _ records: [LogRecord], _ pool: PostgresPool
    ) async throws {
        let stored = records.enumerated().map { offset, record in
            StoredRecord(
                topic: record.topic, partition: 0, offset: Int64(offset),
                appendedAtMicroseconds: 1_795_305_600_000_000, key: record.key,
                value: record.value, headers: record.headers)
        }
        try await pool.withConnection { connection in
            _ = try await Migrator(
                schema: view.schema,
                steps: [.schema(view.schema)] + view.migrations(schema: view.schema)
            ).migrate(connection)
            let faults = try await view.apply(stored, schema: view.schema, connection: connection)
            #expect(faults.isEmpty)
        }
    }

    @Test("lose its rows, keep the others', and take what comes later", arguments: [true, false])
    func rows(inOneBatch: Bool) async throws {
        let pool = try await ServiceBench.database()
        let event = DeviceErased(
            id: EventID(high: 9, low: 9), site: Self.site, device: DeviceID("anna"),
            at: Timestamp(microseconds: 1_795_305_700_000_000))
        let before =
            [("anna", 1), ("bert", 2), ("anna", 3)].map {
                Self.position($0, $1).record(source: "/test")
            }
        let after =
            [event.record(topic: Topic.positions.name, source: "/test")]
            + [("anna", 4), ("bert", 5)].map { Self.position($0, $1).record(source: "/test") }
        let visits = [
            Self.visit("anna", 1).record(source: "/test"),
            Self.visit("bert", 2).record(source: "/test"),
        ]
        let visitsErased = [event.record(topic: Topic.visits.name, source: "/test")]
        let (positionsView, visitsView) = (PositionsView(daysKept: 30), VisitsView(daysKept: 30))
        if inOneBatch {
            try await apply(positionsView, before + after, pool)
            try await apply(visitsView, visits + visitsErased, pool)
        } else {
            try await apply(positionsView, before, pool)
            try await apply(positionsView, after, pool)
            try await apply(visitsView, visits, pool)
            try await apply(visitsView, visitsErased, pool)
        }
        func devices(_ table: String) async throws -> [String] {
            try await pool.query("SELECT device FROM \(table) ORDER BY device").map {
                try $0["device"]
            }
        }
        #expect(try await devices("locator.positions") == ["anna", "bert", "bert"])
        #expect(try await devices("locator.latest_positions") == ["anna", "bert"])
        #expect(try await devices("visits.visits") == ["bert"])
        // The log follows when both views are through.
        let bench = try await ServiceBench()
        try await bench.log.append(before + after + visits + visitsErased)
        try await ErasingLog(log: bench.log, pool: pool).eraseWhatIsDue()
        let left = try await bench.records(of: .positions).compactMap {
            try? PositionEstimated(record: $0)
        }
        #expect(left.count { $0.device.text == "anna" } == 1 && left.count == 3)
        #expect(try await bench.records(of: .visits).count == 2)
        let done: Bool = try await pool.query(
            "SELECT log_erased_at IS NOT NULL AS done FROM locator.erasures")[0]["done"]
        #expect(done)
    }
}
