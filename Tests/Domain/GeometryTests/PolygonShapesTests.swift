import Geometry
import Testing

@Suite struct PolygonShapesTests {
    @Test("A circle's polygon has its area and stays within half a percent of it")
    func circle() throws {
        let polygon = try #require(Polygon.circle(centre: Point(x: 3, y: -2), radiusMetres: 4))
        #expect(polygon.corners.count == 32)
        #expect(abs(polygon.area - .pi * 16) < 1e-9)
        let centre = Point(x: 3, y: -2)
        for corner in polygon.corners { #expect(abs(corner.distance(to: centre) - 4) < 0.02) }
        #expect(abs(polygon.distanceToEdge(from: centre) - 4) < 0.02)
        #expect(polygon.signedArea > 0)
    }

    @Test("A square is turned clockwise about its centre")
    func square() throws {
        let centre = Point(x: 1, y: 1)
        let straight = try #require(
            Polygon.square(centre: centre, sideMetres: 2, turnedDegrees: 0))
        #expect(straight.corners.map(\.x) == [0, 2, 2, 0])
        #expect(straight.corners.map(\.y) == [0, 0, 2, 2])
        let turned = try #require(
            Polygon.square(centre: centre, sideMetres: 2, turnedDegrees: 90))
        // The lower left corner moves to the upper left.
        #expect(turned.corners[0].distance(to: Point(x: 0, y: 2)) < 1e-12)
        #expect(abs(turned.area - 4) < 1e-12)
    }
}
