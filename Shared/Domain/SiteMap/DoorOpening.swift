import Events
import Geometry
import Site

/// The gap that a door makes in the wall next to it.
struct DoorOpening {
    /// The greatest distance in metres between a door and its wall. A door farther away is drawn
    /// without a gap.
    private static let reachMetres = 0.75
    private static let ordinaryWidthMetres = 1.0
    private static let widestMetres = 8.0

    var start: Point
    var end: Point
    /// A unit vector that points away from the door's room.
    var outwards: Point

    /// Nil if no wall is near.
    init?(_ door: ConnectionRecord, at point: Point, on floor: FloorID, in site: SiteIndex) {
        var nearest: (distance: Double, start: Point, end: Point, room: Polygon)?
        for polygon in Self.polygons(of: door, near: point, on: floor, in: site) {
            AreaShape(outline: polygon).forEachEdge { start, end in
                let distance = point.distance(toSegmentFrom: start, to: end)
                guard distance <= Self.reachMetres, start.distance(to: end) > 0.1 else { return }
                if distance < nearest?.distance ?? .infinity {
                    nearest = (distance, start, end, polygon)
                }
            }
        }
        guard let wall = nearest else { return nil }
        let length = wall.start.distance(to: wall.end)
        let along = Point(
            x: (wall.end.x - wall.start.x) / length, y: (wall.end.y - wall.start.y) / length)
        let width = min(door.widthMetres ?? Self.ordinaryWidthMetres, Self.widestMetres, length)
        // The gap's middle is on the wall, and the gap ends within the wall.
        let place =
            (point.x - wall.start.x) * along.x + (point.y - wall.start.y) * along.y
        let middle = min(max(place, width / 2), length - width / 2)
        start = wall.start.moved(along, by: middle - width / 2)
        end = wall.start.moved(along, by: middle + width / 2)
        let left = Point(x: -along.y, y: along.x)
        let centre = wall.start.moved(along, by: middle)
        let isLeftInside = wall.room.contains(centre.moved(left, by: 0.2))
        outwards = isLeftInside ? Point(x: -left.x, y: -left.y) : left
    }

    /// The outlines of the rooms that the door names, or else of all rooms around.
    private static func polygons(
        of door: ConnectionRecord, near point: Point, on floor: FloorID, in site: SiteIndex
    ) -> [Polygon] {
        let named = door.stops.filter { $0.floor == floor }.compactMap { stop in
            stop.room.flatMap { site.roomIndex($0) }.flatMap { site.outline($0) }
        }
        if !named.isEmpty { return named }
        return site.rooms.indices.lazy.filter { site.rooms[$0].floor == floor }
            .compactMap { site.outline(RoomIndex($0)) }
            .filter { $0.boundingBox.contains(point, tolerance: reachMetres) }
    }
}

extension Point {
    /// - Parameter direction: a unit vector.
    func moved(_ direction: Point, by metres: Double) -> Point {
        Point(x: x + direction.x * metres, y: y + direction.y * metres)
    }
}
