import Events
import Geometry
import Site

/// Rooms by id and by place.
struct IMDFRooms {
    private struct Floor {
        var rooms: [RoomRecord] = []
        var areas: [Double] = []
        var grid = PolygonGrid([])
    }

    private var byID: [String: RoomRecord] = [:]
    private var floors: [FloorID: Floor] = [:]

    init() {}

    /// - Parameter isSolid: whether nobody can be in the room, as in a wall.
    init(_ rooms: [RoomRecord], isSolid: (RoomRecord) -> Bool) {
        var polygons: [FloorID: [Polygon]] = [:]
        for room in rooms {
            byID[room.id.text] = room
            guard !isSolid(room), let polygon = room.outline.polygon else { continue }
            floors[room.floor, default: Floor()].rooms.append(room)
            floors[room.floor]?.areas.append(polygon.area)
            polygons[room.floor, default: []].append(polygon)
        }
        for (floor, polygons) in polygons { floors[floor]?.grid = PolygonGrid(polygons) }
    }

    subscript(id: String) -> RoomRecord? { byID[id] }

    /// The smallest room that contains the point.
    func room(at point: Point, on floor: FloorID) -> RoomRecord? {
        guard let here = floors[floor] else { return nil }
        let found = here.grid.polygons(containing: point).filter { index in
            !here.rooms[index].holes.contains { hole in
                hole.polygon.map { $0.contains(point) && $0.distanceToEdge(from: point) > 0.001 }
                    ?? false
            }
        }
        return found.min { here.areas[$0] < here.areas[$1] }.map { here.rooms[$0] }
    }
}
