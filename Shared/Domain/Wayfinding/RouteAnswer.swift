public import Events
public import Geometry
public import Site

/// What a `RouteQuery` is answered with.
public enum RouteAnswer: Hashable, Sendable {
    /// The best route first, alternatives after it. Somebody who is there already gets one route of
    /// 0 m without legs.
    case found([IndoorRoute])
    case none(NoRoute)
}

/// A way from a place to a place.
public struct IndoorRoute: Hashable, Sendable {
    public var distanceMetres: Double
    public var seconds: Double
    public var arriveAt: Timestamp
    /// In order; each begins where the one before it ends.
    public var legs: [RouteLeg]
    /// Which of the query's destinations it leads to.
    public var destination: Int
    /// The room that it ends in, where it ends in one.
    public var endRoom: RoomID?
    /// Nil where it begins and ends at the places themselves.
    public var approximateStart: ApproximateEnd?
    public var approximateEnd: ApproximateEnd?
    /// What the search minimised: milliseconds with what the profile adds for what it would rather
    /// avoid.
    public var costMilliseconds: UInt32

    public init(
        distanceMetres: Double, seconds: Double, arriveAt: Timestamp, legs: [RouteLeg],
        destination: Int, endRoom: RoomID?, approximateStart: ApproximateEnd? = nil,
        approximateEnd: ApproximateEnd? = nil, costMilliseconds: UInt32
    ) {
        self.distanceMetres = distanceMetres
        self.seconds = seconds
        self.arriveAt = arriveAt
        self.legs = legs
        self.destination = destination
        self.endRoom = endRoom
        self.approximateStart = approximateStart
        self.approximateEnd = approximateEnd
        self.costMilliseconds = costMilliseconds
    }

    /// Facts that nobody has stated about the ways it uses.
    public var unknownFacts: [UnknownFact] { legs.flatMap(\.unknownFacts) }
}

/// What is not known of a connection, where a profile asks for it.
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

/// Why there is no route.
public enum NoRoute: Error, Hashable, Sendable {
    /// The site has no such room, location, floor or kind.
    case unknownPlace(RoutePlace)
    /// Nothing that one can walk on is near enough to the place.
    case nothingNear(RoutePlace)
    /// The building, or the whole site, has no way out that anybody has drawn.
    case noEntrance(RoutePlace)
    /// There are ways, but the profile, an outage or the hour stops each of them. These are the
    /// fewest barriers that would have to go, in the order that one would meet them.
    case barriers([Barrier])
    /// No ways lead from the start to the end for anybody, in that direction.
    case island(RouteIsland)
    /// The query is not one: too many destinations, none, or a speed that is none.
    case malformed(String)
}

/// Which end no ways lead to.
public enum RouteIsland: String, Hashable, Sendable {
    /// No way leads out of where it begins.
    case start
    /// No way leads to where it ends.
    case end
    /// Each has ways, and they do not meet.
    case between
}

/// What stops somebody at one connection.
public struct Barrier: Hashable, Sendable {
    public enum Rule: Hashable, Sendable {
        /// Stairs, for those who use none.
        case steps
        case escalator
        /// The query wished to avoid it.
        case avoided(AvoidedWay)
        /// Somebody has said that wheels can't use it.
        case inaccessible
        case tooNarrow(metres: Double, needed: Double)
        /// Rise over run.
        case tooSteep(slope: Double, limit: Double)
        case kerb(metres: Double, limit: Double)
        case surface(String)
        /// Facts that nobody has stated, for a profile that takes nothing for granted.
        case unknown([UnknownFact.Fact])
        case outage(since: Timestamp, until: Timestamp?, reason: String?)
        /// Shut at the time of departure, or when one would get there; as OpenStreetMap's key
        /// `opening_hours` writes it. The room is the one that is shut; nil for the connection.
        case shut(openingHours: String, room: RoomID? = nil)
        /// Behind it lies a room that the public does not walk through.
        case restricted(RoomID)
    }

    public var connection: ConnectionID
    public var kind: ConnectionRecord.Kind
    /// All that stops one there; each would have to go.
    public var rules: [Rule]
    /// Where one would meet it: nil outdoors.
    public var floor: FloorID?
    public var point: Point?
    /// The rooms that it joins, as far as they are known.
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
