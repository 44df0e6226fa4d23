import Devices
import EventLog
import Events
import LogViews
import MemoryLog
import Positioning
import Postgres
import ServiceBench
import ServiceHost
import Site
import Synchronization
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
        let topics: [Topic] = [.positions, .positionsBeside, .positionsSmoothed, .visits]
        #expect(others.map(\.topic) == topics.map(\.name))
        #expect(others.allSatisfy { $0.key == event.recordKey })
        #expect(bench.devices.devices.keys.map(\.device.text) == ["bert"])
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
        var turns = ErasingLog.Turns()
        try await ErasingLog(log: bench.log, pool: pool).eraseWhatIsDue(&turns)
        let left = try await bench.records(of: .positions)
            .compactMap { try? PositionEstimated(record: $0) }
        #expect(left.count { $0.device.text == "anna" } == 1 && left.count == 3)
        #expect(try await bench.records(of: .visits).count == 2)
        let done: Bool = try await pool.query(
            "SELECT log_erased_at IS NOT NULL AS done FROM locator.erasures")[0]["done"]
        #expect(done)
    }

    /// Notes erasures in both views or one of them, as if they had read them.
    private func note(
        _ events: [DeviceErased], hadRows: Bool, in schemas: [String] = ["locator", "visits"],
        _ pool: PostgresPool
    ) async throws {
        try await apply(PositionsView(daysKept: 30), [], pool)
        try await apply(VisitsView(daysKept: 30), [], pool)
        try await pool.withTransaction { connection in
            for event in events {
                for schema in schemas {
                    try Erasures.note(
                        event, deletingFrom: [], hadRows: hadRows, schema: schema,
                        connection: connection)
                }
            }
        }
    }

    @Test("One pass erases all devices that are due, also from positioners beside and letters")
    func together() async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        let beside = Topic.positionsBeside.name
        let names = ["anna", "bert", "carl"]
        let events = names.prefix(2).enumerated().map { number, name in
            DeviceErased(
                id: EventID(high: 9, low: UInt64(number)), site: Self.site,
                device: DeviceID(name), at: Timestamp(microseconds: 1_795_305_700_000_000))
        }
        for name in names {
            let position = Self.position(name, 1)
            try await bench.log.append([
                position.record(source: "/test"), position.record(topic: beside, source: "/test"),
                DeadLettered(
                    topic: Topic.scans.name, partition: 0, offset: 1, code: "x", detail: "",
                    key: RecordKey.bytes(Self.site, DeviceID(name)), value: nil,
                    at: Timestamp(microseconds: 1_795_305_600_000_000)
                ).record(source: "/test"),
            ])
        }
        for event in events {
            try await bench.log.append(
                [Topic.scans.name, Topic.positions.name, Topic.visits.name, beside].map {
                    event.record(topic: $0, source: "/test")
                })
        }
        try await note(events, hadRows: true, pool)
        let counting = FailingEraser(log: bench.log)
        let erasing = ErasingLog(log: counting, pool: pool)
        var turns = ErasingLog.Turns()
        try await erasing.eraseWhatIsDue(&turns)
        #expect(counting.erasures.withLock { $0 } == [2, 2], "of what nodes heard, too")
        var left: [String] = []
        try await bench.log.readRange(bench.log.ranges(of: [beside, Topic.positions.name])) {
            left += $0.compactMap { try? PositionEstimated(record: $0).device.text }
        }
        #expect(left == ["carl", "carl"])
        #expect(try await bench.records(of: .deadLetters).count == 1)
        // A device of which the views had nothing may only have been heard by nodes.
        let nobody = DeviceErased(
            id: EventID(high: 9, low: 9), site: Self.site, device: DeviceID("nobody"),
            at: Timestamp(microseconds: 1_795_305_700_000_000))
        try await note([nobody], hadRows: false, pool)
        try await erasing.eraseWhatIsDue(&turns)
        #expect(counting.erasures.withLock { $0 } == [2, 2, 1])
    }

    @Test("What nodes heard of a device goes, and where it tapped, also before it was ever located")
    func heard() async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        let event = DeviceErased(
            id: EventID(high: 9, low: 1), site: Self.site, device: DeviceID("anna"),
            at: ServiceBench.start)
        func sighting(_ device: String) -> LogRecord {
            SightingReported(
                id: EventID(high: 3, low: 4), site: Self.site, device: DeviceID(device),
                scanner: ScannerID("node"), at: ServiceBench.start,
                receivedAt: ServiceBench.start, rssi: -60
            ).record(source: "/test")
        }
        func tap(_ device: String) -> LogRecord {
            let scan = ScanRecorded(
                id: EventID(high: 3, low: 5), site: Self.site, device: DeviceID(device),
                scanner: ScannerID(device), at: ServiceBench.start, receivedAt: ServiceBench.start)
            return TapRecorded(scan: scan, place: .location(LocationID("door")), author: "token")
                .record(source: "/test")
        }
        try await bench.log.append([
            sighting("anna"), sighting("bert"), tap("anna"), tap("bert"),
            event.record(topic: Topic.sightings.name, source: "/test"),
            event.record(topic: Topic.taps.name, source: "/test"),
        ])
        try await note([event], hadRows: false, pool)
        var turns = ErasingLog.Turns()
        try await ErasingLog(log: bench.log, pool: pool).eraseWhatIsDue(&turns)
        for topic in [Topic.sightings, .taps] {
            let left = try await bench.records(of: topic)
            #expect(left.count == 2, "\(topic)")
            #expect(left.count { $0.key == event.recordKey && DeviceErased.isIn($0) } == 1)
        }
    }

    @Test(
        "An erasure stays done when one of the views is rebuilt", arguments: ["locator", "visits"])
    func rebuilt(schema: String) async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        let event = DeviceErased(
            id: EventID(high: 9, low: 1), site: Self.site, device: DeviceID("anna"),
            at: Timestamp(microseconds: 1_795_305_700_000_000))
        func done() async throws -> [Bool] {
            try await pool.query(
                """
                SELECT log_erased_at IS NOT NULL AS done FROM locator.erasures
                UNION ALL SELECT log_erased_at IS NOT NULL FROM visits.erasures
                """
            ).map { try $0["done"] }
        }
        let erasing = ErasingLog(log: bench.log, pool: pool)
        var turns = ErasingLog.Turns()
        try await note([event], hadRows: true, pool)
        try await erasing.eraseWhatIsDue(&turns)
        #expect(try await done() == [true, true])
        // The rebuild reads the erasure from the log, at its end or before the first pass.
        try await pool.query("DELETE FROM \(schema).erasures")
        try await note([event], hadRows: false, in: [schema], pool)
        try await erasing.eraseWhatIsDue(&turns)
        #expect(try await done() == [true, true])
        let later = event.at.advanced(byMicroseconds: 1)
        try await Erasures.forget(before: later, schemas: ("locator", "visits"), pool)
        #expect(try await done().isEmpty)
    }

    @Test(
        "An old erasure that only a rebuilt view knows is forgotten, and one that waits is not",
        arguments: ["locator", "visits"])
    func forgotten(schema: String) async throws {
        let pool = try await ServiceBench.database()
        let at = Timestamp(microseconds: 1_795_305_700_000_000)
        func event(_ number: UInt64) -> DeviceErased {
            DeviceErased(
                id: EventID(high: 9, low: number), site: Self.site, device: DeviceID("anna"), at: at
            )
        }
        func known() async throws -> Int {
            try await pool.query(
                """
                SELECT (SELECT count(*) FROM locator.erasures)
                    + (SELECT count(*) FROM visits.erasures) AS count
                """)[0]["count"]
        }
        // The other view had forgotten the first one when this view was rebuilt from Kafka.
        try await note([event(1)], hadRows: false, in: [schema], pool)
        try await note([event(2)], hadRows: true, pool)
        try await Erasures.forget(before: at, schemas: ("locator", "visits"), pool)
        #expect(try await known() == 3, "nothing is old enough")
        let later = at.advanced(byMicroseconds: 1)
        try await Erasures.forget(before: later, schemas: ("locator", "visits"), pool)
        #expect(try await known() == 2, "the log has not erased the second one yet")
    }

    @Test("A tester whose test has ended leaves the log too, though the views have no rows of it")
    func tester() async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        let (testers, at) = (try #require(Self.site.ofTesters), ServiceBench.start)
        let event = DeviceErased(
            id: EventID(high: 9, low: 1), site: testers, device: DeviceID("anna"), at: at)
        var position = Self.position("anna", 1)
        position.site = testers
        try await bench.log.append([
            position.record(source: "/test"),
            event.record(topic: Topic.positions.name, source: "/test"),
        ])
        try await note([event], hadRows: false, pool)
        var turns = ErasingLog.Turns()
        try await ErasingLog(log: bench.log, pool: pool).eraseWhatIsDue(&turns)
        let left = try await bench.records(of: .positions)
        #expect(left.count == 1 && left.allSatisfy(DeviceErased.isIn))
    }

    @Test("An erasure that fails is tried alone, and those behind it go on")
    func turns() async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        func event(_ name: String, _ number: UInt64) -> DeviceErased {
            DeviceErased(
                id: EventID(high: 9, low: number), site: Self.site, device: DeviceID(name),
                at: Timestamp(microseconds: 1_795_305_700_000_000))
        }
        func done() async throws -> Int {
            try await pool.query(
                "SELECT count(log_erased_at) AS count FROM visits.erasures")[0]["count"]
        }
        try await note([event("bad", 1), event("anna", 2)], hadRows: true, pool)
        let log = FailingEraser(
            log: bench.log, failsFor: RecordKey.bytes(Self.site, DeviceID("bad")))
        let erasing = ErasingLog(log: log, pool: pool)
        var turns = ErasingLog.Turns()
        await #expect(throws: EventLogError.self) { try await erasing.eraseWhatIsDue(&turns) }
        #expect(try await done() == 0)
        try await note([event("bert", 3)], hadRows: true, pool)
        for _ in 0..<2 { try? await erasing.eraseWhatIsDue(&turns) }
        #expect(try await done() == 2, "only the bad one is left")
    }

    @Test("A scan of before that came behind the erasure goes a minute later")
    func late() async throws {
        let pool = try await ServiceBench.database()
        let bench = try await ServiceBench()
        let start = ServiceBench.start
        let erased = DeviceErased(
            id: EventID(high: 9, low: 1), site: Self.site, device: DeviceID("anna"), at: start)
        func scan(_ device: String, _ second: Int64) -> LogRecord {
            let at = start.advanced(byMicroseconds: second * 1_000_000)
            return ScanRecorded(
                id: EventID(high: 3, low: UInt64(100 + second)), site: Self.site,
                device: DeviceID(device), scanner: ScannerID("s"), at: at, receivedAt: at, steps: 1
            ).record(source: "/test")
        }
        bench.pass(seconds: 1)
        try await bench.log.append([
            erased.record(topic: Topic.scans.name, source: "/test"), scan("anna", -1),
            scan("anna", 5), scan("bert", -1),
        ])
        try await note([erased], hadRows: true, pool)
        let erasing = ErasingLog(log: bench.log, pool: pool)
        var turns = ErasingLog.Turns()
        try await erasing.eraseWhatIsDue(&turns)
        try await erasing.sweep()
        #expect(try await bench.records(of: .scans).count == 4, "a minute has not passed")
        try await pool.query(
            "UPDATE visits.erasures SET log_erased_at = log_erased_at - interval '61 seconds'")
        try await erasing.sweep()
        let left = try await bench.records(of: .scans)
        #expect(left.count == 3 && left.contains { $0.key == scan("bert", -1).key })
        #expect(left.count { !DeviceErased.isIn($0) && $0.key == erased.recordKey } == 1)
    }
}
