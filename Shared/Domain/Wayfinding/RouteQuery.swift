public import Events
public import Geometry

/// The start or the destination of a query.
public enum RoutePlace: Hashable, Sendable {
    /// As a destination, any door into the room. As a start, the middle of the room.
    case room(RoomID)
    case location(LocationID)
    /// A point in the site's frame; `floor` is nil outdoors. The true place is within
    /// `radiusMetres`.
    case point(floor: FloorID?, Point, radiusMetres: Double = 0)
    /// A point in WGS84 and the level on its floor's sign; nil outdoors. The true place is within
    /// `radiusMetres`.
    case geographic(GeographicPoint, level: String?, radiusMetres: Double = 0)
    /// Any room of a kind such as toilet, or any place of a directory entry of that kind, in the
    /// words of `PlaceKind`. Also the stops of any lift, stairs, escalator or ramp of that kind
    /// that the profile can use.
    ///
    /// With `accessible`, only those that are stated to be accessible. If there are none, those
    /// that are not stated to be inaccessible.
    case kind(String, accessible: Bool = false)
    /// Any place of a department, a service or an office in the directory.
    case entry(DirectoryID)
    /// Any room of a zone, or the middle of a zone that has only an outline.
    case zone(ZoneID)
    /// The inside of any door that leads into the building from outdoors. If the map has none, the
    /// nearest point of the building's outline.
    case building(BuildingID)
    /// The outside of any door that leads into this building, or into any building if nil.
    case entrance(BuildingID?)
    /// Any room of a floor that is open to the public.
    case floor(FloorID)

    /// Whether the place is a single one, not any of several.
    public var isOnePlace: Bool {
        switch self {
        case .room, .location, .point, .geographic: true
        case .kind, .entry, .zone, .building, .entrance, .floor: false
        }
    }
}

/// A request for a route.
public struct RouteQuery: Hashable, Sendable {
    /// The most destinations of a query. A destination that stands for many rooms counts as one.
    public static let mostDestinations = 256
    /// The most places that a start may stand for, such as all offices; all destinations together
    /// may stand for as many.
    static let mostPlaces = 20_000
    /// The most alternatives of a query.
    public static let mostAlternatives = 4

    public var from: RoutePlace
    /// The destinations. The route leads to the one that is cheapest to reach.
    public var to: [RoutePlace]
    public var profile: TravelProfile
    /// The time of departure. Outages and opening hours count as at this time.
    public var departAt: Timestamp
    /// The site's local time minus UTC at departure, in seconds; for opening hours.
    public var utcOffsetSeconds: Int
    /// The number of further routes wanted. Fewer are returned if there are no good ones.
    public var alternatives: Int

    public init(
        from: RoutePlace, to: [RoutePlace], profile: TravelProfile = .walking,
        departAt: Timestamp, utcOffsetSeconds: Int = 0, alternatives: Int = 0
    ) {
        self.from = from
        self.to = to
        self.profile = profile
        self.departAt = departAt
        self.utcOffsetSeconds = utcOffsetSeconds
        self.alternatives = alternatives
    }
}

/// A connection that can't be used for a period.
public struct WayOutage: Hashable, Sendable {
    public var connection: ConnectionID
    public var from: Timestamp
    /// The end of the outage; nil if it is unknown.
    public var until: Timestamp?
    public var reason: String?

    public init(
        connection: ConnectionID, from: Timestamp, until: Timestamp? = nil, reason: String? = nil
    ) {
        self.connection = connection
        self.from = from
        self.until = until
        self.reason = reason
    }

    /// Whether the time is in the period, the beginning included and the end excluded.
    public func isActive(at moment: Timestamp) -> Bool {
        from <= moment && until.map { moment < $0 } ?? true
    }
}
