import Geometry
import SeededRandomness
import Testing

@testable import SiteMap

@Suite("Pole of inaccessibility") struct PoleTests {
    @Test(
        "It is as far inside as the best point of a fine grid, within the precision",
        arguments: 0..<30)
    func agreesWithGrid(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let corners = Int.random(in: 3...12, using: &random)
        // The edges of a star around the origin never cross, whatever the lengths of its rays.
        let outline = (0..<corners).map { corner -> Point in
            let angle = (Double(corner) + 0.3) / Double(corners) * 2 * Double.pi
            let radius = Double.random(in: 2...20, using: &random)
            return [radius * cosine(angle), radius * cosine(angle - .pi / 2)]
        }
        let hole: [Ring] =
            seed % 3 == 0 ? [[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]] : []
        let shape = try #require(AreaShape(Ring(outline), holes: hole))
        let depth = shape.depth(of: shape.pole(precisionMetres: 0.05))
        let box = shape.outline.boundingBox
        var deepest = -Double.infinity
        for column in 0...120 {
            for row in 0...120 {
                let point = Point(
                    x: box.minimum.x + box.width * Double(column) / 120,
                    y: box.minimum.y + box.height * Double(row) / 120)
                deepest = max(deepest, shape.depth(of: point))
            }
        }
        #expect(depth > 0)
        #expect(depth >= deepest - 0.05)
    }

    @Test("It is in the middle of a square, in the thick end of an L, and beside a hole")
    func examples() throws {
        let square = try #require(AreaShape([[0, 0], [10, 0], [10, 10], [0, 10]]))
        #expect(square.pole(precisionMetres: 0.01).distance(to: Point(x: 5, y: 5)) < 0.1)
        let angle = try #require(
            AreaShape([[0, 0], [20, 0], [20, 10], [12, 10], [12, 4], [0, 4]]))
        let pole = angle.pole(precisionMetres: 0.01)
        #expect(pole.x > 12)
        #expect(angle.depth(of: pole) > 3.9)
        let ring = try #require(
            AreaShape(
                [[0, 0], [10, 0], [10, 10], [0, 10]],
                holes: [[[1, 1], [7, 1], [7, 9], [1, 9]]]))
        #expect(ring.pole(precisionMetres: 0.01).x > 7)
    }

    @Test("An outline without area has a pole too")
    func degenerate() throws {
        let line = try #require(AreaShape([[0, 0], [5, 0], [10, 0]]))
        #expect(line.pole(precisionMetres: 0.1).isFinite)
    }
}
