import Events
public import HTTP
import RoomAvailability
public import ServiceHost
import Site
import TimetablePictures
import Timetables
public import Wire

/// The rooms of a site that are free for a period, and can be reached before it begins.
public struct FreeRoomRoutes: Sendable {
    /// Asks the router for the ways to rooms, with the credentials of the request.
    public typealias Ways =
        @Sendable (_ question: RoomWaysQuestion, _ request: HTTPRequest) async throws -> RoomWays

    private let sites: SiteDirectory
    private let schedules: RecentSchedules
    private let ways: Ways
    private let clock: EventClock

    public init(
        sites: SiteDirectory, schedules: any RoomSchedules, clock: EventClock,
        ways: @escaping Ways
    ) {
        self.sites = sites
        self.schedules = RecentSchedules(schedules, clock: clock)
        self.ways = ways
        self.clock = clock
    }

    public var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/rooms/free", handler: .task { try await free($0) })
        ]
    }

    private func free(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let seen = try sites.seen(site, by: request)
        let index = seen.index
        let language = try request.readersLanguage()
        // The site has one clock for opening hours, as the router has: that of its first building.
        let zoneName = index.document.buildings.first?.timeZone ?? "UTC"
        let query = try query(request, zoneName)
        let start = try WayStart(of: request, at: site, in: index)
        let rooms = try WantedRooms.rooms(try reached(index, at: site, by: request), query)
        let horizon = query.until.advanced(byMicroseconds: 7 * 86_400_000_000)
        let caller = request.nameOfTurn
        async let schedules = schedules.schedules(
            of: rooms.map(\.id), at: site, in: query.from..<horizon, for: caller)
        async let counts = self.schedules.counts(of: rooms.map(\.id), at: site, for: caller)
        let told = Set(
            rooms.filter { seen.reader.sees($0.timetableVisibility ?? .everybody) }.map(\.id))
        let read = try await schedules.filter { told.contains($0.key) }
        let known = WantedRooms.known(
            read, of: rooms, in: index, throughout: query.from..<query.until)
        var facts = Self.facts(rooms, known, try await counts, until: horizon)
        for index in facts.indices {
            facts[index].hasFeed = read[facts[index].room.id]?.isOfRoom == true
        }
        if let start { try await addWays(to: &facts, query, from: start, at: site, request) }
        let json = FreeRoomsDocument(
            at: site, query: query, rooms: FreeRooms(query, among: facts), index: index,
            language: language, timeZone: zoneName
        ).json
        var response = HTTPResponse.json(json)
        response.headers.append(("cache-control", "private, no-store"))
        return response
    }

    private func query(_ request: HTTPRequest, _ zone: String) throws(Problem) -> FreeRoomsQuery {
        let now = clock.now
        let from = try request.moment("from") ?? now
        let until = try request.moment("until") ?? from.advanced(byMicroseconds: 3_600_000_000)
        let seconds = (until - from) / 1_000_000
        guard from < until, seconds <= FreeRoomsQuery.mostSeconds else {
            throw Problem(.timeMalformed, "until is after from, by a day at most.")
        }
        let answered = TimetableHorizon.answered(at: now)
        guard from >= answered.begins, until <= answered.ends else {
            throw Problem(
                .fieldOutOfRange,
                "from and until lie between a week ago and 365 days ahead: "
                    + "timetables of other times are not known.")
        }
        let offsets = ZoneOffsets(system: zone, in: from..<until)
        let computers = request.firstQuery("computers").map { Int($0) ?? -1 } ?? 0
        guard (0...1_000).contains(computers) else {
            throw Problem(.fieldOutOfRange, "computers is a number from 0 to 1000.")
        }
        return FreeRoomsQuery(
            from: from, until: until, now: now,
            utcOffsetSeconds: offsets.offsetSeconds(at: from),
            kind: request.firstQuery("kind"), computers: computers)
    }

    /// The rooms of the buildings that the caller may see.
    private func reached(
        _ index: SiteIndex, at site: SiteID, by request: HTTPRequest
    ) throws(Problem) -> [RoomRecord] {
        var reached: [RoomRecord] = []
        var buildings: [BuildingID: Bool] = [:]
        for room in index.rooms {
            guard let building = index.floor(room.floor)?.building else { continue }
            if buildings[building] == nil {
                buildings[building] = (try? request.check(at: site, building: building)) != nil
            }
            if buildings[building] == true { reached.append(room) }
        }
        return reached
    }

    /// - Parameter horizon: the end of the time of which bookings were read.
    private static func facts(
        _ rooms: [RoomRecord], _ schedules: [RoomID: KnownSchedule],
        _ counts: [RoomID: [ComputersCounted]], until horizon: Timestamp
    ) -> [RoomFacts] {
        rooms.map { room in
            let schedule = schedules[room.id]
            return RoomFacts(
                room: room, bookings: schedule?.bookings,
                knownUntil: schedule?.knownUntil.flatMap { $0 < horizon ? $0 : nil },
                computers: counts[room.id].map { ComputerCount($0) })
        }
    }

    /// Only rooms that are free otherwise need a way, so the router is asked for few.
    private func addWays(
        to facts: inout [RoomFacts], _ query: FreeRoomsQuery, from start: WayStart,
        at site: SiteID, _ request: HTTPRequest
    ) async throws {
        let free = FreeRooms(query, among: facts).free.prefix(RoomWaysQuestion.mostRooms)
        guard !free.isEmpty else { return }
        let question = try start.question(to: free.map(\.room), at: site, departAt: query.now)
        let found: RoomWays
        do {
            found = try await ways(question, request)
        } catch let problem as Problem where problem.code == ProblemCode.placeUnknown.text {
            // A 404 would be about the path of this request, which is right.
            throw Problem(.fieldOutOfRange, "near: \(problem.detail)")
        }
        for index in facts.indices {
            facts[index].way = found.byRoom[facts[index].room.id]
        }
    }
}
