import Geometry

/// An open area without a level, such as a square. People walk along its edges and straight across.
struct MapSquare {
    let id: String
    let kind: MapWords.PathKind
    let facts: TagFacts
    /// The nodes of the outer edge, without the repeated first one.
    let outer: [Int64]
    let inner: [[Int64]]

    /// The outer and inner edges as paths.
    var edges: [MapPath] {
        ([outer] + inner).enumerated().filter { $0.element.count >= 3 }.map { number, ring in
            MapPath(
                id: number == 0 ? id : "\(id)-i\(number)", source: id, kind: kind, facts: facts,
                levels: [], nodes: ring + [ring[0]])
        }
    }
}

/// Paths across squares. They join any two nodes of the edge that other paths reach, if one can be
/// seen from the other. Each inner edge is joined to the outer one, so that nothing within is cut
/// off.
struct MapSquares {
    /// The most nodes that other paths reach. Larger squares have paths along their edges only.
    private static let mostPortals = 24
    private static let mostCorners = 600

    private let nodes: MapNodes
    /// The ids of the things at each node.
    private let usersOfNode: [Int64: Set<String>]

    init(_ paths: [MapPath], _ nodes: MapNodes) {
        self.nodes = nodes
        var users: [Int64: Set<String>] = [:]
        for path in paths {
            for node in path.nodes { users[node, default: []].insert(path.source) }
        }
        usersOfNode = users
    }

    func paths(across square: MapSquare) -> [MapPath] {
        let rings = [square.outer] + square.inner
        guard rings.reduce(0, { $0 + $1.count }) <= Self.mostCorners,
            let outline = try? nodes.outline(square.outer)
        else { return [] }
        let view = SquareView(
            outline: outline, holes: square.inner.compactMap { try? nodes.outline($0) })
        var pairs: [[Int64]] = []
        let portals = Set(rings.joined()).filter { usersOfNode[$0, default: []].count > 1 }.sorted()
        if portals.count <= Self.mostPortals {
            for (number, first) in portals.enumerated() {
                for second in portals[(number + 1)...] where isSeen(first, second, view) {
                    pairs.append([first, second])
                }
            }
        }
        for ring in square.inner { pairs += nearest(from: ring, to: square.outer, view) }
        let neighbours = Set(
            rings.flatMap { ring in zip(ring, ring.dropFirst() + ring.prefix(1)) }
                .map { [min($0, $1), max($0, $1)] })
        var taken: Set<[Int64]> = []
        return pairs.filter { !neighbours.contains($0) && taken.insert($0).inserted }.map { pair in
            MapPath(
                id: "\(square.id)-n\(pair[0])-n\(pair[1])", source: square.id, kind: square.kind,
                facts: square.facts, levels: [], nodes: pair)
        }
    }

    private func isSeen(_ first: Int64, _ second: Int64, _ view: SquareView) -> Bool {
        guard let from = nodes.point(first), let to = nodes.point(second) else { return false }
        return view.isOpen(from, to)
    }

    /// The shortest line of sight from an inner edge to the outer one.
    private func nearest(from ring: [Int64], to outer: [Int64], _ view: SquareView) -> [[Int64]] {
        var pairs: [(metres: Double, pair: [Int64])] = []
        for first in Set(ring).sorted() {
            for second in Set(outer).sorted() {
                guard let from = nodes.point(first), let to = nodes.point(second) else { continue }
                pairs.append((from.distance(to: to), [min(first, second), max(first, second)]))
            }
        }
        pairs.sort { ($0.metres, $0.pair[0], $0.pair[1]) < ($1.metres, $1.pair[0], $1.pair[1]) }
        return pairs.prefix(100).first { isSeen($0.pair[0], $0.pair[1], view) }.map { [$0.pair] }
            ?? []
    }
}

/// Decides which points of a square can be seen from each other.
private struct SquareView {
    let outline: Polygon
    let holes: [Polygon]

    /// Whether the straight line between two corners is within the square.
    func isOpen(_ from: Point, _ to: Point) -> Bool {
        guard from != to else { return false }
        for polygon in [outline] + holes {
            for (index, corner) in polygon.corners.enumerated() {
                let next = polygon.corners[(index + 1) % polygon.corners.count]
                if cross(from, to, corner, next) { return false }
            }
        }
        return [0.25, 0.5, 0.75].allSatisfy { share in
            let point = Point(
                x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
            return outline.contains(point)
                && !holes.contains { $0.contains(point) && $0.distanceToEdge(from: point) > 0.01 }
        }
    }

    /// Whether two segments cross inside both.
    private func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }

    private func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
