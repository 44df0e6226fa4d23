public import Events

/// A request for the ways from one place to many rooms.
public struct TravelTimesQuery: Hashable, Sendable {
    /// The most rooms of a query.
    public static let mostRooms = 1_000

    public var from: RoutePlace
    public var to: [RoomID]
    public var profile: TravelProfile
    public var departAt: Timestamp
    /// The site's local time minus UTC at departure, in seconds; for opening hours.
    public var utcOffsetSeconds: Int

    public init(
        from: RoutePlace, to: [RoomID], profile: TravelProfile = .walking, departAt: Timestamp,
        utcOffsetSeconds: Int = 0
    ) {
        self.from = from
        self.to = to
        self.profile = profile
        self.departAt = departAt
        self.utcOffsetSeconds = utcOffsetSeconds
    }

    func query(to rooms: [RoomID]) -> RouteQuery {
        RouteQuery(
            from: from, to: rooms.map { .room($0) }, profile: profile, departAt: departAt,
            utcOffsetSeconds: utcOffsetSeconds)
    }
}

/// The way from a place to one room.
public enum TravelTime: Hashable, Sendable {
    /// - Parameters:
    ///   - approximate: the missing part of the map, where the way ends only near the room.
    case found(seconds: Double, metres: Double, approximate: ApproximateEnd?)
    case none(NoRoute)

    init(_ answer: RouteAnswer) {
        switch answer {
        case .found(let routes):
            guard let route = routes.first else {
                self = .none(.malformed("no route"))
                return
            }
            self = .found(
                seconds: route.seconds, metres: route.distanceMetres,
                approximate: route.approximateEnd)
        case .none(let why): self = .none(why)
        }
    }
}

extension WayFinder {
    /// The time and length of the best way to each room, in their order, or the reason why there is
    /// none. They equal those of a `RouteQuery` for each room alone.
    ///
    /// - Parameter outages: all outages reported for the site.
    /// - Returns: nil for a query that is wrong in itself: too many rooms, or impossible speeds.
    public func travelTimes(
        _ query: TravelTimesQuery, outages: [WayOutage] = []
    ) -> [TravelTime]? {
        guard query.to.count <= TravelTimesQuery.mostRooms else { return nil }
        guard let first = query.to.first else { return [] }
        guard query.query(to: [first]).fault == nil else { return nil }
        var journey = RouteJourney(self, query.query(to: []), outages)
        return journey.answers(to: query.to) { room in
            answer(query.query(to: [room]), outages: outages)
        }.map(TravelTime.init)
    }
}
