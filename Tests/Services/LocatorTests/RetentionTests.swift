import Devices
import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Retention of the locator's views", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RetentionTests {
    private static let day: Int64 = 86_400_000_000

    private struct Tables {
        let host: ServiceHost.Host
        let pool: PostgresPool
        let positions: PositionsView
        let visits: VisitsView
        let now: Timestamp

        init(days: Int) async throws {
            let bench = try await LocatorBench(
                .postgres,
                settings: [
                    "WHEREABOUTS_RETENTION_POSITIONS": "\(days)d",
                    "WHEREABOUTS_RETENTION_VISITS": "\(days)d",
                ])
            host = try bench.host()
            pool = host.requiredDatabase()
            positions = PositionsView(daysKept: Int64(days))
            visits = VisitsView(daysKept: Int64(days))
            now = host.now
            for view in [positions, visits] as [any View] {
                try await pool.migrate(view, schema: view.schema)
            }
        }

        /// A position and the beginnings of two visits that the log received this many days ago.
        func add(
            _ device: String, daysAgo: Int, located: Int? = nil, view: PositionsView? = nil
        ) async throws {
            let appended = now.microseconds - Int64(daysAgo) * RetentionTests.day
            let at = Timestamp(
                microseconds: now.microseconds - Int64(located ?? daysAgo) * RetentionTests.day)
            let position = PositionEstimated(
                id: EventID(high: UInt64(daysAgo + 100), low: UInt64(device.hashValue.magnitude)),
                scan: EventID(high: 1, low: 2), at: at, locatedAt: at, device: DeviceID(device),
                site: SiteID("small"), siteVersion: 1, state: .lost, late: false,
                positioner: "test", radioMapVersion: nil)
            let visit = VisitStarted(
                visit: position.id, site: SiteID("small"),
                device: DeviceID(device), zone: Zone(.room, ZoneID("r")), entered: at,
                confidence: 1)
            let group = GroupEntered(
                visit: position.id, site: SiteID("small"), device: DeviceID(device),
                group: BeaconGroupID("g"), floor: FloorID("f"), entered: at)
            for (view, record) in [
                (positions as any View, position.record(topic: "p", source: "/test")),
                (visits, visit.record(source: "/test")),
                (visits, group.record(source: "/test")),
            ] {
                let stored = StoredRecord(
                    topic: record.topic, partition: 0, offset: 0,
                    appendedAtMicroseconds: appended, key: record.key, value: record.value,
                    headers: record.headers)
                let faults = try await pool.withTransaction { connection in
                    try await view.apply([stored], schema: view.schema, connection: connection)
                }
                #expect(faults.isEmpty)
            }
        }

        /// Sweeps; returns whether no session prevented it.
        @discardableResult
        func sweep(at moment: Timestamp? = nil) async throws -> Bool {
            let isFree = try await positions.sweep(pool, now: moment ?? now)
            return try await visits.sweep(pool, now: moment ?? now) && isFree
        }

        /// Sets the time of the last sweep back by a day.
        func nextDay() async throws {
            for schema in ["locator", "visits"] {
                try await pool.query(
                    "UPDATE \(schema).retention SET dropped_at = dropped_at - interval '1 day'")
            }
        }

        /// Devices that are left, which must be the same in all tables.
        func devices() async throws -> [String] {
            func devices(_ table: String) async throws -> [String] {
                try await pool.query("SELECT DISTINCT device FROM \(table) ORDER BY device")
                    .map { try $0[0] }
            }
            let left = try await devices("locator.positions")
            #expect(try await devices("locator.latest_positions") == left)
            #expect(try await devices("visits.visits") == left)
            #expect(try await devices("visits.group_visits") == left)
            return left
        }

        func close() async {
            await host.log.close()
            await pool.close()
        }
    }

    @Test("A locator whose clock runs a month ahead drops no rows early")
    func clockAhead() async throws {
        let tables = try await Tables(days: 7)
        for day in 0..<7 { try await tables.add("d\(day)", daysAgo: day) }
        try await tables.add("d7", daysAgo: 0, located: -30)
        try await tables.sweep()
        // The sweeper's own clock may run ahead too, but the database's does not.
        try await tables.sweep(
            at: Timestamp(microseconds: tables.now.microseconds + 30 * Self.day))
        #expect(try await tables.devices() == (0..<8).map { "d\($0)" })
        await tables.close()
    }

    @Test("Old rows are dropped even without new ones, at most one day's rows each day")
    func closedMuseum() async throws {
        let tables = try await Tables(days: 7)
        for day in [1, 8, 9, 10] { try await tables.add("d\(day)", daysAgo: day) }
        try await tables.sweep()
        #expect(try await tables.devices() == ["d1", "d8", "d9"])
        try await tables.sweep()
        #expect(try await tables.devices() == ["d1", "d8", "d9"])
        try await tables.nextDay()
        try await tables.sweep()
        #expect(try await tables.devices() == ["d1", "d8"])
        try await tables.nextDay()
        try await tables.sweep()
        try await tables.nextDay()
        try await tables.sweep()
        #expect(try await tables.devices() == ["d1"])
        await tables.close()
    }

    @Test("A reader keeps old rows, which is reported, and new days wait for nobody")
    func reader() async throws {
        let tables = try await Tables(days: 7)
        for day in [1, 8] { try await tables.add("d\(day)", daysAgo: day) }
        let reader = tables.pool.separateConnection()
        try await reader.execute(script: "BEGIN; SELECT FROM locator.positions")
        #expect(try await !tables.sweep())
        // A new day does not wait for the reader.
        try await tables.add("d0", daysAgo: 0)
        try await reader.execute(script: "COMMIT")
        #expect(try await tables.sweep())
        #expect(try await tables.devices() == ["d0", "d1"])
        await reader.close()
        await tables.close()
    }

    @Test("A shorter retention drops present rows at once")
    func shortened() async throws {
        let tables = try await Tables(days: 20)
        for day in 1...9 { try await tables.add("d\(day)", daysAgo: day) }
        try await tables.sweep()
        #expect(try await tables.devices().count == 9)
        _ = try await PositionsView(daysKept: 4)
            .sweep(tables.pool, now: tables.now)
        _ = try await VisitsView(daysKept: 4)
            .sweep(tables.pool, now: tables.now)
        #expect(try await tables.devices() == ["d1", "d2", "d3", "d4"])
        await tables.close()
    }

    @Test("An analyst reads the end of a visit without quoting a column's name")
    func stays() async throws {
        let tables = try await Tables(days: 7)
        try await tables.add("d1", daysAgo: 0)
        let rows = try await tables.pool.query(
            "SELECT device, zone, entered_at, left_at FROM visits.stays")
        #expect(rows.count == 1)
        await tables.close()
    }
}
