public import Events
public import Geometry
import Site
import Wayfinding

/// One thing for the traveller to do, in no language: an action at a point, and the walk to the
/// next manoeuvre.
public struct Manoeuvre: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// Set off, at the start or at a lift's exit.
        case head(CompassPoint, isFromLift: Bool)
        case turn(Turn)
        case door(Door)
        /// Enter or leave a building where there is no door.
        case cross(BuildingChange)
        case climb(Climb)
        case arrive(Arrival)
    }

    public var action: Action
    /// The floor of the manoeuvre; nil outdoors.
    public var floor: FloorID?
    public var point: Point
    /// The direction of the walk after it, in degrees clockwise from true north; nil without a
    /// walk.
    public var bearingDegrees: Double?
    /// The turn just before it, for a building that is entered or left where there is no door.
    var turn: Turn?
    /// Metres to walk straight on until the next manoeuvre.
    public var metres: Double
    /// The connection with a name that this walk follows.
    public var along: ConnectionID?
    /// Whether the walk before it follows a connection of the same name.
    var staysAlong = false
    /// The rooms that this walk passes, in order.
    public var landmarks: [PassedPlace]
    /// The index of the route's leg that it begins.
    public var leg: Int
    /// For a traveller by touch: the stairs of which the sentence warns, and what confirms it.
    var danger: Danger?
    var facts = TouchFacts()

    var door: Door? { if case .door(let door) = action { door } else { nil } }
}

/// A room that the traveller passes.
public struct PassedPlace: Hashable, Sendable {
    public var room: RoomID
    public var isOnLeft: Bool

    public init(room: RoomID, isOnLeft: Bool) {
        self.room = room
        self.isOnLeft = isOnLeft
    }
}

/// The way through a door.
public struct Door: Hashable, Sendable {
    /// The turn that the traveller makes to face the door.
    public var turn: Turn
    public var isAutomatic: Bool
    /// The room behind the door, if there is one.
    public var room: RoomID?
    /// Set where the door leads into or out of a building.
    public var change: BuildingChange?
    var connection: ConnectionID
    /// The room before the door, if there is one.
    var before: RoomID?
    /// Whether the door leads outdoors (false) or in from there (true), where no building changes.
    var leadsIn: Bool?
    /// Whether it is a wide gap in a wall: 2 m or more, and nobody stated how it opens.
    var isGap = false
    /// Whether the traveller leaves a lift through it.
    var isFromLift = false
    /// Described for a traveller by touch alone.
    var leaf = DoorLeaf()
}

public enum BuildingChange: Hashable, Sendable {
    case enter(BuildingID)
    case leave(BuildingID)
}

/// A way from level to level.
public struct Climb: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stairs, escalator, ramp, lift
        case platformLift = "platform-lift"
    }

    public var kind: Kind
    public var connection: ConnectionID
    /// Nil if the map does not show which end is higher.
    public var isUp: Bool?
    /// The number of floors up or down; nil outdoors and on one floor.
    public var floors: Int?
    /// The floor at its end; nil outdoors.
    public var floor: FloorID?
    /// The turn to face a lift whose door is part of this manoeuvre; nil for all others.
    var turn: Turn?

    /// Whether stairs or an escalator lead down, or perhaps down.
    var leadsDown: Bool { isUp != true && (kind == .stairs || kind == .escalator) }
}

/// The side on which the destination is.
public struct Arrival: Hashable, Sendable {
    public enum Side: String, Hashable, Sendable {
        case here, ahead, left, right
    }

    public var side: Side
    public var room: RoomID?
    /// Set if the route ends only near the destination.
    var approximate: ApproximateEnd?
    /// The location, the entry of the directory or the zone that the traveller asked for.
    var asked: RoutePlace?
    /// Whether the traveller asked for a way out.
    var isWayOut = false
    /// The kind that the traveller asked for, such as a lift, where no room is the end.
    var thing: ConnectionRecord.Kind?
}

/// A turn in one of eight steps, seen from above.
public enum Turn: String, Hashable, Sendable, CaseIterable {
    case straight
    case slightLeft = "slight-left"
    case left
    case sharpLeft = "sharp-left"
    case slightRight = "slight-right"
    case right
    case sharpRight = "sharp-right"
    case around

    /// The least degrees for a slight turn, a full turn, a sharp turn and turning back.
    private static let (slight, full, sharp, back) = (25.0, 55.0, 125.0, 165.0)

    var isSlight: Bool { self == .slightLeft || self == .slightRight }

    /// - Parameter degrees: positive to the right.
    public init(degrees: Double) {
        let angle = signedDegrees(degrees)
        switch abs(angle) {
        case ..<Self.slight: self = .straight
        case ..<Self.full: self = angle < 0 ? .slightLeft : .slightRight
        case ..<Self.sharp: self = angle < 0 ? .left : .right
        case ..<Self.back: self = angle < 0 ? .sharpLeft : .sharpRight
        default: self = .around
        }
    }
}

public enum CompassPoint: String, Hashable, Sendable, CaseIterable {
    case north
    case northEast = "north-east"
    case east
    case southEast = "south-east"
    case south
    case southWest = "south-west"
    case west
    case northWest = "north-west"

    /// - Parameter bearingDegrees: clockwise from north; the nearest of the eight points is chosen.
    public init(bearingDegrees: Double) {
        let bearing = bearingDegrees.isFinite ? bearingDegrees : 0
        let eighths = (positiveDegrees(bearing) / 45).rounded()
        self = Self.allCases[Int(eighths) % 8]
    }

    var bearingDegrees: Double { Double(Self.allCases.firstIndex(of: self) ?? 0) * 45 }
}

/// The same angle in -180 ..< 180.
func signedDegrees(_ degrees: Double) -> Double { positiveDegrees(degrees + 180) - 180 }

/// The same angle in 0 ..< 360.
func positiveDegrees(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
}
