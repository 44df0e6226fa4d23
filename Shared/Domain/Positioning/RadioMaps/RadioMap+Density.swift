import Geometry

extension RadioMap {
    /// A floor is densely surveyed if walks stopped closer together than this, in metres.
    static let denseMetres = 1.0

    /// The side of a square, half of `denseMetres`. Any two points in one square are close.
    private static let squareMetres = denseMetres / 2
    /// Squares farther away in either direction have no close points.
    private static let reach = -2...2

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
    ///
    /// Only a point that is alone in its square is compared with those around it. So the points of
    /// a square are looked at by few others, however many they are.
    func areDense() -> [Bool] {
        func square(_ fingerprint: Fingerprint, _ x: Int = 0, _ y: Int = 0) -> Square {
            Square(
                floor: fingerprint.floor, walk: fingerprint.walk,
                x: Int((fingerprint.point.x / Self.squareMetres).rounded(.down)) + x,
                y: Int((fingerprint.point.y / Self.squareMetres).rounded(.down)) + y)
        }
        var squares: [Square: Set<Point>] = [:]
        for fingerprint in fingerprints {
            squares[square(fingerprint), default: []].insert(fingerprint.point)
        }
        func isClose(_ fingerprint: Fingerprint) -> Bool {
            let own = fingerprint.point
            if let beside = squares[square(fingerprint)], beside.count > 1 { return true }
            return Self.reach.contains { x in
                Self.reach.contains { y in
                    squares[square(fingerprint, x, y)]?.contains {
                        $0 != own && $0.distance(to: own) < Self.denseMetres
                    } ?? false
                }
            }
        }
        var excess = [Int](repeating: 0, count: floors.count)
        for fingerprint in fingerprints {
            excess[Int(fingerprint.floor)] += isClose(fingerprint) ? 1 : -1
        }
        return excess.map { $0 > 0 }
    }
}
