public import Events
public import Geometry

/// A place that a route begins or ends at, as somebody names it.
public enum RoutePlace: Hashable, Sendable {
    /// Ends at the first door that leads into it; begins in its middle.
    case room(RoomID)
    case location(LocationID)
    /// A point in the site's frame; floor nil outdoors. The radius in metres is how far off it may
    /// be.
    case point(floor: FloorID?, Point, radiusMetres: Double = 0)
    /// A point of WGS84 and what the sign of its floor says; level nil outdoors.
    case geographic(GeographicPoint, level: String?, radiusMetres: Double = 0)
    /// Any room of a kind, such as toilet, or place of what the directory lists as one, in the
    /// vocabulary of `PlaceKind`; with `accessible`, those that somebody has said to be so, or
    /// where nobody has, those of which nobody has said that they are not.
    case kind(String, accessible: Bool = false)
    /// Any place of a department, a service or an office.
    case entry(DirectoryID)
    /// Any room of a zone, or its middle where it has an outline only.
    case zone(ZoneID)
    /// Inside of any door that leads into a building from outdoors; where none is known, the
    /// nearest point of its outline.
    case building(BuildingID)
    /// Outside of any door that leads into the building, or into any.
    case entrance(BuildingID?)
    /// Any room of a floor that is open to the public.
    case floor(FloorID)

    /// Whether it names one place, and not any of several.
    public var isOnePlace: Bool {
        switch self {
        case .room, .location, .point, .geographic: true
        case .kind, .entry, .zone, .building, .entrance, .floor: false
        }
    }
}

/// A question for a route.
public struct RouteQuery: Hashable, Sendable {
    /// So many destinations at most; what names many rooms counts as one.
    public static let mostDestinations = 256
    /// So many alternatives at most.
    public static let mostAlternatives = 4

    public var from: RoutePlace
    /// The one is taken that is cheapest to get to.
    public var to: [RoutePlace]
    public var profile: TravelProfile
    /// What is closed by outage or opening hours is judged at this moment.
    public var departAt: Timestamp
    /// Seconds that the site's clocks are ahead of UTC then, for opening hours.
    public var utcOffsetSeconds: Int
    /// How many further routes are wished; fewer come where there are no good ones.
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

/// A connection that can't be used for a while.
public struct WayOutage: Hashable, Sendable {
    public var connection: ConnectionID
    public var from: Timestamp
    /// Nil for until further notice.
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

    /// From its beginning until just before its end.
    public func isActive(at moment: Timestamp) -> Bool {
        from <= moment && until.map { moment < $0 } ?? true
    }
}
