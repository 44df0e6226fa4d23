/// The smallest rectangle along the axes that contains some points, in metres. Its edges belong to
/// it.
public struct BoundingBox: Hashable, Sendable {
    public private(set) var minimum: Point
    public private(set) var maximum: Point

    /// Nil if there are no points.
    public init?(_ points: some Collection<Point>) {
        guard let first = points.first else { return nil }
        minimum = first
        maximum = first
        for point in points.dropFirst() { include(point) }
    }

    public var width: Double { maximum.x - minimum.x }
    public var height: Double { maximum.y - minimum.y }
    public var centre: Point {
        Point(x: (minimum.x + maximum.x) / 2, y: (minimum.y + maximum.y) / 2)
    }

    public mutating func include(_ point: Point) {
        minimum.x = min(minimum.x, point.x)
        minimum.y = min(minimum.y, point.y)
        maximum.x = max(maximum.x, point.x)
        maximum.y = max(maximum.y, point.y)
    }

    /// Whether the point lies within, or outside by no more than `tolerance` metres along an axis.
    public func contains(_ point: Point, tolerance: Double = 0) -> Bool {
        point.x >= minimum.x - tolerance && point.x <= maximum.x + tolerance
            && point.y >= minimum.y - tolerance && point.y <= maximum.y + tolerance
    }

    /// Whether two boxes share at least a point.
    public func intersects(_ other: BoundingBox) -> Bool {
        minimum.x <= other.maximum.x && other.minimum.x <= maximum.x
            && minimum.y <= other.maximum.y && other.minimum.y <= maximum.y
    }
}
