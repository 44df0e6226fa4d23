import Events
import Geometry
import Glibc

/// Finds the areas that lines enclose, as walls of a plan enclose rooms.
///
/// Ends of lines that nearly meet are joined, lines are cut where they cross or meet others, and
/// lines that lead nowhere are left out. Each area that has no line within it is a face.
struct FaceTracing {
    /// Ends of lines that lie this near to each other meet.
    static let toleranceMetres = 0.05
    private static let mostLines = 60_000
    /// The most pairs of lines that are compared.
    private static let mostPairs = 3_000_000
    private static let mostNodes = 300_000

    /// The outlines of the faces, anticlockwise.
    private(set) var faces: [[Point]] = []
    private var points: [Point] = []
    private var cells: [Cell: [Int]] = [:]

    private struct Cell: Hashable {
        let x: Int
        let y: Int
    }

    private struct Edge: Hashable {
        let low: Int
        let high: Int
    }

    /// - Parameter lines: pairs of points in metres.
    init(_ lines: [(Point, Point)]) throws(ImportRefusal) {
        guard lines.count <= Self.mostLines else {
            throw ImportRefusal(
                .tooLarge,
                "the chosen layers have over \(Self.mostLines) lines: choose fewer layers")
        }
        var edges: [(Int, Int)] = []
        for (start, end) in lines {
            let (from, to) = (node(start), node(end))
            if from != to { edges.append((from, to)) }
        }
        let cut = try cut(edges)
        trace(withoutDeadEnds(cut))
    }

    /// The node at this point; a new one if none is near.
    private mutating func node(_ point: Point) -> Int {
        let cell = Self.cell(point, Self.toleranceMetres)
        var best: (node: Int, distance: Double)?
        for x in cell.x - 1...cell.x + 1 {
            for y in cell.y - 1...cell.y + 1 {
                for node in cells[Cell(x: x, y: y)] ?? [] {
                    let distance = points[node].distance(to: point)
                    if distance <= Self.toleranceMetres, distance < best?.distance ?? .infinity {
                        best = (node, distance)
                    }
                }
            }
        }
        if let best { return best.node }
        points.append(point)
        cells[cell, default: []].append(points.count - 1)
        return points.count - 1
    }

    private static func cell(_ point: Point, _ size: Double) -> Cell {
        Cell(x: Int((point.x / size).rounded(.down)), y: Int((point.y / size).rounded(.down)))
    }

    // MARK: Cutting

    /// The lines cut where they cross, and where a node lies on them.
    private mutating func cut(_ lines: [(Int, Int)]) throws(ImportRefusal) -> Set<Edge> {
        var cuts: [[(share: Double, node: Int)]] = lines.map { [(0, $0.0), (1, $0.1)] }
        let grid = LineGrid(lines.map { (points[$0.0], points[$0.1]) })
        guard grid.pairCount <= Self.mostPairs else {
            throw ImportRefusal(
                .tooLarge, "too many lines of the chosen layers lie on one another")
        }
        for (one, other) in grid.neighbours {
            let (a, b) = (points[lines[one].0], points[lines[one].1])
            let (c, d) = (points[lines[other].0], points[lines[other].1])
            for end in [lines[other].0, lines[other].1] {
                if let share = Self.share(points[end], a, b) { cuts[one].append((share, end)) }
            }
            for end in [lines[one].0, lines[one].1] {
                if let share = Self.share(points[end], c, d) { cuts[other].append((share, end)) }
            }
            if let (s, t) = Self.crossing(a, b, c, d) {
                let node = node(Point(x: a.x + s * (b.x - a.x), y: a.y + s * (b.y - a.y)))
                cuts[one].append((s, node))
                cuts[other].append((t, node))
            }
            guard points.count <= Self.mostNodes else {
                throw ImportRefusal(.tooLarge, "the lines of the chosen layers cross too often")
            }
        }
        var edges: Set<Edge> = []
        for line in cuts {
            let sorted = line.sorted { ($0.share, $0.node) < ($1.share, $1.node) }
            for (from, to) in zip(sorted, sorted.dropFirst()) where from.node != to.node {
                edges.insert(
                    Edge(low: min(from.node, to.node), high: max(from.node, to.node)))
            }
        }
        return edges
    }

    /// The place of a point on a line, 0 to 1; nil for one that is not on it.
    private static func share(_ point: Point, _ start: Point, _ end: Point) -> Double? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let share =
            ((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy)
        guard share > 0, share < 1 else { return nil }
        let foot = Point(x: start.x + share * dx, y: start.y + share * dy)
        return foot.distance(to: point) <= toleranceMetres ? share : nil
    }

    /// The places on both lines where they cross; nil for lines that do not.
    private static func crossing(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point
    ) -> (Double, Double)? {
        let (ux, uy) = (b.x - a.x, b.y - a.y)
        let (vx, vy) = (d.x - c.x, d.y - c.y)
        let area = ux * vy - uy * vx
        guard abs(area) > 1e-9 else { return nil }
        let s = ((c.x - a.x) * vy - (c.y - a.y) * vx) / area
        let t = ((c.x - a.x) * uy - (c.y - a.y) * ux) / area
        return (0...1).contains(s) && (0...1).contains(t) ? (s, t) : nil
    }

    // MARK: Tracing

    private func withoutDeadEnds(_ edges: Set<Edge>) -> [Int: Set<Int>] {
        var neighbours: [Int: Set<Int>] = [:]
        for edge in edges {
            neighbours[edge.low, default: []].insert(edge.high)
            neighbours[edge.high, default: []].insert(edge.low)
        }
        var ends = neighbours.filter { $0.value.count == 1 }.map(\.key)
        while let end = ends.popLast() {
            guard let only = neighbours[end]?.first, neighbours[end]?.count == 1 else { continue }
            neighbours[end] = nil
            neighbours[only]?.remove(end)
            if neighbours[only]?.count == 1 { ends.append(only) }
        }
        return neighbours.filter { !$0.value.isEmpty }
    }

    private struct Half: Hashable {
        let from: Int
        let to: Int
    }

    /// Walks round each face with the face on the left.
    private mutating func trace(_ neighbours: [Int: Set<Int>]) {
        var around: [Int: [Int]] = [:]
        for (node, others) in neighbours {
            let centre = points[node]
            around[node] = others.map { other in
                (other, atan2(points[other].y - centre.y, points[other].x - centre.x))
            }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
        }
        var seen: Set<Half> = []
        for start in around.keys.sorted() {
            for next in around[start] ?? [] where !seen.contains(Half(from: start, to: next)) {
                var half = Half(from: start, to: next)
                var ring: [Int] = []
                while seen.insert(half).inserted {
                    ring.append(half.from)
                    // The next edge clockwise from where one came keeps the face on the left.
                    guard let list = around[half.to], let place = list.firstIndex(of: half.from)
                    else { break }
                    let onward = list[(place + list.count - 1) % list.count]
                    half = Half(from: half.to, to: onward)
                }
                let corners = ring.map { points[$0] }
                if let polygon = Polygon(corners), polygon.signedArea > 0 { faces.append(corners) }
            }
        }
    }
}

/// Finds lines that are near to each other, by squares.
private struct LineGrid {
    private static let sideMetres = 2.0
    private static let mostSquares = 1_000_000

    private struct Square: Hashable {
        let column: Int
        let row: Int
    }

    private var squares: [Square: [Int]] = [:]
    /// The number of pairs of lines in one square, and of squares beyond the limit.
    private(set) var pairCount = 0

    init(_ lines: [(Point, Point)]) {
        var entries = 0
        for (index, line) in lines.enumerated() {
            let reach = FaceTracing.toleranceMetres
            func square(_ metres: Double) -> Int { Int((metres / Self.sideMetres).rounded(.down)) }
            let (west, east) = (min(line.0.x, line.1.x), max(line.0.x, line.1.x))
            for column in square(west - reach)...square(east + reach) {
                let edge = Double(column) * Self.sideMetres
                let part = Self.span(line, edge - reach, edge + Self.sideMetres + reach)
                for row in square(part.low - reach)...square(part.high + reach) {
                    squares[Square(column: column, row: row), default: []].append(index)
                    entries += 1
                }
                if entries > Self.mostSquares {
                    pairCount = .max
                    return
                }
            }
        }
        for list in squares.values {
            let (pairs, isOver) = pairCount.addingReportingOverflow(list.count * list.count / 2)
            pairCount = isOver ? .max : pairs
        }
    }

    /// The lowest and highest y of a line between two x. All of an upright line is between them.
    private static func span(
        _ line: (Point, Point), _ west: Double, _ east: Double
    ) -> (low: Double, high: Double) {
        let (low, high) = (min(line.0.y, line.1.y), max(line.0.y, line.1.y))
        let width = line.1.x - line.0.x
        guard abs(width) > 1e-9 else { return (low, high) }
        let heights = [west, east].map { (x: Double) -> Double in
            let share = (x - line.0.x) / width
            return min(max(line.0.y + share * (line.1.y - line.0.y), low), high)
        }
        return (min(heights[0], heights[1]), max(heights[0], heights[1]))
    }

    /// Pairs of lines, each once, in a fixed order.
    var neighbours: [(Int, Int)] {
        var pairs: Set<Pair> = []
        for list in squares.values {
            for (place, one) in list.enumerated() {
                for other in list[(place + 1)...] where one != other {
                    pairs.insert(Pair(low: min(one, other), high: max(one, other)))
                }
            }
        }
        return pairs.sorted { ($0.low, $0.high) < ($1.low, $1.high) }.map { ($0.low, $0.high) }
    }

    private struct Pair: Hashable {
        let low: Int
        let high: Int
    }
}
