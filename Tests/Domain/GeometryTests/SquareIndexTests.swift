import Geometry
import SeededRandomness
import Testing

@Suite struct SquareIndexTests {
    @Test(
        "Every thing within a side is near, as a search of all finds",
        arguments: 0..<30 as Range<UInt64>)
    func near(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let side = Double.random(in: 0.3...20, using: &random)
        // Also on the sides of squares, and on both sides of the origin.
        func coordinate() -> Double {
            let number = Double(Int.random(in: -6...6, using: &random))
            return Bool.random(using: &random)
                ? number * side : Double.random(in: -6...6, using: &random) * side
        }
        let things = (0..<200).map { number in
            (number: number, point: Point(x: coordinate(), y: coordinate()), floor: number % 3)
        }
        var index = SquareIndex<Int, Int>(side: side)
        for thing in things { index.insert(thing.number, at: thing.point, on: thing.floor) }
        for _ in 0..<50 {
            let (point, floor) = (
                Point(x: coordinate(), y: coordinate()), Int.random(in: 0...3, using: &random)
            )
            let found = index.near(point, on: floor)
            let close = things.filter { $0.floor == floor && $0.point.distance(to: point) <= side }
            #expect(Set(close.map(\.number)).isSubset(of: found))
            #expect(Set(found).count == found.count)
            for number in found {
                let thing = things[number]
                #expect(thing.floor == floor)
                #expect(abs(thing.point.x - point.x) < 2 * side)
                #expect(abs(thing.point.y - point.y) < 2 * side)
            }
        }
    }

    @Test("Things of one square come in the order in which they were put there")
    func order() {
        var index = SquareIndex<String, Int>(side: 2)
        for number in 0..<10 { index.insert(number, at: Point(x: 1, y: 1), on: "g") }
        #expect(index.near(Point(x: 3, y: -1), on: "g") == Array(0..<10))
        #expect(index.near(Point(x: 4, y: 1), on: "g").isEmpty)
        #expect(index.near(Point(x: 1, y: 1), on: "h").isEmpty)
    }
}
