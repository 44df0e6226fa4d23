import Geometry
import SeededRandomness

@testable import Wayfinding

/// A random room of adjacent squares, made from a seed; the parts that it encloses are holes.
struct RandomRoom {
    static let side = 9

    let squares: Set<Square>
    let space: FreeSpace
    private var random: SeededRandom

    init(seed: Int) {
        var random = SeededRandom(seed: seed)
        var squares: Set = [Square(column: Self.side / 2, row: Self.side / 2)]
        let count = Int.random(in: 4...45, using: &random)
        while squares.count < count {
            let from = squares.sorted { ($0.column, $0.row) < ($1.column, $1.row) }
                .randomElement(using: &random)
            let step = [(0, 1), (1, 0), (0, -1), (-1, 0)].randomElement(using: &random)
            guard let from, let step else { break }
            let next = Square(column: from.column + step.0, row: from.row + step.1)
            guard (0..<Self.side).contains(next.column), (0..<Self.side).contains(next.row) else {
                continue
            }
            // Two squares that touch only at a corner would make the outline touch itself.
            squares.insert(next)
            squares.formUnion(Self.fills(of: next, in: squares))
        }
        self.squares = squares
        let rings = SquareOutline.rings(of: squares).compactMap(\.polygon)
        space = FreeSpace(outline: rings[0], obstacles: Array(rings.dropFirst()))
        self.random = random
    }

    private static func fills(of square: Square, in squares: Set<Square>) -> Set<Square> {
        var fills: Set<Square> = []
        for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let diagonal = Square(column: square.column + dx, row: square.row + dy)
            let first = Square(column: square.column + dx, row: square.row)
            let second = Square(column: square.column, row: square.row + dy)
            if squares.contains(diagonal), !squares.contains(first), !squares.contains(second) {
                fills.insert(first)
                fills.formUnion(Self.fills(of: first, in: squares.union([square, first])))
            }
        }
        return fills
    }

    /// A random point well inside a square.
    mutating func point() -> Point {
        let sorted = squares.sorted { ($0.column, $0.row) < ($1.column, $1.row) }
        let square = sorted.randomElement(using: &random) ?? Square(column: 0, row: 0)
        return Point(
            x: Double(square.column) + Double.random(in: 0.1...0.9, using: &random),
            y: -Double(square.row) - Double.random(in: 0.1...0.9, using: &random))
    }

    /// Tests many points of the line for being on a square.
    func isClearSlowly(from start: Point, to end: Point) -> Bool {
        let steps = 4_000
        return (0...steps).allSatisfy { step in
            let share = Double(step) / Double(steps)
            let x = start.x + share * (end.x - start.x)
            let y = start.y + share * (end.y - start.y)
            return squares.contains(
                Square(column: Int(x.rounded(.down)), row: Int((-y).rounded(.down))))
        }
    }

    /// The length in metres of the shortest path over all corners, unmoved; nil if there is none.
    func shortest(from start: Point, to end: Point) -> Double? {
        let rings = [space.outline] + space.obstacles
        let points = [start, end] + rings.flatMap(\.corners)
        var metres = [Double](repeating: .infinity, count: points.count)
        var isSettled = [Bool](repeating: false, count: points.count)
        metres[0] = 0
        while let next = points.indices.filter({ !isSettled[$0] && metres[$0] < .infinity })
            .min(by: { metres[$0] < metres[$1] })
        {
            if next == 1 { return metres[1] }
            isSettled[next] = true
            for other in points.indices where !isSettled[other] {
                let sum = metres[next] + points[next].distance(to: points[other])
                guard sum < metres[other], space.isClear(from: points[next], to: points[other])
                else { continue }
                metres[other] = sum
            }
        }
        return nil
    }
}
