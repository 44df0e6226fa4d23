import Geometry
import Site

/// The floor of a node; nil outdoors.
typealias Level = FloorIndex?

/// One arc of the network, and the connection or room that it belongs to.
struct WayArc: Sendable {
    enum Course: Hashable, Sendable {
        /// Along a connection, between two consecutive stops.
        case along(first: Int, isBackward: Bool)
        /// Through a door whose two sides are at one point.
        case through
        /// Into a lift, up or down with it, and out of it.
        case board, ride, alight
        /// Between a stop at a room's wall and the point inside where a path begins.
        case step(entry: Int, isOut: Bool)
        /// On a straight line through a room.
        case inside
    }

    var course: Course
    /// The index of the connection in the site's document; nil for an arc within a room.
    var connection: Int?
    /// The index of the space in the network; nil for an arc of a connection.
    var space: Int?
    var metres: Double
    /// Metres upwards; nil if the heights are unknown.
    var rise: Double?
    /// Metres up or down, measured or estimated from the number of floors.
    var climb = 0.0
    /// 1 up, -1 down, 0 level or unknown.
    var direction = 0

    /// The same arc in the opposite direction.
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
