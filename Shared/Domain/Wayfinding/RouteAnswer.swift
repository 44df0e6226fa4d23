public import Events
public import Geometry
public import Site

/// The answer to a `RouteQuery`.
public enum RouteAnswer: Hashable, Sendable {
    /// The best route first, alternatives after it. A traveller who is at the destination already
    /// gets one route of 0 m without legs.
    case found([IndoorRoute])
    case none(NoRoute)
}

/// A route from one place to another.
public struct IndoorRoute: Hashable, Sendable {
    public var distanceMetres: Double
    public var seconds: Double
    public var arriveAt: Timestamp
    /// In order; each leg begins where the one before it ends.
    public var legs: [RouteLeg]
    /// The index of its destination among those of the query.
    public var destination: Int
    /// The room that it ends in; nil if it ends in no room.
    public var endRoom: RoomID?
    /// Set where the end is closed on arrival.
    public var shutEnd: ShutEnd?
    /// Set where the route begins or ends only near the place; nil where it reaches the place
    /// itself.
    public var approximateStart: ApproximateEnd?
    public var approximateEnd: ApproximateEnd?
    /// The cost that the search minimised: milliseconds, plus the profile's prices for ways that
    /// the traveller would rather avoid.
    public var costMilliseconds: UInt32

    public init(
        distanceMetres: Double, seconds: Double, arriveAt: Timestamp, legs: [RouteLeg],
        destination: Int, endRoom: RoomID?, approximateStart: ApproximateEnd? = nil,
        approximateEnd: ApproximateEnd? = nil, shutEnd: ShutEnd? = nil, costMilliseconds: UInt32
    ) {
        self.distanceMetres = distanceMetres
        self.seconds = seconds
        self.arriveAt = arriveAt
        self.legs = legs
        self.destination = destination
        self.endRoom = endRoom
        self.shutEnd = shutEnd
        self.approximateStart = approximateStart
        self.approximateEnd = approximateEnd
        self.costMilliseconds = costMilliseconds
    }

    /// All facts that the profile needs and nobody has stated, for the connections of the route.
    public var unknownFacts: [UnknownFact] { legs.flatMap(\.unknownFacts) }
}

/// A fact of a connection that a profile needs and nobody has stated.
public struct UnknownFact: Hashable, Sendable {
    public enum Fact: String, Hashable, Sendable, CaseIterable {
        /// Whether wheels can use it.
        case accessible
        case width, slope, kerb
    }
    public var connection: ConnectionID
    public var fact: Fact

    public init(connection: ConnectionID, fact: Fact) {
        self.connection = connection
        self.fact = fact
    }
}

/// The reason why there is no route.
public enum NoRoute: Error, Hashable, Sendable {
    /// The site has no such room, location, floor or kind.
    case unknownPlace(RoutePlace)
    /// No connection is near enough to the place.
    case nothingNear(RoutePlace)
    /// The building, or the whole site, has no way out on the map.
    case noEntrance(RoutePlace)
    /// There are ways, but the profile, an outage or the opening hours block each of them. These
    /// are the fewest barriers that would have to be removed, in the order of the route through
    /// them.
    case barriers([Barrier])
    /// No connections lead from the start to the end in that direction, for any profile.
    case island(RouteIsland)
    /// The query is invalid, for example it has no destination or an impossible speed.
    case malformed(String)
}

/// The end of the query that no connections lead to.
public enum RouteIsland: String, Hashable, Sendable {
    /// No connection leads away from the start.
    case start
    /// No connection leads to the destination.
    case end
    /// Both ends have connections, but these do not meet.
    case between
}

/// The reasons why a traveller can't use one connection.
public struct Barrier: Hashable, Sendable {
    public enum Rule: Hashable, Sendable {
        /// Stairs, for a profile that uses none.
        case steps
        case escalator
        /// The query asked to avoid it.
        case avoided(AvoidedWay)
        /// It is marked as unusable for wheels.
        case inaccessible
        case tooNarrow(metres: Double, needed: Double)
        /// Slope and limit as rise over run.
        case tooSteep(slope: Double, limit: Double)
        case kerb(metres: Double, limit: Double)
        case surface(String)
        /// Facts that nobody has stated, for a profile that uses no connection without them.
        case unknown([UnknownFact.Fact])
        case outage(since: Timestamp, until: Timestamp?, reason: String?)
        /// Closed at departure or on arrival there, by the value of OpenStreetMap's key
        /// `opening_hours`. The room is the one that is closed; nil for the connection itself.
        case shut(openingHours: String, room: RoomID? = nil)
        /// The room behind it is closed to the public.
        case restricted(RoomID)
    }

    public var connection: ConnectionID
    public var kind: ConnectionRecord.Kind
    /// All barriers at the connection; each must be removed to use it.
    public var rules: [Rule]
    /// The floor where the traveller would reach it; nil outdoors.
    public var floor: FloorID?
    public var point: Point?
    /// The rooms that it joins; those that are unknown are left out.
    public var rooms: [RoomID]

    public init(
        connection: ConnectionID, kind: ConnectionRecord.Kind, rules: [Rule],
        floor: FloorID? = nil, point: Point? = nil, rooms: [RoomID] = []
    ) {
        self.connection = connection
        self.kind = kind
        self.rules = rules
        self.floor = floor
        self.point = point
        self.rooms = rooms
    }
}
