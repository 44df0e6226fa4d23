import Geometry

/// A wall or barrier drawn as a line, and its levels.
struct MapWall {
    let id: String
    let levels: [MapLevel]
    /// At least two nodes, all with a position.
    let nodes: [Int64]
}

/// The walls of a site by their edges and nodes.
struct MapWalls {
    private struct Edge: Hashable {
        let low: Int64
        let high: Int64
        let level: MapLevel
    }

    private var edges: Set<Edge> = []
    /// The neighbours of a node along the first wall through it.
    private var neighbours: [NodeOnLevel: (before: Int64, after: Int64)] = [:]
    private var levelsByNode: [Int64: Set<MapLevel>] = [:]

    init(_ walls: [MapWall]) {
        for wall in walls {
            for level in wall.levels {
                for (from, to) in zip(wall.nodes, wall.nodes.dropFirst()) {
                    edges.insert(Edge(low: min(from, to), high: max(from, to), level: level))
                }
                for (position, node) in wall.nodes.enumerated() {
                    let place = NodeOnLevel(node: node, level: level)
                    levelsByNode[node, default: []].insert(level)
                    guard neighbours[place] == nil else { continue }
                    neighbours[place] = (
                        wall.nodes[max(0, position - 1)],
                        wall.nodes[min(wall.nodes.count - 1, position + 1)]
                    )
                }
            }
        }
    }

    /// Whether a wall runs straight from one node to the other.
    func hasWall(_ from: Int64, _ to: Int64, _ level: MapLevel) -> Bool {
        edges.contains(Edge(low: min(from, to), high: max(from, to), level: level))
    }

    /// The levels of the walls through the node, ascending.
    func levels(at node: Int64) -> [MapLevel] { (levelsByNode[node] ?? []).sorted() }

    /// Points on both sides of the wall at a node, at a distance from it; nil if no wall is there.
    func sides(
        of node: Int64, _ level: MapLevel, metres: Double, _ nodes: MapNodes
    ) -> [Point]? {
        guard let (before, after) = neighbours[NodeOnLevel(node: node, level: level)],
            let point = nodes.point(node), let from = nodes.point(before),
            let to = nodes.point(after), from != to
        else { return nil }
        let share = metres / from.distance(to: to)
        let (x, y) = ((from.y - to.y) * share, (to.x - from.x) * share)
        return [Point(x: point.x + x, y: point.y + y), Point(x: point.x - x, y: point.y - y)]
    }
}

/// The outline of a piece of wall. It is as thick as a thin wall in the middle and pointed at both
/// ends. So it ends exactly at a room's edge or a door.
struct WallShape {
    /// Half the thickness of a wall of ten centimetres.
    private static let halfThickness = 0.05

    /// Nil for a wall that is too short, or that bends so that its outline crosses itself.
    static func outline(_ points: [Point]) -> Polygon? {
        var line = points
        if line.count == 2 {
            let middle = Point(x: (line[0].x + line[1].x) / 2, y: (line[0].y + line[1].y) / 2)
            line.insert(middle, at: 1)
        }
        guard line.count >= 3, line[0].distance(to: line[line.count - 1]) > 4 * halfThickness
        else { return nil }
        var left: [Point] = []
        var right: [Point] = []
        for (position, point) in line.enumerated().dropFirst().dropLast() {
            let (before, after) = (line[position - 1], line[position + 1])
            let length = before.distance(to: after)
            guard length > 0 else { return nil }
            let x = (before.y - after.y) / length * halfThickness
            let y = (after.x - before.x) / length * halfThickness
            left.append(Point(x: point.x + x, y: point.y + y).roundedToMillimetres)
            right.append(Point(x: point.x - x, y: point.y - y).roundedToMillimetres)
        }
        let ends = (line[0].roundedToMillimetres, line[line.count - 1].roundedToMillimetres)
        guard let polygon = Polygon([ends.0] + right + [ends.1] + left.reversed()),
            polygon.isSimple
        else { return nil }
        return polygon
    }
}
