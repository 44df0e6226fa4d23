public import Events
public import Geometry

/// A traveller's position and heading, with their errors.
public struct TravellerPosition: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    public var point: Point
    /// The traveller is within this distance in metres, with a probability of 95 %.
    public var radiusMetres: Double
    /// The direction that the traveller faces, in degrees clockwise from true north.
    public var headingDegrees: Double?
    /// The error of the heading in degrees, with a probability of 95 %.
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

/// A traveller's progress along a route.
public struct RouteProgress: Hashable, Sendable {
    /// The leg with the route's nearest point.
    public var leg: Int
    /// The point of the route that is nearest to the traveller.
    public var nearest: Point
    /// Metres from the traveller's position to that point.
    public var metresOff: Double
    /// Whether the traveller is off the route, even allowing for the position's error. A new route
    /// is then needed.
    public var isOff: Bool
    public var metresAlong: Double
    public var metresLeft: Double
    public var secondsLeft: Double
    /// Metres to the next turn or change of floor; to the end of the route if there is none.
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

/// The contents of an augmented reality view: an arrow along the route, and cards for the rooms
/// around.
public struct RouteGuidance: Hashable, Sendable {
    /// Nil without a route, or at its end.
    public var arrow: GuidanceArrow?
    public var progress: RouteProgress?
    /// The nearest room comes first.
    public var cards: [RoomCard]

    public init(arrow: GuidanceArrow?, progress: RouteProgress?, cards: [RoomCard]) {
        self.arrow = arrow
        self.progress = progress
        self.cards = cards
    }
}

/// The direction in which to walk from the traveller's position.
public struct GuidanceArrow: Hashable, Sendable {
    /// Degrees clockwise from true north, in 0 ..< 360.
    public var bearingDegrees: Double
    /// The error of the bearing in degrees, with a probability of 95 %; 180 if the bearing is
    /// useless.
    public var accuracyDegrees: Double
    /// Degrees from the heading to the bearing, -180 to 180, positive to the right; nil without a
    /// heading.
    public var turnDegrees: Double?
    /// The point that the arrow points to, in the site's frame.
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

/// A room nearby, shown as a card over the camera's picture.
public struct RoomCard: Hashable, Sendable {
    public var room: RoomID
    /// Metres to the nearest point of its outline, 0 inside; or else to its nearest location.
    public var distanceMetres: Double
    /// The direction of `middle` in degrees clockwise from true north.
    public var bearingDegrees: Double
    /// The middle of the room, or its nearest location if it has no outline.
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

/// A route, and the guidance of a traveller along it.
public struct GuidedRoute: Sendable {
    /// The query of `answer`: the traveller's own, or a new one from the traveller's place.
    public var query: RouteQuery
    public var answer: RouteAnswer
    public var guidance: RouteGuidance
    /// Whether the route is new, because the traveller was off the first one.
    public var isRerouted: Bool
}
