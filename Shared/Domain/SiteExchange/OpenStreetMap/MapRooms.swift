import Events
import Geometry
import Site

/// A room on one of its levels.
struct MapRoom {
    let id: RoomID
    let area: MapArea
    let level: MapLevel
    let floor: FloorID
    let polygon: Polygon
    let holes: [Polygon]

    var isOpen: Bool { MapWords.isOpen(area.kind) }

    /// Whether the point is within the outline and in no hole.
    func contains(_ point: Point) -> Bool {
        polygon.contains(point)
            && !holes.contains { $0.contains(point) && $0.distanceToEdge(from: point) > 0.01 }
    }
}

/// A node on one of the levels that things at it have.
struct NodeOnLevel: Hashable {
    let node: Int64
    let level: MapLevel
}

/// The rooms of a site, found by node and by point.
struct MapRooms {
    /// The most corners examined while looking up points. Maps of cities need a thousandth of it. A
    /// file with thousands of rooms above one another on a floor would otherwise take hours.
    private static let mostCornersAsked = 400_000_000

    let rooms: [MapRoom]
    private let asked = CornersAsked()
    /// The rooms at each node of an outline, in the order of rooms.
    private var atNode: [NodeOnLevel: [Int]] = [:]
    private var levelsByNode: [Int64: Set<MapLevel>] = [:]
    private var gridByFloor: [FloorID: (grid: PolygonGrid, rooms: [Int])] = [:]

    init(_ rooms: [MapRoom]) {
        self.rooms = rooms
        var byFloor: [FloorID: [Int]] = [:]
        for (index, room) in rooms.enumerated() {
            byFloor[room.floor, default: []].append(index)
            for node in Set(room.area.outer + room.area.inner.joined()) {
                atNode[NodeOnLevel(node: node, level: room.level), default: []].append(index)
                levelsByNode[node, default: []].insert(room.level)
            }
        }
        for (floor, indices) in byFloor {
            gridByFloor[floor] = (PolygonGrid(indices.map { rooms[$0].polygon }), indices)
        }
    }

    /// Whether the limit of examined corners is exceeded; points then find no room.
    var isExhausted: Bool { asked.count > Self.mostCornersAsked }

    /// Rooms with an edge through the node.
    func rooms(at place: NodeOnLevel) -> [Int] {
        guard !isExhausted, let found = atNode[place] else { return [] }
        asked.count += found.count
        return found
    }

    /// Whether a room on any level has an edge through the node.
    func isOnEdge(_ node: Int64) -> Bool { levelsByNode[node] != nil }

    /// The levels of rooms with an edge through the node, ascending.
    func levels(at node: Int64) -> [MapLevel] { (levelsByNode[node] ?? []).sorted() }

    /// The levels of open rooms, by the nodes of their edges.
    var openLevelsByNode: [Int64: Set<MapLevel>] {
        var levels: [Int64: Set<MapLevel>] = [:]
        for (place, indices) in atNode where indices.contains(where: { rooms[$0].isEntered }) {
            levels[place.node, default: []].insert(place.level)
        }
        return levels
    }

    /// The smallest room that contains the point, edges included.
    func room(at point: Point, on floor: FloorID) -> Int? {
        guard !isExhausted, let (grid, indices) = gridByFloor[floor] else { return nil }
        var smallest: Int?
        grid.forEachPolygon(containing: point) { position in
            let index = indices[position]
            asked.count += rooms[index].polygon.corners.count
            guard rooms[index].contains(point) else { return }
            if let best = smallest, isSmaller(best, than: index) { return }
            smallest = index
        }
        return smallest
    }

    /// All rooms that contain the point.
    func all(at point: Point, on floor: FloorID) -> [Int] {
        guard !isExhausted, let (grid, indices) = gridByFloor[floor] else { return [] }
        var found: [Int] = []
        grid.forEachPolygon(containing: point) { position in
            asked.count += rooms[indices[position]].polygon.corners.count
            if rooms[indices[position]].contains(point) { found.append(indices[position]) }
        }
        return found
    }

    func isSmaller(_ left: Int, than right: Int) -> Bool {
        (rooms[left].polygon.area, left) < (rooms[right].polygon.area, right)
    }
}

/// Counts examined corners for all copies of a `MapRooms` together.
private final class CornersAsked {
    var count = 0
}

extension MapRoom {
    /// Whether a path that ends at the room's edge leads into it.
    var isEntered: Bool { isOpen || area.kind == "lift" || area.kind == "stairs" }
}

extension Polygon {
    /// A point within the room. If the centroid is outside, it is the middle of the widest part at
    /// the centroid's height.
    var innerPoint: Point {
        let centre = centroid
        if contains(centre) { return centre }
        var crossings: [Double] = []
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            guard (corner.y > centre.y) != (next.y > centre.y) else { continue }
            let share = (centre.y - corner.y) / (next.y - corner.y)
            crossings.append(corner.x + share * (next.x - corner.x))
        }
        crossings.sort()
        let stretches = stride(from: 0, to: crossings.count - 1, by: 2).map {
            (crossings[$0], crossings[$0 + 1])
        }
        guard let widest = stretches.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return centre }
        return Point(x: (widest.0 + widest.1) / 2, y: centre.y)
    }
}
