public import Events
public import Geometry
import Wayfinding

/// One step of directions for a traveller who can't see, in no language. It uses only things that a
/// cane and a foot find: walls, doors, openings, edges of paths, stairs.
public struct SpokenStep: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Find the only door of the room in which the route begins.
        case findDoor(SpokenTarget)
        /// Turn to a point of the compass, and walk to something.
        case face(CompassPoint, SpokenTarget)
        case wall(WallWalk)
        /// Walk to something in sight, at an hour of the clock: 12 is straight ahead.
        case ahead(hour: Int, SpokenTarget)
        case pass(SpokenDoor)
        case path(PathWalk)
        case climb(Climb)
        /// Leave a lift.
        case leaveLift(isOpposite: Bool?, into: RoomID?)
        case arrive(Arrival)
    }

    var action: Action
    /// The thing at the traveller's back when the step begins.
    var behind: Behind?
    /// The room in which the step begins, for the first step.
    var start: RoomID?
    /// The place at which the first step begins, as it was asked for; as in an arrival.
    var startPlace: RoutePlace?
    /// The stairs or the door at the end of the step, of which its text warns.
    var danger: Danger?
    var facts = TouchFacts()
    /// Metres to walk in this step.
    public var metres: Double
    /// The floor at its beginning; nil outdoors.
    public var floor: FloorID?
    public var point: Point
    /// The index of the route's leg that it begins.
    public var leg: Int
    /// The direction that the traveller faces at its beginning, in degrees from true north; nil if
    /// nobody knows it, as in the first room.
    public var headingDegrees: Double?
}

/// The thing at a traveller's back.
enum Behind: Hashable, Sendable {
    /// A door, and the room behind it.
    case door(RoomID?)
    /// An opening, and the room behind it.
    case opening(RoomID?)
    case stairs
    case lift
}

/// The thing that a walk leads to.
enum SpokenTarget: Hashable, Sendable {
    case door, opening, stairs, escalator, ramp, lift, place, end
    case room(RoomID)
}

enum Hand: Hashable, Sendable { case left, right }

/// A walk along a wall.
struct WallWalk: Hashable, Sendable {
    /// Metres to the wall, for a walk that first crosses the room.
    var crossingMetres: Double?
    /// The point of the compass in which it crosses; nil for straight ahead.
    var compass: CompassPoint?
    /// The traveller's hand at the wall.
    var hand: Hand
    var metres: Double
    /// The number of doors and openings in that wall before the target. Nil where their map may
    /// lack some.
    var passed: Int?
    var target: SpokenTarget
    /// The end of the space that the wall leads round; nil if there is none on this walk.
    var end: WallEnd?
}

/// The place at which a space ends, and its wall bars the way of those who follow it.
struct WallEnd: Hashable, Sendable {
    /// A bend by less, in degrees, bars no way, and one that goes back within these metres is a
    /// pillar.
    static let (leastDegrees, leastMetres) = (60.0, 1.2)
    /// By so many degrees, within these metres, the wall leads back on the other side.
    static let (backDegrees, backMetres) = (150.0, 8.0)

    /// Metres along the wall.
    var metres: Double
    /// Whether the wall leads round and back along the other side, as at the end of a corridor.
    var isBack: Bool
}

/// A walk along a path. At every junction the traveller takes the straightest way.
struct PathWalk: Hashable, Sendable {
    enum Beginning: Hashable, Sendable {
        /// At an hour of the clock: 12 is straight ahead. The only way on has no choice; others
        /// are counted from the left or the right edge of the path.
        case hour(Int, choice: Choice?)
        case compass(CompassPoint)
    }

    /// The number of a way among all that leave a junction, from one hand.
    struct Choice: Hashable, Sendable {
        var hand: Hand
        var number: Int
    }

    var beginning: Beginning
    var metres: Double
    /// The number of junctions before the target; nil as for a wall.
    var passed: Int?
    /// Nil for a junction.
    var target: SpokenTarget?
    /// The connection with a name that it follows.
    var along: ConnectionID?
}

/// A door or an opening that the traveller goes through.
struct SpokenDoor: Hashable, Sendable {
    var connection: ConnectionID
    /// Whether it has a leaf, as far as the map shows.
    var isDoor: Bool
    var isAutomatic: Bool
    var leaf = DoorLeaf()
    var room: RoomID?
    /// Whether the rooms on both sides are called by the same kind, such as two corridors.
    var isAlike = false
}

extension SpokenStep.Action {
    /// The thing that the step's walk leads to; nil without a walk, and for a junction.
    var target: SpokenTarget? {
        switch self {
        case .findDoor(let target), .face(_, let target), .ahead(_, let target): target
        case .wall(let walk): walk.target
        case .path(let walk): walk.target
        case .pass, .climb, .leaveLift, .arrive: nil
        }
    }

    /// The side of the traveller on which the thing is.
    var hand: Hand? { if case .wall(let walk) = self { walk.hand } else { nil } }

    /// The door that the step leads through.
    var door: SpokenDoor? { if case .pass(let door) = self { door } else { nil } }

    /// The stairs or the escalator that the step leads down, or perhaps down; a door of glass or
    /// one that revolves.
    var danger: Danger? {
        switch self {
        case .climb(let climb): climb.leadsDown ? .climb(climb) : nil
        case .pass(let door): door.isDoor && door.leaf.isDangerous ? .door(door.leaf) : nil
        case .findDoor, .face, .wall, .ahead, .path, .leaveLift, .arrive: nil
        }
    }

    /// Whether a warning in the step's own text is about the thing at its end.
    var leadsToThing: Bool { target != nil || isWalk }

    /// Whether the step has a walk with an end that can be announced.
    var isWalk: Bool {
        switch self {
        case .face, .ahead, .wall, .path: true
        case .findDoor, .pass, .climb, .leaveLift, .arrive: false
        }
    }
}

extension SpokenStep {
    /// Metres before its end at which it is announced, the farthest first.
    var announcedMetres: [Int] {
        action.isWalk ? [8, 2].filter { metres > Double($0) + 1 } : []
    }

    /// The step for a traveller to whom its announcements are made: they have its warning. Nil if
    /// it is the same.
    var announced: SpokenStep? {
        guard danger != nil, !announcedMetres.isEmpty else { return nil }
        var step = self
        step.danger = nil
        return step
    }

    /// Whether the thing at its end is of the kind of one that the traveller has just passed, so
    /// that it is "the next".
    var isToNext: Bool {
        switch action {
        case .wall(let walk):
            if walk.target == .stairs, behind == .stairs { return true }
            guard let passed = walk.passed else { return false }
            if passed > 0 { return walk.target == .opening }
            return walk.crossingMetres == nil && isAlike(walk.target)
        case .ahead(_, let target): return isAlike(target)
        case .path(let walk):
            return walk.passed != nil && (walk.target.map(isAlike) ?? true)
        case .findDoor, .face, .pass, .climb, .leaveLift, .arrive: return false
        }
    }

    private func isAlike(_ target: SpokenTarget) -> Bool {
        switch (behind, target) {
        case (.door, .door), (.opening, .opening), (.stairs, .stairs): true
        default: false
        }
    }
}
