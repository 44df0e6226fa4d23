import EventLog
import Events
import Geometry
import LogViews
import Positioning
import Postgres
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

/// Builds radio maps of a site with two buildings, on a real PostgreSQL.
final class MapCampus: Sendable {
    static let site = SiteID("campus")

    static var document: SiteDocument {
        let buildings = ["north", "south"]
        return SiteDocument(
            name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: buildings.map {
                BuildingRecord(id: BuildingID($0), name: $0, timeZone: "Europe/London")
            },
            floors: buildings.map {
                FloorRecord(
                    id: FloorID("\($0)-0"), building: BuildingID($0), ordinal: 0, level: "0")
            },
            rooms: buildings.map { building in
                RoomRecord(
                    id: RoomID("\(building)-hall"), floor: FloorID("\(building)-0"), name: "Hall",
                    kind: "hall", outline: [[0, 0], [90, 0], [90, 9], [0, 9]])
            },
            locations: [
                LocationRecord(
                    id: LocationID("desk"), floor: FloorID("south-0"), room: RoomID("south-hall"),
                    point: [4, 4])
            ])
    }

    static func survey(_ number: Int, _ place: SurveyPlace) -> SurveyRecorded {
        let at = ServiceBench.start.advanced(byMicroseconds: Int64(number) * 30_000_000)
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: 5, low: UInt64(number)), site: site, device: DeviceID("tablet"),
                scanner: ScannerID("tablet"), at: at, receivedAt: at,
                wifi: (0..<6).map {
                    WiFiReading(
                        bssid: HardwareAddress(value: UInt64(1 + $0)),
                        rssi: -50 - (number * 7 + $0 * 5) % 40)
                }),
            place: place, author: "a surveyor")
    }

    static func at(_ floor: String, _ x: Double) -> SurveyPlace {
        .metres(floor: FloorID(floor), x: x, y: 3)
    }

    static let first =
        (0..<10).map { survey($0, at("north-0", Double($0))) }
        + (10..<20).map { survey($0, at("south-0", Double($0))) }
        + [survey(20, .location(LocationID("desk")))]

    let bench: ServiceBench
    let pool: PostgresPool
    let view = SurveysView()
    let store: RadioMapStore
    let builder: MapBuilder
    let guarding = OutboxGuard()

    init() async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        var store = RadioMapStore(pool: pool)
        store.positionsKept = .seconds(1_000_000_000)
        self.store = store
        builder = MapBuilder(
            sites: bench.sites, log: bench.log, clock: bench.clock, notices: bench.notices,
            pool: pool, store: store, view: view, quiet: .zero, latest: .seconds(60),
            guarding: guarding)
        guarding.set(.fits, logID: "the log", newest: 0)
        try await pool.migrate(view, schema: view.schema)
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
            _ = try await MagneticRouteStore.migrator.migrate(connection)
        }
        try publish(Self.document, version: 1)
    }

    func publish(_ document: SiteDocument, version: Int) throws {
        bench.publish(try SiteIndex(document), as: Self.site, version: version)
    }

    func apply(_ records: [LogRecord]) async throws {
        let stored = records.map { record in
            StoredRecord(
                topic: record.topic, partition: 0, offset: 0,
                appendedAtMicroseconds: ServiceBench.start.microseconds, key: record.key,
                value: record.value, headers: record.headers)
        }
        let (view, pool) = (view, pool)
        let faults = try await pool.withTransaction { connection in
            try await view.apply(stored, schema: view.schema, connection: connection)
        }
        #expect(faults.isEmpty)
    }

    /// Builds what is due, and returns the newest announcement.
    func build() async throws -> RadioMapAnnounced {
        try await builder.buildWhatIsDue()
        let newest = try #require(try await store.newest(Self.site))
        return try RadioMapAnnounced(json: newest.event)
    }

    /// The whole map, as a locator joins it.
    func map(_ announced: RadioMapAnnounced) async throws -> RadioMap {
        var parts: [RadioMapPart] = []
        for part in announced.parts {
            let bytes = try #require(try await store.artifact(part.hash))
            parts.append(try RadioMapPartArtifact.decode(bytes, of: part))
        }
        return try RadioMap(joining: parts, of: announced)
    }

    /// Events on their way to the log, by their types.
    func outbox() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try await pool.query(
            "SELECT topic, count(*) AS number FROM radio_maps.outbox GROUP BY topic")
        {
            counts[try row["topic"]] = try row["number"]
        }
        return counts
    }
}
