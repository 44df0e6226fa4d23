import Events
import Geometry
import HTTPClient
import ServiceBench
import ServiceHost
import Site
import Synchronization

@testable import Router

/// The router in memory, with a building of two rooms:
///
///     AAAAABBBBB    the door "between" joins the rooms at x = 5; the door "front" leads from A out
///     AAAAABBBBB    into the street in the south
final class RouterBench: Sendable {
    static let site = SiteID("house")
    static let floor = FloorID("g")

    /// A request that the locator got.
    struct Asked: Equatable {
        var path: String
        var authorization: String?
    }

    let bench: ServiceBench
    let app: Served
    let networks: RouteNetworks
    let outages: Outages
    private let reading: Task<Void, Never>
    private let locator: Locator

    private final class Locator: Sendable {
        let answer = Mutex((status: 404, body: "{}"))
        let asked = Mutex<[Asked]>([])
    }

    /// - Parameters:
    ///   - isPublished: whether the site is published.
    ///   - readsOutages: whether the topic of outages has been read before the first request.
    init(isPublished: Bool = true, readsOutages: Bool = true) async throws {
        let bench = try await ServiceBench()
        self.bench = bench
        if isPublished { bench.publish(try SiteIndex(Self.house), as: Self.site) }
        networks = RouteNetworks(sites: bench.sites, onUnexpected: bench.onUnexpected)
        await networks.update()
        let outages = Outages(log: bench.log, clock: bench.clock, notices: bench.notices)
        self.outages = outages
        reading = readsOutages ? Task { await outages.run {} } : Task {}
        let locator = Locator()
        self.locator = locator
        let places = PlaceFinder(
            locator: Neighbour { path, headers, _ in
                let shown = headers.first { $0.name == "authorization" }?.value
                locator.asked.withLock { $0.append(Asked(path: path, authorization: shown)) }
                let answer = locator.answer.withLock { $0 }
                return HTTPClientResponse(
                    status: answer.status, headers: [:], body: Array(answer.body.utf8))
            }, clock: bench.clock)
        app = try bench.serve(
            RouterRoutes(
                sites: bench.sites, networks: networks, outages: outages, places: places,
                clock: bench.clock
            ).all)
        if readsOutages { await until { outages[Self.site] != nil } }
    }

    deinit { reading.cancel() }

    /// Lets other tasks run until the condition holds.
    func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    /// Sets the answer of the locator from now on.
    func locatorAnswers(_ status: Int, _ body: String = "{}") {
        locator.answer.withLock { $0 = (status, body) }
    }

    var asked: [Asked] { locator.asked.withLock { $0 } }

    func visitor() -> String { bench.issue(.visitor, site: Self.site) }

    func route(
        _ members: String, _ token: String, headers: [String: String] = [:]
    ) async throws -> Answer {
        try await app.send(
            "POST", "/v1/routes", token: token, headers: headers, body: "{\(members)}")
    }

    static let house: SiteDocument = {
        func room(_ id: String, _ x: ClosedRange<Double>) -> RoomRecord {
            let (west, east) = (x.lowerBound, x.upperBound)
            return RoomRecord(
                id: RoomID(id), floor: floor, name: "Room \(id)", kind: "office",
                outline: [[west, 0], [east, 0], [east, 4], [west, 4]])
        }
        func door(_ id: String, _ from: String, _ to: String?, _ point: Point) -> ConnectionRecord {
            ConnectionRecord(
                id: ConnectionID(id), kind: .door,
                stops: [
                    ConnectionStop(floor: floor, room: RoomID(from), point: point),
                    ConnectionStop(
                        floor: to == nil ? nil : floor, room: to.map { RoomID($0) }, point: point),
                ])
        }
        return SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("h"), name: "House", timeZone: "Europe/London")
            ],
            floors: [FloorRecord(id: floor, building: BuildingID("h"), ordinal: 0, level: "G")],
            rooms: [room("A", 0...5), room("B", 5...10)], locations: [],
            connections: [
                door("between", "A", "B", [5, 2]), door("front", "A", nil, [2, 0]),
            ])
    }()
}
