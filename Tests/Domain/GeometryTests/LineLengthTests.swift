import Geometry
import SeededRandomness
import Testing

@Suite("The length of a line") struct LineLengthTests {
    @Test("A line without a segment has no length")
    func short() {
        #expect([Point]().lengthMetres == 0)
        #expect([Point(x: 3, y: 4)].lengthMetres == 0)
    }

    @Test("A line there and back counts both ways, and a point that is twice there counts nothing")
    func known() {
        let (start, end) = (Point(x: 0, y: 0), Point(x: 3, y: 4))
        #expect([start, end].lengthMetres == 5)
        #expect([start, end, end, start].lengthMetres == 10)
    }

    @Test("The length is the sum of the segments", arguments: 0..<20 as Range<UInt64>)
    func sum(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let points = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            Point(
                x: .random(in: -50...50, using: &random),
                y: .random(in: -50...50, using: &random))
        }
        var metres = 0.0
        for index in points.indices.dropFirst() {
            let (across, up) = (
                points[index].x - points[index - 1].x, points[index].y - points[index - 1].y
            )
            metres += (across * across + up * up).squareRoot()
        }
        #expect(abs(points.lengthMetres - metres) < 1e-9)
    }
}
