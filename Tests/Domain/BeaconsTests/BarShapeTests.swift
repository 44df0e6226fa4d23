import Foundation
import Geometry
import Positioning
import SeededRandomness
import Testing

@testable import Beacons

@Suite("The shape of a position on a line of beacons") struct BarShapeTests {
    @Test("is long along the bar and narrow across, whichever end is first")
    func bar() {
        for (from, to) in [(0.0, 20.0), (20.0, 0.0)] {
            let shape = PreparedBeacons.covariance(
                of: .bar(from: Point(x: from, y: 5), to: Point(x: to, y: 5)), radius95: 10)
            #expect(abs(shape.xx - 26.03) < 0.01 && abs(shape.yy - 0.167) < 0.001)
            #expect(abs(shape.xy) < 1e-9)
        }
    }

    @Test("is round where it is a circle, or no longer than the least radius")
    func round() {
        let point = Point(x: 1, y: 2)
        let extents: [(BeaconPosition.Extent, Double)] = [
            (.circle(radiusMetres: 8), 8), (.bar(from: point, to: point), 3),
            (.bar(from: point, to: Point(x: 1.5, y: 2)), 1),
        ]
        for (extent, radius) in extents {
            let deviation = radius / 2.4477
            let shape = PreparedBeacons.covariance(of: extent, radius95: radius)
            #expect(shape.xx == shape.yy && shape.xy == 0)
            #expect(abs(shape.xx.squareRoot() - deviation) < 0.01 * deviation)
        }
    }

    /// The slow way: the second moments of four points, two at the ends and two at the sides.
    @Test("has the second moments of points along the bar and across it", arguments: 0..<30)
    func moments(seed: Int) {
        var random = SeededRandom(seed: seed)
        let angle = Double.random(in: 0...(2 * .pi), using: &random)
        let radius = Double.random(in: 1.1...60, using: &random)
        let from = Point(x: 3, y: 4)
        let to = Point(x: 3 + 9 * cos(angle), y: 4 + 9 * sin(angle))
        let shape = PreparedBeacons.covariance(of: .bar(from: from, to: to), radius95: radius)
        let (long, short) = (radius / 1.96, 1 / 2.4477)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for (length, turn) in [(long, 0.0), (-long, 0.0), (short, 0.5), (-short, 0.5)] {
            let direction = angle + turn * .pi
            let x = length * 2.0.squareRoot() * cos(direction)
            let y = length * 2.0.squareRoot() * sin(direction)
            xx += x * x / 4
            xy += x * y / 4
            yy += y * y / 4
        }
        #expect(abs(shape.xx - xx) < 1e-9 * (1 + xx) && abs(shape.yy - yy) < 1e-9 * (1 + yy))
        #expect(abs(shape.xy - xy) < 1e-9 * (1 + long * long))
    }
}
