import Devices
import EventLog
import Events
import HTTPClient
import LogViews
import Positioning
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Smoothed positions over HTTP",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SmoothedRouteTests {
    private let bench: ServiceBench
    private let pool: PostgresPool
    private let view = PositionsView(daysKept: 30, of: .positionsSmoothed)
    private let app: Served
    private let switchedOff: Served

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        pool = try await ServiceBench.database()
        let nobody = Neighbour { _, _, _ in
            HTTPClientResponse(status: 404, headers: [:], body: [])
        }
        let sites = KnownSites(
            log: bench.log, published: bench.sites, mapStore: nobody, notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        let routes = LocatorRoutes(
            published: bench.sites, log: bench.log, clock: bench.clock, security: bench.security,
            locating: Locating(
                sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
                visited: VisitedPartitions(), clock: bench.clock,
                onUnexpected: bench.onUnexpected),
            former: FormerSites(sites: sites, siteEditor: nobody),
            stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
            batteryStream: EventStream(hub: hub),
            stored: StoredPositions(pool), seal: MemorySeal(secret: "s"))
        app = try bench.serve(
            [routes.smoothedHistory(StoredPositions(pool, schema: view.schema), isOn: true)]
                + ErasureRoutes(pool: pool).all)
        switchedOff = try bench.serve([
            routes.smoothedHistory(StoredPositions(pool, schema: view.schema), isOn: false)
        ])
    }

    private func apply(_ view: any View, _ records: [LogRecord]) async throws {
        let stored = records.enumerated().map { offset, record in
            StoredRecord(
                topic: record.topic, partition: 0, offset: Int64(offset),
                appendedAtMicroseconds: ServiceBench.start.microseconds, key: record.key,
                value: record.value, headers: record.headers)
        }
        try await pool.migrate(view, schema: view.schema)
        let faults = try await pool.withTransaction { connection in
            try await view.apply(stored, schema: view.schema, connection: connection)
        }
        view.ended(schema: view.schema, committed: true)
        #expect(faults.isEmpty)
    }

    private func positions(_ device: String) -> [LogRecord] {
        (0..<3).map { second in
            let at = ServiceBench.start.advanced(byMicroseconds: Int64(second) * 1_000_000)
            return PositionEstimated(
                id: EventID(high: 5, low: UInt64(second)), scan: EventID(high: 6, low: 7), at: at,
                locatedAt: at, device: DeviceID(device), site: SampleSite.id, siteVersion: 1,
                state: .lost, late: false, positioner: "auto", radioMapVersion: nil
            ).record(topic: Topic.positionsSmoothed.name, source: "/test")
        }
    }

    @Test("are a list of their own, a device sees its own, and an erasure removes them")
    func listed() async throws {
        try await apply(PositionsView(daysKept: 30), [])
        try await apply(VisitsView(daysKept: 30), [])
        try await apply(view, positions("anna") + positions("bert"))
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        let anna = bench.issue(.device, site: SampleSite.id, device: DeviceID("anna"))
        func lines(_ query: String, _ token: String) async throws -> Int {
            let answer = try await app.send(
                "GET", "/v1/positions-smoothed?site=\(SampleSite.id)\(query)", token: token)
            #expect(answer.status == 200, "\(answer.text)")
            return answer.text.split(separator: "\n").count
        }
        #expect(try await lines("", analyst) == 6)
        let path = "/v1/positions-smoothed?site=\(SampleSite.id)"
        let on = try await app.send("GET", path, token: analyst)
        #expect(on.headers["whereabouts-smoothing"] == "on")
        let off = try await switchedOff.send("GET", path, token: analyst)
        #expect(off.headers["whereabouts-smoothing"] == "off" && off.body == on.body)
        #expect(try await lines("&device=anna&limit=2", analyst) == 2)
        #expect(try await lines("", anna) == 3)
        let counted: Int = try await pool.query(
            """
            SELECT (SELECT count(*) FROM locator.positions)
                + (SELECT count(*) FROM smoothed.latest_positions)
                + (SELECT count(*) FROM smoothed.room_hour_counts) AS count
            """)[0]["count"]
        #expect(counted == 0)
        func kept() async throws -> Answer {
            try await app.send(
                "GET", "/v1/kept-positions?site=\(SampleSite.id)&device=anna",
                token: ServiceBench.serviceSecret)
        }
        let before = try await kept()
        #expect(before.text.contains("smoothed.positions"), "\(before.text)")
        let erased = DeviceErased(
            id: EventID(high: 9, low: 9), site: SampleSite.id, device: DeviceID("anna"),
            at: ServiceBench.start)
        // The locator passes it on, and the smoother again behind what it gave meanwhile.
        let record = erased.record(topic: Topic.positionsSmoothed.name, source: "/test")
        try await apply(view, [record])
        try await apply(view, positions("anna") + [record])
        #expect(try await lines("", analyst) == 3)
        #expect(try await lines("&device=anna", analyst) == 0)
    }
}
