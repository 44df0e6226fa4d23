import Events
import Geometry
import Site
import Testing

@Suite
struct PlanTransformTests {
    private func transform(
        _ alignment: PlanAlignment, siteBearing: Double = 0
    ) throws -> PlanTransform {
        try PlanTransform(
            alignment, widthPixels: 400, heightPixels: 200, siteBearingDegrees: siteBearing)
    }

    private func expect(
        _ transform: PlanTransform, _ column: Double, _ row: Double, at x: Double, _ y: Double
    ) {
        let point = transform.point(column: column, row: row)
        #expect(abs(point.x - x) < 1e-9 && abs(point.y - y) < 1e-9, "\(point)")
        let pixel = transform.pixel(Point(x: x, y: y))
        #expect(abs(pixel.column - column) < 1e-6 && abs(pixel.row - row) < 1e-6)
    }

    @Test("A placed picture lies about its centre, its upper edge along the bearing")
    func placed() throws {
        let upright = try transform(
            .placed(centre: [10, 20], metresPerPixel: 0.5, bearingDegrees: 0))
        expect(upright, 200, 100, at: 10, 20)
        expect(upright, 0, 0, at: -90, 70)
        let east = try transform(
            .placed(centre: [10, 20], metresPerPixel: 0.5, bearingDegrees: 90))
        // The upper edge is in the east, so the left edge is in the north.
        expect(east, 200, 0, at: 60, 20)
        expect(east, 0, 100, at: 10, 120)
        let along = try transform(
            .placed(centre: [10, 20], metresPerPixel: 0.5, bearingDegrees: 30), siteBearing: 30)
        expect(along, 0, 0, at: -90, 70)
    }

    @Test("Two corners give a turned and scaled picture that is not mirrored")
    func twoCorners() throws {
        expect(try transform(.corners([[0, 200], [400, 0]])), 100, 50, at: 100, 150)
        // Turned right by 90 degrees: the upper left corner becomes the upper right one.
        expect(try transform(.corners([[200, 400], [0, 0]])), 400, 0, at: 200, 0)
    }

    @Test("Four corners and three pairs give the same map as two corners of the same picture")
    func agreement() throws {
        let four = try transform(.corners([[0, 200], [400, 200], [400, 0], [0, 0]]))
        expect(four, 100, 50, at: 100, 150)
        #expect(four.residualMetres < 1e-9)
        let three = try transform(
            .pairs([
                PixelPair(column: 0, row: 0, point: [0, 200]),
                PixelPair(column: 400, row: 0, point: [400, 200]),
                PixelPair(column: 0, row: 200, point: [0, 0]),
            ]))
        expect(three, 100, 50, at: 100, 150)
        #expect(three.residualMetres < 1e-9)
    }

    @Test("The error that four pairs leave is the residual")
    func residual() throws {
        // A square with one corner 4 cm off. Least squares spread the error, 1 cm to each corner.
        let transform = try transform(
            .pairs([
                PixelPair(column: 0, row: 0, point: [0, 0.04]),
                PixelPair(column: 10, row: 0, point: [10, 0]),
                PixelPair(column: 10, row: 10, point: [10, -10]),
                PixelPair(column: 0, row: 10, point: [0, -10]),
            ]))
        #expect(abs(transform.residualMetres - 0.01) < 1e-9)
    }

    @Test(
        "Pairs that do not determine a position are refused",
        arguments: [
            (PlanAlignment.pairs([]), PlanTransform.Fault.tooFew),
            (.pairs([PixelPair(column: 1, row: 1, point: [1, 1])]), .tooFew),
            (
                .pairs([
                    PixelPair(column: 0, row: 0, point: [0, 0]),
                    PixelPair(column: 10, row: 10, point: [1, 5]),
                    PixelPair(column: 20, row: 20.001, point: [7, 2]),
                ]), .onOneLine
            ),
            (
                .pairs([
                    PixelPair(column: 0, row: 0, point: [0, 0]),
                    PixelPair(column: 10, row: 0, point: [1, 1]),
                    PixelPair(column: 0, row: 10, point: [2, 2]),
                ]), .onOneLine
            ),
            (
                .pairs([
                    PixelPair(column: 3, row: 3, point: [0, 0]),
                    PixelPair(column: 3, row: 3, point: [1, 1]),
                ]), .onOneLine
            ),
            (.corners([[0, 0], [1, 1], [2, 2]]), .tooFew),
        ])
    func refused(_ alignment: PlanAlignment, _ fault: PlanTransform.Fault) {
        #expect(throws: fault) { try transform(alignment) }
    }
}
