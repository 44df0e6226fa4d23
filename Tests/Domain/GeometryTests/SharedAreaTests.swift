import Foundation
import Geometry
import SeededRandomness
import Testing

@Suite("Shared area of polygons") struct SharedAreaTests {
    private func polygon(_ corners: [(Double, Double)]) throws -> Polygon {
        try #require(Polygon(corners.map { Point(x: $0.0, y: $0.1) }))
    }

    @Test("Squares share their common part, neighbours nothing") func squares() throws {
        let square = try polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
        #expect(square.sharedArea(with: square) == 16)
        let shifted = try polygon([(3, 1), (7, 1), (7, 9), (3, 9)])
        #expect(abs(square.sharedArea(with: shifted) - 3) < 1e-9)
        let neighbour = try polygon([(4, 0), (8, 0), (8, 4), (4, 4)])
        #expect(square.sharedArea(with: neighbour) == 0)
        let cross = try polygon([(-1, 1), (5, 1), (5, 2), (-1, 2)])
        #expect(abs(square.sharedArea(with: cross) - 4) < 1e-9)
    }

    /// The polygons are stars around points, so that none crosses itself.
    @Test("The shared area agrees with a count of points on a fine grid", arguments: 0..<8)
    func grid(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        func star(_ x: Double, _ y: Double) throws -> Polygon {
            let count = Int.random(in: 3...9, using: &random)
            let angles = (0..<count).map { _ in Double.random(in: 0..<6.28, using: &random) }
            return try polygon(
                angles.sorted().map { angle in
                    let length = Double.random(in: 1...4, using: &random)
                    return (x + length * cos(angle), y + length * sin(angle))
                })
        }
        let (one, other) = (try star(0, 0), try star(2, 1))
        let step = 0.04
        var count = 0
        for row in -125..<125 {
            for column in -125..<125 {
                let point = Point(x: (Double(column) + 0.37) * step, y: (Double(row) + 0.61) * step)
                if one.contains(point), other.contains(point) { count += 1 }
            }
        }
        #expect(abs(one.sharedArea(with: other) - Double(count) * step * step) < 0.25)
    }
}
