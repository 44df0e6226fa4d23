import Geometry
import SeededRandomness
import Testing

@testable import SiteMap

/// Each function against a slow one that needs no thought.
@Suite("Lines of a part") struct LineCuttingTests {
    private static let box = BoundingBox(around: [0, 0]).including([10, 6])

    @Test("A clipped line has what is within the box and nothing else", arguments: 0..<60)
    func clip(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let line = (0..<Int.random(in: 2...9, using: &random)).map { _ in
            // Whole numbers often lie on edges and corners of the box.
            Point(
                x: Double.random(in: -6...16, using: &random).rounded(),
                y: Double.random(in: -6...12, using: &random).rounded())
        }
        let parts = clipped(line, to: Self.box)
        for part in parts {
            #expect(part.count > 1)
            for place in Self.samples(part) {
                #expect(Self.box.contains(place, tolerance: 1e-9))
                #expect(Self.distance(place, to: [line]) < 1e-9)
            }
        }
        for place in Self.samples(line) where Self.box.contains(place, tolerance: -1e-9) {
            #expect(Self.distance(place, to: parts) < 1e-9, "\(place) is missing")
        }
    }

    @Test(
        "A share of a segment is within the box, and what is outside of it is not",
        arguments: 0..<60)
    func share(seed: Int) {
        var random = SeededRandom(seed: seed)
        func point() -> Point {
            Point(
                x: Double.random(in: -6...16, using: &random),
                y: Double.random(in: -6...12, using: &random))
        }
        let (start, stop) = (point(), point())
        let found = shares(from: start, to: stop, within: Self.box)
        for step in 0...200 {
            let share = Double(step) / 200
            let place = Point(
                x: start.x + share * (stop.x - start.x), y: start.y + share * (stop.y - start.y))
            let isNearEdge =
                Self.box.contains(place, tolerance: 1e-9)
                != Self.box.contains(place, tolerance: -1e-9)
            guard !isNearEdge else { continue }
            #expect((found?.contains(share) ?? false) == Self.box.contains(place))
        }
    }

    @Test("A simplified line is that of the definition by recursion", arguments: 0..<60)
    func simplify(seed: Int) {
        var random = SeededRandom(seed: seed)
        let line = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            GridPoint(
                x: Int.random(in: 0...12, using: &random), y: Int.random(in: 0...12, using: &random)
            )
        }
        let tolerance = Double.random(in: 0...4, using: &random)
        #expect(simplified(line, tolerance: tolerance) == Self.recursively(line, tolerance))
    }

    @Test("Of several lines each segment is left once", arguments: 0..<60)
    func draw(seed: Int) {
        var random = SeededRandom(seed: seed)
        var drawn: Set<MapSegment> = []
        var wanted: Set<Set<GridPoint>> = []
        var left: [Set<GridPoint>] = []
        for _ in 0..<5 {
            let line = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                GridPoint(
                    x: Int.random(in: 0...3, using: &random),
                    y: Int.random(in: 0...3, using: &random)
                )
            }
            for (one, other) in zip(line, line.dropFirst()) where one != other {
                wanted.insert([one, other])
            }
            for part in undrawn(line, drawn: &drawn) {
                #expect(part.count > 1)
                left += zip(part, part.dropFirst()).map { [$0, $1] }
            }
        }
        #expect(Set(left) == wanted && left.count == wanted.count)
    }

    private static func recursively(_ line: [GridPoint], _ tolerance: Double) -> [GridPoint] {
        guard let first = line.first, let last = line.last, line.count > 2 else { return line }
        let distances = line.map { $0.point.distance(toSegmentFrom: first.point, to: last.point) }
        let inner = distances.dropFirst().dropLast()
        guard let most = inner.max(), most > tolerance,
            let place = inner.firstIndex(of: most)
        else { return [first, last] }
        return recursively(Array(line[...place]), tolerance).dropLast()
            + recursively(Array(line[place...]), tolerance)
    }

    /// Many places along a line.
    private static func samples(_ line: [Point]) -> [Point] {
        zip(line, line.dropFirst()).flatMap { start, stop in
            (0...20).map { step in
                let share = Double(step) / 20
                return Point(
                    x: start.x + share * (stop.x - start.x),
                    y: start.y + share * (stop.y - start.y))
            }
        }
    }

    static func distance(_ place: Point, to lines: [[Point]]) -> Double {
        lines.flatMap { line in
            zip(line, line.dropFirst()).map { place.distance(toSegmentFrom: $0, to: $1) }
        }.min() ?? .infinity
    }
}

extension BoundingBox {
    func including(_ point: Point) -> BoundingBox {
        var box = self
        box.include(point)
        return box
    }
}
