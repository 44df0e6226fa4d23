import Events
import Geometry

/// Finds the room around a point on floors that have rooms of a certain sort. It works for
/// documents that are not valid, too.
struct RoomGround {
    private struct Floor {
        var grid: PolygonGrid
        var rooms: [RoomID]
        var areas: [Double]
    }

    /// Metres from the wall at which a point counts as inside a room.
    static let clearance = 0.05

    private var floors: [FloorID: Floor] = [:]

    /// - Parameter isWanted: whether the floor of the room is one on which points are looked up.
    init(_ document: SiteDocument, where isWanted: (RoomID) -> Bool) {
        let wanted = Set(document.rooms.filter { isWanted($0.id) }.map(\.floor))
        guard !wanted.isEmpty else { return }
        let byFloor = Dictionary(grouping: document.rooms.filter { wanted.contains($0.floor) }) {
            $0.floor
        }
        for (floor, rooms) in byFloor {
            let drawn = rooms.compactMap { room in
                room.outline.polygon.map { (room.id, $0) }
            }
            floors[floor] = Floor(
                grid: PolygonGrid(drawn.map(\.1)), rooms: drawn.map(\.0),
                areas: drawn.map(\.1.area))
        }
    }

    /// Whether points of the floor are looked up.
    func covers(_ floor: FloorID) -> Bool { floors[floor] != nil }

    /// The smallest room that contains the point, edges included.
    func room(at point: Point, on floor: FloorID) -> RoomID? {
        smallest(at: point, on: floor) { _ in true }
    }

    /// The smallest room that has the point inside, away from its walls.
    func room(inside point: Point, on floor: FloorID) -> RoomID? {
        smallest(at: point, on: floor) { $0.distanceToEdge(from: point) > Self.clearance }
    }

    /// All rooms that contain the point, edges included.
    func rooms(at point: Point, on floor: FloorID) -> [RoomID] {
        guard let known = floors[floor] else { return [] }
        return known.grid.polygons(containing: point).map { known.rooms[$0] }
    }

    private func smallest(
        at point: Point, on floor: FloorID, where isInside: (Polygon) -> Bool
    ) -> RoomID? {
        guard let known = floors[floor] else { return nil }
        let found = known.grid.polygons(containing: point).filter {
            isInside(known.grid.polygons[$0])
        }
        return found.min { (known.areas[$0], $0) < (known.areas[$1], $1) }.map { known.rooms[$0] }
    }
}
