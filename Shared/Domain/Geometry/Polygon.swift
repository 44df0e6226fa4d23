/// A closed outline without holes, in metres. The last corner joins the first. Corners may run in
/// either direction.
public struct Polygon: Hashable, Sendable {
    /// Points this near to an edge count as on it, and so as inside. A millionth of a millimetre is
    /// far above the rounding of coordinates of a few kilometres, and far below any wall.
    static let edgeToleranceMetres = 1e-9

    public let corners: [Point]
    public let boundingBox: BoundingBox

    /// Makes a polygon; a repeated first corner at the end is dropped. Nil for fewer than three
    /// corners, or for coordinates that are not finite.
    public init?(_ corners: [Point]) {
        var corners = corners
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        guard corners.count >= 3, corners.allSatisfy(\.isFinite),
            let box = BoundingBox(corners)
        else { return nil }
        self.corners = corners
        self.boundingBox = box
    }

    /// The area in square metres by the shoelace formula; positive when the corners run
    /// anticlockwise.
    public var signedArea: Double {
        // Coordinates are relative to one corner, so that distant ones do not lose precision.
        let origin = corners[0]
        var twice = 0.0
        forEachEdge { start, end in
            twice += (start.x - origin.x) * (end.y - origin.y)
            twice -= (end.x - origin.x) * (start.y - origin.y)
        }
        return twice / 2
    }

    /// The area in square metres.
    public var area: Double { abs(signedArea) }

    /// The centre of mass; the middle of the bounding box for an outline without area.
    public var centroid: Point {
        let origin = corners[0]
        var twiceArea = 0.0
        var sumX = 0.0
        var sumY = 0.0
        forEachEdge { start, end in
            let (ax, ay) = (start.x - origin.x, start.y - origin.y)
            let (bx, by) = (end.x - origin.x, end.y - origin.y)
            let cross = ax * by - bx * ay
            twiceArea += cross
            sumX += (ax + bx) * cross
            sumY += (ay + by) * cross
        }
        guard abs(twiceArea) > 1e-12 else { return boundingBox.centre }
        return Point(
            x: origin.x + sumX / (3 * twiceArea), y: origin.y + sumY / (3 * twiceArea))
    }

    /// Whether the point is inside or on an edge. It first checks the edges, then counts crossings
    /// of a ray (Franklin's half-open rule, so that a corner is crossed once).
    public func contains(_ point: Point) -> Bool {
        guard boundingBox.contains(point, tolerance: Self.edgeToleranceMetres) else { return false }
        var inside = false
        var previous = corners[corners.count - 1]
        for corner in corners {
            if isOnSegment(point, previous, corner) { return true }
            if (corner.y > point.y) != (previous.y > point.y) {
                let fraction = (point.y - corner.y) / (previous.y - corner.y)
                if point.x < corner.x + fraction * (previous.x - corner.x) { inside.toggle() }
            }
            previous = corner
        }
        return inside
    }

    /// Metres to the nearest edge, from inside or outside.
    public func distanceToEdge(from point: Point) -> Double {
        var nearest = Double.infinity
        forEachEdge { start, end in
            nearest = min(nearest, point.distance(toSegmentFrom: start, to: end))
        }
        return nearest
    }

    /// Metres to the polygon: 0 inside and on the edge.
    public func distance(from point: Point) -> Double {
        contains(point) ? 0 : distanceToEdge(from: point)
    }

    /// Calls the body with both ends of every edge.
    func forEachEdge(_ body: (Point, Point) -> Void) {
        var previous = corners[corners.count - 1]
        for corner in corners {
            body(previous, corner)
            previous = corner
        }
    }

    private func isOnSegment(_ point: Point, _ start: Point, _ end: Point) -> Bool {
        let tolerance = Self.edgeToleranceMetres
        guard point.x >= min(start.x, end.x) - tolerance,
            point.x <= max(start.x, end.x) + tolerance,
            point.y >= min(start.y, end.y) - tolerance,
            point.y <= max(start.y, end.y) + tolerance
        else { return false }
        return point.distance(toSegmentFrom: start, to: end) <= tolerance
    }
}
