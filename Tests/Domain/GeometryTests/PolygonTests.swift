import Geometry
import SeededRandomness
import Testing

@Suite struct PolygonTests {
    /// The polygon of a drawing, with corners in the order of the letters. One character is one
    /// metre, and the lowest line is y = 0.
    private func drawn(_ drawing: String) -> Polygon {
        let lines = drawing.split(separator: "\n", omittingEmptySubsequences: false).reversed()
        var corners: [(Character, Point)] = []
        for (y, line) in lines.enumerated() {
            for (x, character) in line.enumerated() where character.isLetter {
                corners.append((character, Point(x: Double(x), y: Double(y))))
            }
        }
        return Polygon(corners.sorted { $0.0 < $1.0 }.map(\.1))!
    }

    private var hall: Polygon {
        drawn(
            """
            f---------e
            |         |
            |    c----d
            |    |
            a----b
            """)
    }

    @Test("An L-shaped hall has the area of its two parts and its centre of mass in between")
    func areaAndCentroid() {
        #expect(hall.area == 30)
        #expect(abs(hall.centroid.x - 25.0 / 6) < 1e-12)
        #expect(abs(hall.centroid.y - 7.0 / 3) < 1e-12)
        #expect(Polygon(hall.corners.reversed())!.signedArea == -30)
    }

    @Test("Points inside, outside and on the edge are distinguished")
    func containment() {
        #expect(hall.contains(Point(x: 2, y: 1)))
        #expect(!hall.contains(Point(x: 7, y: 1)))
        #expect(hall.contains(Point(x: 7, y: 3)))
        for corner in hall.corners { #expect(hall.contains(corner)) }
        #expect(hall.contains(Point(x: 5, y: 1)))
        #expect(hall.distance(from: Point(x: 7, y: 1)) == 1)
        #expect(hall.distance(from: Point(x: 2, y: 1)) == 0)
        #expect(hall.distanceToEdge(from: Point(x: 2, y: 1)) == 1)
    }

    @Test("Points on slanted edges count as inside", arguments: 0..<50)
    func slantedEdges(seed: Int) {
        var random = SeededRandom(seed: seed)
        let corners = (0..<3).map { _ in
            Point(x: .random(in: -900...900, using: &random), y: .random(in: 0...9, using: &random))
        }
        guard let triangle = Polygon(corners) else { return }
        let share = Double.random(in: 0...1, using: &random)
        let onEdge = Point(
            x: corners[0].x + share * (corners[1].x - corners[0].x),
            y: corners[0].y + share * (corners[1].y - corners[0].y))
        #expect(triangle.contains(onEdge))
    }

    @Test("Containment agrees with the winding number", arguments: 0..<100)
    func againstWindingNumber(seed: Int) {
        var random = SeededRandom(seed: seed)
        let corners = (0..<Int.random(in: 3...9, using: &random)).map { _ in
            Point(
                x: .random(in: 0...10, using: &random), y: .random(in: 0...10, using: &random))
        }
        let polygon = Polygon(corners)!
        guard polygon.isSimple else { return }
        for _ in 0..<50 {
            let point = Point(
                x: .random(in: -1...11, using: &random), y: .random(in: -1...11, using: &random))
            #expect(polygon.contains(point) == (windingNumber(point, corners) != 0))
        }
    }

    /// Sunday's winding number, the slow and obvious method.
    private func windingNumber(_ point: Point, _ corners: [Point]) -> Int {
        var winding = 0
        for (index, start) in corners.enumerated() {
            let end = corners[(index + 1) % corners.count]
            let side =
                (end.x - start.x) * (point.y - start.y) - (point.x - start.x) * (end.y - start.y)
            if start.y <= point.y, end.y > point.y, side > 0 { winding += 1 }
            if start.y > point.y, end.y <= point.y, side < 0 { winding -= 1 }
        }
        return winding
    }

    @Test("An outline that crosses, touches or runs back over itself is not simple")
    func simplicity() {
        #expect(hall.isSimple)
        let bowTie = [Point(x: 0, y: 0), Point(x: 2, y: 2), Point(x: 2, y: 0), Point(x: 0, y: 2)]
        #expect(!Polygon(bowTie)!.isSimple)
        let spike = [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 2, y: 0), Point(x: 2, y: 2)]
        #expect(!Polygon(spike)!.isSimple)
        let touching = [
            Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 4), Point(x: 2, y: 0),
            Point(x: 0, y: 4),
        ]
        #expect(!Polygon(touching)!.isSimple)
    }

    @Test(
        "Whether an outline is simple agrees with a check of each pair of edges", arguments: 0..<300
    )
    func againstAllPairs(seed: Int) {
        var random = SeededRandom(seed: seed)
        // On a coarse grid edges often touch, lie on one another or have no length.
        let corners = (0..<Int.random(in: 3...9, using: &random)).map { _ in
            Point(
                x: Double(Int.random(in: 0...6, using: &random)),
                y: Double(Int.random(in: 0...6, using: &random)))
        }
        guard let polygon = Polygon(corners) else { return }
        let ring = polygon.corners
        var isSimple = true
        for first in ring.indices {
            if ring[first] == ring[(first + 1) % ring.count] { isSimple = false }
            for second in ring.indices where second > first {
                let shared =
                    (first + 1) % ring.count == second
                    ? [ring[second]] : (second + 1) % ring.count == first ? [ring[first]] : []
                if commonPoints(ring, first, second) != Set(shared) { isSimple = false }
            }
        }
        #expect(polygon.isSimple == isSimple)
    }

    /// The ends that lie on both edges, and the point where the edges cross.
    private func commonPoints(_ ring: [Point], _ first: Int, _ second: Int) -> Set<Point> {
        let (a, b) = (ring[first], ring[(first + 1) % ring.count])
        let (c, d) = (ring[second], ring[(second + 1) % ring.count])
        func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
            (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        }
        func isOn(_ point: Point, _ a: Point, _ b: Point) -> Bool {
            side(a, b, point) == 0 && point.x >= min(a.x, b.x) && point.x <= max(a.x, b.x)
                && point.y >= min(a.y, b.y) && point.y <= max(a.y, b.y)
        }
        var common: Set<Point> = []
        for (point, start, end) in [(a, c, d), (b, c, d), (c, a, b), (d, a, b)]
        where isOn(point, start, end) { common.insert(point) }
        let crosses =
            side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
        if crosses { common.insert(Point(x: .infinity, y: 0)) }
        return common
    }

    @Test("A comb of two thousand teeth is checked as quickly as any outline")
    func comb() throws {
        let teeth = (0..<1_990).map { Point(x: Double($0 % 2) * 900, y: Double($0) / 2) }
        let comb = try #require(
            Polygon(teeth + [Point(x: -100, y: 995), Point(x: -100, y: 0)]))
        for _ in 0..<100 { #expect(comb.isSimple) }
        #expect(!Polygon(teeth + [Point(x: 450, y: 995), Point(x: 450, y: 0)])!.isSimple)
    }

    @Test("Fewer than three corners, or infinite coordinates, make no polygon")
    func refused() {
        let start = Point(x: 0, y: 0)
        #expect(Polygon([start, Point(x: 1, y: 0)]) == nil)
        #expect(Polygon([start, Point(x: 1, y: 0), start]) == nil)
        #expect(Polygon([start, Point(x: 1, y: 0), Point(x: .nan, y: 1)]) == nil)
        let closed = Polygon([start, Point(x: 1, y: 0), Point(x: 0, y: 1), start])
        #expect(closed?.corners.count == 3)
    }

    @Test("The grid finds the same polygons as a test of each of them", arguments: 0..<40)
    func gridAgainstAll(seed: Int) {
        var random = SeededRandom(seed: seed)
        let polygons = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            let x = Double.random(in: 0...100, using: &random)
            let y = Double.random(in: 0...30, using: &random)
            let size = Double.random(in: 0.5...40, using: &random)
            return Polygon([
                Point(x: x, y: y), Point(x: x + size, y: y + 1), Point(x: x + 2, y: y + size),
            ])!
        }
        let grid = PolygonGrid(polygons)
        for _ in 0..<100 {
            let point = Point(
                x: .random(in: -5...120, using: &random), y: .random(in: -5...80, using: &random))
            let expected = polygons.indices.filter { polygons[$0].contains(point) }
            #expect(grid.polygons(containing: point) == expected)
        }
        for polygon in polygons {
            #expect(grid.polygons(containing: polygon.boundingBox.maximum).count >= 0)
            #expect(
                grid.polygons(containing: polygon.corners[0]).contains { polygons[$0] == polygon })
        }
    }
}
