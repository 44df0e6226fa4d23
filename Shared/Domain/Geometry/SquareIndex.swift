/// Things at points of floors, found by the squares around a point.
///
/// A floor is any value that keeps things apart: its id, its number in a radio map, or a pair with
/// something else. Points are within some million metres of the origin, and finite.
public struct SquareIndex<Floor: Hashable & Sendable, Element: Sendable>: Sendable {
    @usableFromInline
    struct Square: Hashable, Sendable {
        @usableFromInline let floor: Floor
        @usableFromInline let x: Int
        @usableFromInline let y: Int

        @inlinable
        init(floor: Floor, x: Int, y: Int) {
            self.floor = floor
            self.x = x
            self.y = y
        }
    }

    @usableFromInline let side: Double
    @usableFromInline var squares: [Square: [Element]] = [:]

    /// - Parameter side: the side of a square in metres, and the distance within which things are
    ///   found for certain.
    @inlinable
    public init(side: Double) {
        self.side = side
    }

    @inlinable
    public mutating func insert(_ element: Element, at point: Point, on floor: Floor) {
        let square = Square(floor: floor, x: number(point.x), y: number(point.y))
        squares[square, default: []].append(element)
    }

    /// The things of the point's square and of the eight around it. All things of the floor within
    /// the side of a square are there, and some farther ones. Equal contents come in equal order.
    @inlinable
    public func near(_ point: Point, on floor: Floor) -> [Element] {
        let (column, row) = (number(point.x), number(point.y))
        var found: [Element] = []
        for x in column - 1...column + 1 {
            for y in row - 1...row + 1 {
                if let some = squares[Square(floor: floor, x: x, y: y)] { found += some }
            }
        }
        return found
    }

    @inlinable
    func number(_ metres: Double) -> Int { Int((metres / side).rounded(.down)) }
}

extension SquareIndex: Equatable where Element: Equatable {}
extension SquareIndex: Hashable where Element: Hashable {}
