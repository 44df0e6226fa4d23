import Geometry
import Site

/// The floor of a node; nil outdoors.
typealias Level = FloorIndex?

/// What an arc of the network stands for.
struct WayArc: Sendable {
    enum Course: Hashable, Sendable {
        /// Along a connection between two stops next to each other.
        case along(first: Int, isBackward: Bool)
        /// Through a door whose sides lie at one point.
        case through
        /// Into a lift, along with it, and out of it.
        case board, ride, alight
        /// Between a stop in a room and where one stands in it.
        case step(entry: Int, isOut: Bool)
        /// Straight through a room.
        case inside
    }

    var course: Course
    /// Of the site's document; nil for those within rooms.
    var connection: Int?
    /// Of the network; nil for those of connections.
    var space: Int?
    var metres: Double
    /// Metres up, where heights are known.
    var rise: Double?
    /// Metres up or down, known or taken from the number of floors.
    var climb = 0.0
    /// 1 up, -1 down, 0 level or not known.
    var direction = 0

    /// The same the other way.
    var reversed: WayArc {
        var arc = self
        arc.rise = rise.map { -$0 }
        arc.direction = -direction
        switch course {
        case .along(let first, let isBackward):
            arc.course = .along(first: first, isBackward: !isBackward)
        case .step(let entry, let isOut): arc.course = .step(entry: entry, isOut: !isOut)
        case .board: arc.course = .alight
        case .alight: arc.course = .board
        case .through, .ride, .inside: break
        }
        return arc
    }
}
