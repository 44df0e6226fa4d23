import EventLog
import Events
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Positions and visits of tests that have ended",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct EndedTestsTests {
    private struct Tables {
        let pool: PostgresPool
        let now = ServiceBench.start

        init() async throws {
            pool = try await ServiceBench.database()
            for view in views { try await pool.migrate(view, schema: view.schema) }
        }

        private var views: [any View] { [PositionsView(daysKept: 365), VisitsView(daysKept: 365)] }

        /// Adds a position, a visit and a stay in a group, located this many seconds after now.
        func add(_ site: String, _ device: String, seconds: Int64 = 0) async throws {
            let moment = now.advanced(byMicroseconds: seconds * 1_000_000)
            let position = PositionEstimated(
                id: EventID(high: 1, low: UInt64(device.hashValue.magnitude)),
                scan: EventID(high: 1, low: 2), at: moment, locatedAt: moment,
                device: DeviceID(device), site: SiteID(site), siteVersion: 1, state: .lost,
                late: false, positioner: "test", radioMapVersion: nil)
            let visit = VisitStarted(
                visit: position.id, site: SiteID(site), device: DeviceID(device),
                zone: Zone(.room, ZoneID("r")), entered: moment, confidence: 1)
            let group = GroupEntered(
                visit: position.id, site: SiteID(site), device: DeviceID(device),
                group: BeaconGroupID("g"), floor: FloorID("f"), entered: moment)
            let records = [
                position.record(topic: "p", source: "/test"), visit.record(source: "/test"),
                group.record(source: "/test"),
            ]
            for (view, record) in zip(views + [views[1]], records) {
                let stored = StoredRecord(
                    topic: record.topic, partition: 0, offset: 0,
                    appendedAtMicroseconds: moment.microseconds, key: record.key,
                    value: record.value, headers: record.headers)
                _ = try await pool.withTransaction { connection in
                    try await view.apply([stored], schema: view.schema, connection: connection)
                }
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
            await pool.close()
        }
    }

    @Test("They leave the tables, all else stays, and a rebuilt view has the same rows")
    func ends() async throws {
        let tables = try await Tables()
        let sweeper = EndedTests(sites: SiteDirectory(), pool: tables.pool)
        func fill() async throws {
            try await tables.add("museum", "visitor")
            try await tables.add("museum.test", "before", seconds: -60)
            try await tables.add("museum.test", "within", seconds: 60)
            try await tables.add("other.test", "other")
        }
        try await fill()
        let tests = [
            SiteID("museum.test"): tables.now, SiteID("other.test"): Timestamp(milliseconds: 0),
        ]
        try await sweeper.sweep(but: tests)
        #expect(try await tables.devices() == ["other", "visitor", "within"])
        try await sweeper.sweep(but: [:])
        #expect(try await tables.devices() == ["visitor"])
        try await tables.pool.query("TRUNCATE locator.position_rows, locator.latest_positions")
        try await tables.pool.query("TRUNCATE visits.visits, visits.group_visits")
        try await fill()
        try await sweeper.sweep(but: [:])
        #expect(try await tables.devices() == ["visitor"])
        await tables.close()
    }

    @Test("An ordinary site of such an id, from an older version, keeps its rows")
    func ordinary() async throws {
        let tables = try await Tables()
        let sites = SiteDirectory()
        sites.replace(with: [
            SiteID("old.test"): PublishedSite(version: 1, index: SampleSite.index)
        ])
        try await tables.add("old.test", "visitor")
        try await tables.add("museum.test", "tester")
        try await EndedTests(sites: sites, pool: tables.pool).sweep(but: [:])
        #expect(try await tables.devices() == ["visitor"])
        await tables.close()
    }

    @Test("Without the tables the sweep does nothing")
    func noTables() async throws {
        let pool = try await ServiceBench.database()
        try await EndedTests(sites: SiteDirectory(), pool: pool).sweep(but: [:])
        await pool.close()
    }
}
