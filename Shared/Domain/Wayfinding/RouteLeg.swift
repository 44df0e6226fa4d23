public import Events
public import Geometry
public import Site

/// A part of a route: one connection, or the walk through one room.
public struct RouteLeg: Hashable, Sendable {
    public enum Passage: Hashable, Sendable {
        case room(RoomID)
        case connection(ConnectionID, ConnectionRecord.Kind)
        /// A straight line between the place of the query and the nearest connection.
        case approach
    }

    public var passage: Passage
    /// Nil outdoors.
    public var startFloor: FloorID?
    public var endFloor: FloorID?
    /// One path for each floor, in order. A connection between floors has a path with the same
    /// points on each of them.
    public var paths: [FloorPath]
    public var distanceMetres: Double
    public var seconds: Double
    /// Metres, positive upwards. Nil between floors whose heights are unknown.
    public var riseMetres: Double?
    /// The least width in metres; nil if it is unknown.
    public var narrowestMetres: Double?
    /// The steepest rise over run in the direction of travel, positive upwards; nil if it is
    /// unknown.
    public var steepestSlope: Double?
    /// Whether a door opens by itself; nil if it is unknown.
    public var isAutomatic: Bool?
    public var unknownFacts: [UnknownFact]
    /// Rooms whose doors the leg passes, in order.
    public var passed: [PassedRoom]

    public init(
        passage: Passage, startFloor: FloorID?, endFloor: FloorID?, paths: [FloorPath],
        distanceMetres: Double, seconds: Double, riseMetres: Double? = nil,
        narrowestMetres: Double? = nil, steepestSlope: Double? = nil, isAutomatic: Bool? = nil,
        unknownFacts: [UnknownFact] = [], passed: [PassedRoom] = []
    ) {
        self.passage = passage
        self.startFloor = startFloor
        self.endFloor = endFloor
        self.paths = paths
        self.distanceMetres = distanceMetres
        self.seconds = seconds
        self.riseMetres = riseMetres
        self.narrowestMetres = narrowestMetres
        self.steepestSlope = steepestSlope
        self.isAutomatic = isAutomatic
        self.unknownFacts = unknownFacts
        self.passed = passed
    }
}

/// A line on one floor.
public struct FloorPath: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    /// Metres in the site's frame; at least one.
    public var points: [Point]

    public init(floor: FloorID?, points: [Point]) {
        self.floor = floor
        self.points = points
    }
}

/// A room that the traveller passes without entering: a landmark.
public struct PassedRoom: Hashable, Sendable {
    public enum Side: String, Hashable, Sendable { case left, right }

    public var room: RoomID
    public var side: Side
    /// Metres from the beginning of the leg.
    public var metresAlong: Double

    public init(room: RoomID, side: Side, metresAlong: Double) {
        self.room = room
        self.side = side
        self.metresAlong = metresAlong
    }
}
