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
import Wire

@testable import Locator

/// The locator's routes over a real database, with positions and visits that a test gives.
struct WatchBench: Sendable {
    /// A whole hour.
    static let hour = Timestamp(microseconds: 1_795_305_600_000_000)
    static let view = PositionsView(daysKept: 3_650)
    static let visitsView = VisitsView(daysKept: 3_650)

    let bench: ServiceBench
    let app: Served
    let pool: PostgresPool

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
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security,
                locating: Locating(
                    sites: sites,
                    rules: VisitRules(try bench.configuration(LocatorSettings.all)),
                    visited: VisitedPartitions(), clock: bench.clock,
                    onUnexpected: bench.onUnexpected),
                former: FormerSites(sites: sites, siteEditor: nobody),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(pool), seal: MemorySeal(secret: "s")
            ).all, over: .socket)
        try await pool.migrate(Self.view, schema: Self.view.schema)
        try await pool.migrate(Self.visitsView, schema: Self.visitsView.schema)
    }

    static func time(_ seconds: Double) -> Timestamp {
        hour.advanced(byMicroseconds: Int64(seconds * 1_000_000))
    }

    /// A position on the sample site, at a room's number of metres east.
    static func position(
        _ device: String, at seconds: Double, room: String? = "A", floor: String = "ground",
        building: String = "house", east: Double = 0, number: UInt64
    ) -> PositionEstimated {
        let at = time(seconds)
        var position = PositionEstimated(
            id: EventID(high: 5, low: number), scan: EventID(high: 6, low: number), at: at,
            locatedAt: at, device: DeviceID(device), site: SampleSite.id, siteVersion: 1,
            state: .located, late: false, positioner: "knn", radioMapVersion: 1)
        position.building = BuildingID(building)
        position.floor = FloorID(floor)
        position.room = room.map { RoomID($0) }
        (position.x, position.y) = (east, 4)
        position.latitude = 51.5
        position.longitude = -0.1 + east / 69_200
        (position.radius68, position.radius95) = (2.5, 5)
        return position
    }

    func write(_ positions: [PositionEstimated]) async throws {
        for first in stride(from: 0, to: positions.count, by: 2_000) {
            try await LocatorDefinition.copyPositions(
                Array(positions[first..<min(first + 2_000, positions.count)]), into: Self.view,
                pool)
        }
    }

    func erase(_ device: String) async throws {
        try await pool.withTransaction { connection in
            _ = try Self.view.erase(
                DeviceID(device), of: SampleSite.id, schema: Self.view.schema,
                connection: connection)
        }
    }

    /// A visit of a zone that began so many seconds after the hour; nil seconds last still.
    func visit(
        _ device: String, _ kind: ZoneKind, _ zone: String, from seconds: Double,
        lasting: Double?, number: UInt64
    ) async throws {
        let entered = Self.time(seconds)
        try await pool.query(
            """
            INSERT INTO visits.visits (id, site, device, kind, zone, entered, "left", confidence,
                reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 0.9, $8)
            """,
            [
                .uuid(EventID(high: 7, low: number).bytes), .text(SampleSite.id.text),
                .text(device), .text(kind.rawValue), .text(zone),
                .timestamp(microseconds: entered.microseconds),
                .optional(lasting) {
                    .timestamp(
                        microseconds: entered.advanced(byMicroseconds: Int64($0 * 1_000_000))
                            .microseconds)
                },
                .optional(
                    lasting.map { _ in VisitEnded.Reason.allCases[0].rawValue },
                    PostgresValue.text),
            ])
    }

    func get(_ path: String, as token: String? = nil) async throws -> Answer {
        try await app.send("GET", path, token: token ?? bench.issue(.analyst))
    }

    /// The path of the sample site with a query; times stand in it as `{seconds}`.
    func figures(_ path: String, _ query: String, as token: String? = nil) async throws -> Answer {
        try await get("/v1/sites/\(SampleSite.id)/\(path)?\(query)", as: token)
    }
}
