import Access
import Events
import Geometry
import HTTP
import ServiceBench
import Site
import Synchronization
import Wire

@testable import RoomAnswers
@testable import ServiceHost

/// Rooms of two buildings in London, with rows in memory. One has 7.01, 7.02, a store room, a
/// passage and a kitchen, the other has a.1. Each has a location: hall, and yard.
final class RoomBench: Sendable {
    static let site = SiteID("house")

    private struct RoomsAuthorizer: Authorizer {
        func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? {
            AccessTable.row(AccessOperation(method.rawValue, pattern)).map { TableRule($0) }
        }
    }

    private final class Rows: RoomSchedules {
        let schedules = Mutex<[RoomID: KnownSchedule]>([:])
        let counted = Mutex<[RoomID: [ComputersCounted]]>([:])
        let calls = Mutex(0)

        func schedules(
            of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
        ) async throws -> [RoomID: KnownSchedule] {
            calls.withLock { $0 += 1 }
            return schedules.withLock { all in all.filter { rooms.contains($0.key) } }
        }

        func counts(
            of rooms: [RoomID], at site: SiteID
        ) async throws -> [RoomID: [ComputersCounted]] {
            counted.withLock { all in all.filter { rooms.contains($0.key) } }
        }
    }

    let bench: ServiceBench
    private let rows: Rows
    private let handler: RequestHandler
    /// The bodies that the router was asked with.
    let asked: Asked
    /// One of the staff's.
    private let token: String
    let visitor: String

    final class Asked: Sendable {
        let bodies = Mutex<[String]>([])
    }

    /// - Parameters:
    ///   - times: the router's answer.
    ///   - isPlaceUnknown: whether the router knows no place that it is asked about.
    init(times: String = #"{"times": []}"#, isPlaceUnknown: Bool = false) async throws {
        let bench = try await ServiceBench()
        self.bench = bench
        bench.publish(try SiteIndex(Self.house), as: Self.site)
        let rows = Rows()
        let asked = Asked()
        self.rows = rows
        self.asked = asked
        let routes =
            TimetableRoutes(sites: bench.sites, schedules: rows, clock: bench.clock).all
            + FreeRoomRoutes(sites: bench.sites, schedules: rows, clock: bench.clock) {
                question, _ in
                asked.bodies.withLock {
                    $0.append(String(decoding: question.json, as: UTF8.self))
                }
                if isPlaceUnknown { throw Problem(.placeUnknown, "There is no such place.") }
                return try RoomWays(json: Array(times.utf8))
            }.all
        handler = try RequestHandler(
            routes: routes, authenticator: bench.tokens, authorizer: RoomsAuthorizer(),
            onUnexpected: bench.onUnexpected)
        token = bench.issue(.analyst, site: Self.site)
        visitor = bench.issue(.visitor, site: Self.site)
    }

    /// A minute of Sunday 22 November 2026 in UTC.
    static func minute(_ minutes: Int) -> Timestamp {
        ServiceBench.start.advanced(byMicroseconds: Int64(minutes) * 60_000_000)
    }

    /// Advances the time so far that no answer is made of earlier rows.
    func pass() { bench.pass(seconds: Int(RecentSchedules.keptSeconds) + 1) }

    /// How often the rows of schedules were read.
    var scheduleCalls: Int { rows.calls.withLock(\.self) }

    /// The text of a new token for these buildings.
    func token(of buildings: [String]) -> String {
        bench.issue(.analyst, site: Self.site, buildings: buildings.map { BuildingID($0) })
    }

    func book(
        _ room: String, _ bookings: [RoomBooking] = [], isOld: Bool = false, isNamed: Bool = true,
        isComplete: Bool = true, knownFrom: Timestamp? = nil, knownUntil: Timestamp? = nil
    ) {
        rows.schedules.withLock {
            $0[RoomID(room)] = KnownSchedule(
                bookings: bookings, asOf: Self.minute(-60), isOld: isOld, isNamed: isNamed,
                isComplete: isComplete, knownFrom: knownFrom, knownUntil: knownUntil)
        }
        pass()
    }

    func count(_ room: String, _ available: Int?, of total: Int? = nil, at minutes: Int = 0) {
        let count = ComputersCounted(
            site: Self.site, feed: FeedID("pcs"), room: RoomID(room), available: available,
            total: total, asOf: Self.minute(minutes))
        rows.counted.withLock { $0[RoomID(room)] = [count] }
        pass()
    }

    static func booking(_ minutes: Range<Int>, _ title: String, _ rooms: [String]) -> RoomBooking {
        RoomBooking(
            site: site, id: EventID(high: 7, low: UInt64(minutes.lowerBound)), feed: FeedID("f"),
            rooms: rooms.map { RoomID($0) }, starts: minute(minutes.lowerBound),
            ends: minute(minutes.upperBound), title: title)
    }

    func get(
        _ path: String, query: [(name: String, value: String)] = [],
        headers: [String: String] = [:], token: String? = nil, isAnonymous: Bool = false
    ) async -> Answered {
        var headers = headers
        if !isAnonymous { headers["authorization"] = "Bearer \(token ?? self.token)" }
        let response = await handler.handle(
            HTTPRequest(
                method: .get, path: "/v1/sites/house/rooms/\(path)", query: query,
                headers: headers, receivedAtMicroseconds: ServiceBench.start.microseconds))
        var bytes: [UInt8] = []
        if case .bytes(let body) = response.body { bytes = body }
        return Answered(
            status: response.status,
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first }), bytes: bytes)
    }

    struct Answered {
        var status: Int
        var headers: [String: String]
        var bytes: [UInt8]
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    static let house: SiteDocument = {
        func room(
            _ id: String, isRestricted: Bool = false, kind: String = "laboratory",
            floor: String = "7"
        ) -> RoomRecord {
            RoomRecord(
                id: RoomID(id), floor: FloorID(floor), name: "Laboratory \(id)", kind: kind,
                outline: [], isRestricted: isRestricted)
        }
        return SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(
                    id: BuildingID("h"), name: "Bush House", timeZone: "Europe/London"),
                BuildingRecord(
                    id: BuildingID("annex"), name: "Annex", timeZone: "Europe/London"),
            ],
            floors: [
                FloorRecord(id: FloorID("7"), building: BuildingID("h"), ordinal: 7, level: "7"),
                FloorRecord(
                    id: FloorID("a"), building: BuildingID("annex"), ordinal: 0, level: "0"),
            ],
            rooms: [
                room("7.01"), room("7.02"), room("store", isRestricted: true),
                room("passage", kind: "corridor"), room("kitchen", kind: "kitchen"),
                room("a.1", floor: "a"),
            ],
            locations: [
                LocationRecord(
                    id: LocationID("hall"), floor: FloorID("7"), room: nil,
                    point: Point(x: 1, y: 1)),
                LocationRecord(
                    id: LocationID("yard"), floor: FloorID("a"), room: nil,
                    point: Point(x: 1, y: 1)),
            ], connections: [])
    }()
}
