public import Events
public import Geometry
import Wayfinding

/// One thing to do on the way, in no language: what a traveller does at a point, and how far they
/// then walk until the next.
public struct Manoeuvre: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// Set off, at the start or where a lift lets one out.
        case head(CompassPoint, isFromLift: Bool)
        case turn(Turn)
        case door(Door)
        /// Into or out of a building where there is no door.
        case cross(BuildingChange)
        case climb(Climb)
        case arrive(Arrival)
    }

    public var action: Action
    /// Where it is done; nil outdoors.
    public var floor: FloorID?
    public var point: Point
    /// Degrees clockwise from true north in which one goes on; nil where one does not.
    public var bearingDegrees: Double?
    /// Metres to walk before the next manoeuvre, without turning.
    public var metres: Double
    /// The named way that one then follows.
    public var along: ConnectionID?
    /// Rooms that one then comes by, in order.
    public var landmarks: [PassedPlace]
    /// Of the route's legs, the one that it begins.
    public var leg: Int
}

/// A room that one comes by.
public struct PassedPlace: Hashable, Sendable {
    public var room: RoomID
    public var isOnLeft: Bool

    public init(room: RoomID, isOnLeft: Bool) {
        self.room = room
        self.isOnLeft = isOnLeft
    }
}

/// Through a door.
public struct Door: Hashable, Sendable {
    /// How one turns to face it.
    public var turn: Turn
    public var isAutomatic: Bool
    /// The room behind it, where it has one.
    public var room: RoomID?
    /// Where it leads into or out of a building.
    public var change: BuildingChange?
}

public enum BuildingChange: Hashable, Sendable {
    case enter(BuildingID)
    case leave(BuildingID)
}

/// From level to level.
public struct Climb: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stairs, escalator, ramp, lift
        case platformLift = "platform-lift"
    }

    public var kind: Kind
    public var connection: ConnectionID
    /// Nil where nobody has said which end is higher.
    public var isUp: Bool?
    /// How many floors up or down; nil outdoors and on one floor.
    public var floors: Int?
    /// Where it ends; nil outdoors.
    public var floor: FloorID?
}

/// Where the destination is.
public struct Arrival: Hashable, Sendable {
    public enum Side: String, Hashable, Sendable {
        case here, ahead, left, right
    }

    public var side: Side
    public var room: RoomID?
    /// Set where the route leads near the destination only.
    var approximate: ApproximateEnd?
}

/// By how much one turns, seen from above.
public enum Turn: String, Hashable, Sendable, CaseIterable {
    case straight
    case slightLeft = "slight-left"
    case left
    case sharpLeft = "sharp-left"
    case slightRight = "slight-right"
    case right
    case sharpRight = "sharp-right"
    case around

    /// Degrees from which on a bend is told, and from which it is more than slight, sharp, a turn
    /// back.
    private static let (slight, full, sharp, back) = (25.0, 55.0, 125.0, 165.0)

    /// The turn of so many degrees, positive to the right.
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

/// The eight points that people know.
public enum CompassPoint: String, Hashable, Sendable, CaseIterable {
    case north
    case northEast = "north-east"
    case east
    case southEast = "south-east"
    case south
    case southWest = "south-west"
    case west
    case northWest = "north-west"

    /// The nearest to a bearing in degrees clockwise from north.
    public init(bearingDegrees: Double) {
        let bearing = bearingDegrees.isFinite ? bearingDegrees : 0
        let eighths = (positiveDegrees(bearing) / 45).rounded()
        self = Self.allCases[Int(eighths) % 8]
    }
}

/// The same angle from -180 up to, but not, 180.
func signedDegrees(_ degrees: Double) -> Double { positiveDegrees(degrees + 180) - 180 }

/// The same angle from 0 up to, but not, 360.
func positiveDegrees(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
}
