public import Events
public import Geometry

/// Where somebody is, as far as is known.
public struct TravellerPosition: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    public var point: Point
    /// Metres within which they are with a probability of 95 %.
    public var radiusMetres: Double
    /// Degrees clockwise from true north that they face.
    public var headingDegrees: Double?
    /// Degrees that the heading may be off, with a probability of 95 %.
    public var headingErrorDegrees: Double?

    public init(
        floor: FloorID?, point: Point, radiusMetres: Double, headingDegrees: Double? = nil,
        headingErrorDegrees: Double? = nil
    ) {
        self.floor = floor
        self.point = point
        self.radiusMetres = radiusMetres
        self.headingDegrees = headingDegrees
        self.headingErrorDegrees = headingErrorDegrees
    }
}

/// How far along a route somebody is.
public struct RouteProgress: Hashable, Sendable {
    /// The leg that the nearest point of the route lies on.
    public var leg: Int
    /// That point.
    public var nearest: Point
    /// Metres from the position to it.
    public var metresOff: Double
    /// Whether the position is off the route even if it is as wrong as it may be: time for a new
    /// route.
    public var isOff: Bool
    public var metresAlong: Double
    public var metresLeft: Double
    public var secondsLeft: Double
    /// Metres to where the route next turns or changes floors; to its end when it does not.
    public var metresToNextTurn: Double

    public init(
        leg: Int, nearest: Point, metresOff: Double, isOff: Bool, metresAlong: Double,
        metresLeft: Double, secondsLeft: Double, metresToNextTurn: Double
    ) {
        self.leg = leg
        self.nearest = nearest
        self.metresOff = metresOff
        self.isOff = isOff
        self.metresAlong = metresAlong
        self.metresLeft = metresLeft
        self.secondsLeft = secondsLeft
        self.metresToNextTurn = metresToNextTurn
    }
}

/// What augmented reality shows: an arrow along the route, and cards for the rooms around.
public struct RouteGuidance: Hashable, Sendable {
    /// Nil without a route, or at its end.
    public var arrow: GuidanceArrow?
    public var progress: RouteProgress?
    /// Nearest first.
    public var cards: [RoomCard]

    public init(arrow: GuidanceArrow?, progress: RouteProgress?, cards: [RoomCard]) {
        self.arrow = arrow
        self.progress = progress
        self.cards = cards
    }
}

/// Which way to go from where one stands.
public struct GuidanceArrow: Hashable, Sendable {
    /// Degrees clockwise from true north, from 0 to under 360.
    public var bearingDegrees: Double
    /// Degrees that the bearing may be off, with a probability of 95 %; 180 when nothing is known.
    public var accuracyDegrees: Double
    /// Degrees to turn by from the heading, -180 to 180, positive to the right; nil without a
    /// heading.
    public var turnDegrees: Double?
    /// Where it points to, in the site's frame.
    public var target: Point

    public init(
        bearingDegrees: Double, accuracyDegrees: Double, turnDegrees: Double?, target: Point
    ) {
        self.bearingDegrees = bearingDegrees
        self.accuracyDegrees = accuracyDegrees
        self.turnDegrees = turnDegrees
        self.target = target
    }
}

/// A room nearby, as a card over the camera's picture.
public struct RoomCard: Hashable, Sendable {
    public var room: RoomID
    /// Metres to the nearest point of its outline; 0 inside.
    public var distanceMetres: Double
    /// Degrees clockwise from true north to its middle.
    public var bearingDegrees: Double
    public var middle: Point
    public var geographic: GeographicPoint

    public init(
        room: RoomID, distanceMetres: Double, bearingDegrees: Double, middle: Point,
        geographic: GeographicPoint
    ) {
        self.room = room
        self.distanceMetres = distanceMetres
        self.bearingDegrees = bearingDegrees
        self.middle = middle
        self.geographic = geographic
    }
}

/// A route as a traveller is guided along it.
public struct GuidedRoute: Sendable {
    /// The query that `answer` answers: the traveller's own, or one from where they stand.
    public var query: RouteQuery
    public var answer: RouteAnswer
    public var guidance: RouteGuidance
    /// Whether the traveller was off the route that they asked for.
    public var isRerouted: Bool
}
