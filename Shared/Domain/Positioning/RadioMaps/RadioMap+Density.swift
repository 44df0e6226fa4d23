import Geometry

extension RadioMap {
    /// A floor is densely surveyed if walks stopped closer together than this, in metres.
    static let denseMetres = 1.0

    private struct Square: Hashable {
        let floor: Int32
        let walk: Int32
        let x: Int
        let y: Int
    }

    /// Whether each floor is densely surveyed: around most of its surveys,
    /// the same walk has another point within `denseMetres`.
    ///
    /// Points of other walks don't count. Many walks along one corridor come close together, but
    /// none of them is dense.
    func areDense() -> [Bool] {
        func square(_ fingerprint: Fingerprint, _ x: Int = 0, _ y: Int = 0) -> Square {
            Square(
                floor: fingerprint.floor, walk: fingerprint.walk,
                x: Int((fingerprint.point.x / Self.denseMetres).rounded(.down)) + x,
                y: Int((fingerprint.point.y / Self.denseMetres).rounded(.down)) + y)
        }
        var squares: [Square: Set<Point>] = [:]
        for fingerprint in fingerprints {
            squares[square(fingerprint), default: []].insert(fingerprint.point)
        }
        var excess = [Int](repeating: 0, count: floors.count)
        for fingerprint in fingerprints {
            let own = fingerprint.point
            let isClose = (-1...1).contains { x in
                (-1...1).contains { y in
                    squares[square(fingerprint, x, y)]?.contains {
                        $0 != own && $0.distance(to: own) < Self.denseMetres
                    } ?? false
                }
            }
            excess[Int(fingerprint.floor)] += isClose ? 1 : -1
        }
        return excess.map { $0 > 0 }
    }
}
