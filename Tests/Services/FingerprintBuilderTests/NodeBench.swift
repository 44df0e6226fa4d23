import EventLog
import Events
import Geometry
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import FingerprintBuilder

/// Keeps nodes calibrated by what they hear of each other, on a real PostgreSQL.
final class NodeBench: Sendable {
    /// The nodes that hear each sender.
    typealias Hearers = [String: [String]]

    let bench: ServiceBench
    let pool: PostgresPool
    let view: NodeHearingsView
    let store: NodeStore
    let keeper: NodeKeeper
    let guarding = OutboxGuard()

    init() async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        view = NodeHearingsView(sites: bench.sites)
        store = NodeStore(pool: pool)
        keeper = NodeKeeper(
            sites: bench.sites, clock: bench.clock, notices: bench.notices, store: store,
            interval: .seconds(60), guarding: guarding)
        guarding.set(.fits, logID: "the log", newest: 0)
        try await pool.migrate(view, schema: view.schema)
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
    }

    /// Publishes nodes in the northern hall, each by its x.
    func publish(
        _ places: [String: Double], as site: SiteID = MapCampus.site, version: Int = 1
    ) throws {
        var document = MapCampus.document
        document.scanners = places.sorted { $0.key < $1.key }.map { name, x in
            SiteScanner(
                id: ScannerID(name), floor: FloorID("north-0"), point: Point(x: x, y: 4))
        }
        bench.publish(try SiteIndex(document), as: site, version: version)
    }

    /// Each of these nodes is heard by all others.
    static func all(_ names: [String]) -> Hearers {
        Dictionary(
            uniqueKeysWithValues: names.map { name in (name, names.filter { $0 != name }) })
    }

    /// Appends 60 transmissions of each sender, made now.
    func hear(_ hearers: Hearers, at site: SiteID = MapCampus.site) async throws {
        let now = bench.clock.now
        var records: [StoredRecord] = []
        for (sender, nodes) in hearers {
            let scan = ScanRecorded(
                id: EventID(high: 6, low: 1), site: site, device: DeviceID(sender),
                scanner: ScannerID(sender), at: now, receivedAt: now,
                heardBy: nodes.map { NodeReading(scanner: ScannerID($0), rssi: -70) })
            let record = scan.record(source: "/test")
            let stored = StoredRecord(
                topic: record.topic, partition: 0, offset: 0,
                appendedAtMicroseconds: now.microseconds, key: record.key, value: record.value,
                headers: record.headers)
            records += Array(repeating: stored, count: 60)
        }
        let (view, pool, all) = (view, pool, records)
        let faults = try await pool.withTransaction { connection in
            try await view.apply(all, schema: view.schema, connection: connection)
        }
        #expect(faults.isEmpty)
    }

    /// Has every calibration of the site fail.
    func refuse(_ site: SiteID) async throws {
        try await pool.query(
            "ALTER TABLE radio_maps.node_places ADD CHECK (site <> '\(site.text)')")
    }

    /// The first pauses of a keeper that runs.
    func pauses(_ count: Int) async -> [Duration] {
        let (pauses, told) = AsyncStream.makeStream(of: Duration.self)
        var keeper = keeper
        keeper.wait = { pause in _ = told.yield(pause) }
        let task = Task { [keeper] in await keeper.run() }
        var found: [Duration] = []
        for await pause in pauses.prefix(count) { found.append(pause) }
        task.cancel()
        await task.value
        return found
    }

    /// The nodes of the newest calibration, each with its state; nil without one.
    func newest(_ site: SiteID = MapCampus.site) async throws -> [String]? {
        try await store.calibrations(of: site).first?.nodes.map { "\($0.scanner) \($0.state)" }
    }

    /// The number that a statement gives.
    func count(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await pool.query(sql, parameters)[0]["count"]
    }
}
