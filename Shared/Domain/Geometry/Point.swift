import Glibc

/// A point of a site's frame, in metres.
public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Metres between two points.
    public func distance(to other: Point) -> Double {
        let dx = x - other.x
        let dy = y - other.y
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Metres to the nearest point of the segment from `start` to `end`.
    public func distance(toSegmentFrom start: Point, to end: Point) -> Double {
        let dx = end.x - start.x
        let dy = end.y - start.y
        let lengthSquared = dx * dx + dy * dy
        guard lengthSquared > 0 else { return distance(to: start) }
        let along = ((x - start.x) * dx + (y - start.y) * dy) / lengthSquared
        let clamped = min(1, max(0, along))
        return distance(to: Point(x: start.x + clamped * dx, y: start.y + clamped * dy))
    }

    public var isFinite: Bool { x.isFinite && y.isFinite }
}

extension [Point] {
    /// The length in metres of the line through the points in their order; 0 for fewer than two.
    public var lengthMetres: Double {
        zip(self, dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
