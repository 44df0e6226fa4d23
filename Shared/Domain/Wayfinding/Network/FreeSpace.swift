import Geometry

/// The part of a room where a person can stand: inside its outline and outside its obstacles.
///
/// Edges belong to it, so two rooms may share a wall and a door may be in it.
struct FreeSpace: Sendable {
    /// A point counts as on a line within this distance in metres. It is far above rounding and far
    /// below any wall.
    static let tolerance = 1e-7
    /// Metres between paths and walls, about half a body's width. The first one is used that leaves
    /// room.
    private static let clearances = [0.3, 0.15, 0.05, 0.01]

    /// The most corners used for bends. An outline with thousands of corners is a curve, and fewer
    /// bends suffice.
    private static let mostBends = 250

    let outline: Polygon
    /// Smaller rooms and holes within the outline.
    let obstacles: [Polygon]
    /// The edges of the outline, then those of the obstacles.
    private let edges: [Edge]

    private struct Edge {
        var start: Point
        var end: Point
    }

    init(outline: Polygon, obstacles: [Polygon]) {
        self.outline = outline
        self.obstacles = obstacles
        edges = ([outline] + obstacles).flatMap { ring in
            ring.corners.indices.map { index in
                Edge(
                    start: ring.corners[index],
                    end: ring.corners[(index + 1) % ring.corners.count])
            }
        }
    }

    func contains(_ point: Point) -> Bool {
        guard outline.contains(point) || outline.distanceToEdge(from: point) <= Self.tolerance
        else { return false }
        return !obstacles.contains { isWithin($0, point) }
    }

    /// Whether a straight walk from one point of the space to another stays in the space.
    ///
    /// An edge that the line crosses blocks it. Where the line only touches edges, at corners or
    /// along walls, it is cut, and the middle of each part must be in the space.
    func isClear(from start: Point, to end: Point) -> Bool {
        let length = start.distance(to: end)
        guard length > Self.tolerance else { return contains(start) }
        let (ux, uy) = ((end.x - start.x) / length, (end.y - start.y) / length)
        var touches: [Double] = []
        let (lowX, highX) = (min(start.x, end.x), max(start.x, end.x))
        let (lowY, highY) = (min(start.y, end.y), max(start.y, end.y))
        let slack = Self.tolerance
        for edge in edges {
            let (a, b) = (edge.start, edge.end)
            if max(a.x, b.x) < lowX - slack || min(a.x, b.x) > highX + slack { continue }
            if max(a.y, b.y) < lowY - slack || min(a.y, b.y) > highY + slack { continue }
            // The distances in metres of the edge's two ends from the line, positive to the left.
            let sideA = ux * (a.y - start.y) - uy * (a.x - start.x)
            let sideB = ux * (b.y - start.y) - uy * (b.x - start.x)
            if (sideA > slack && sideB > slack) || (sideA < -slack && sideB < -slack) { continue }
            if abs(sideA) <= slack || abs(sideB) <= slack {
                for (side, corner) in [(sideA, a), (sideB, b)] where abs(side) <= slack {
                    touches.append((corner.x - start.x) * ux + (corner.y - start.y) * uy)
                }
                continue
            }
            let share = sideA / (sideA - sideB)
            let along =
                (a.x + share * (b.x - a.x) - start.x) * ux
                + (a.y + share * (b.y - a.y) - start.y) * uy
            // The sine of the angle between line and edge. It gives how far the line continues
            // beyond the edge, at a right angle to it.
            let sine = abs(sideA - sideB) / a.distance(to: b)
            if along * sine > slack && (length - along) * sine > slack { return false }
            touches.append(along)
        }
        return isClear(from: start, ux, uy, length, cutAt: touches)
    }

    private func isClear(
        from start: Point, _ ux: Double, _ uy: Double, _ length: Double, cutAt touches: [Double]
    ) -> Bool {
        let cuts =
            [0, length] + touches.filter { $0 > Self.tolerance && $0 < length - Self.tolerance }
        let sorted = cuts.sorted()
        for (from, to) in zip(sorted, sorted.dropFirst()) where to - from > 2 * Self.tolerance {
            let middle = (from + to) / 2
            if !contains(Point(x: start.x + middle * ux, y: start.y + middle * uy)) { return false }
        }
        return true
    }

    /// The point at which a path from `point` enters the space. It is the point itself, or a step
    /// away from the nearest wall if it is too close to one. The way from `point` leads over the
    /// nearest point of that wall.
    func porch(of point: Point) -> Point {
        let (foot, start, end) = nearestOnEdges(to: point)
        let isInside = contains(point)
        if isInside && foot.distance(to: point) > Self.clearances[1] { return point }
        let length = start.distance(to: end)
        guard length > 0 else { return foot }
        let normal = Point(x: (start.y - end.y) / length, y: (end.x - start.x) / length)
        for clearance in Self.clearances {
            for sign in [1.0, -1.0] {
                let porch = Point(
                    x: foot.x + sign * clearance * normal.x,
                    y: foot.y + sign * clearance * normal.y)
                if isClear(from: foot, to: porch) { return porch }
            }
        }
        return foot
    }

    /// The nearest point on any wall, and the ends of that wall's edge.
    func nearestOnEdges(to point: Point) -> (foot: Point, start: Point, end: Point) {
        var best = (foot: edges[0].start, start: edges[0].start, end: edges[0].end)
        var least = Double.infinity
        for edge in edges {
            let foot = point.foot(onSegmentFrom: edge.start, to: edge.end).point
            let distance = foot.distance(to: point)
            guard distance < least else { continue }
            least = distance
            best = (foot, edge.start, edge.end)
        }
        return best
    }

    /// The corners at which a shortest path may bend, each moved a little into the space.
    ///
    /// - Parameter isPulled: false leaves corners where they are. It is for passages so narrow that
    ///   moved corners are out of each other's sight.
    func bends(isPulled: Bool = true) -> [SpaceBend] {
        let all =
            bends(of: outline, isObstacle: false, isPulled)
            + obstacles.flatMap { bends(of: $0, isObstacle: true, isPulled) }
        guard all.count > Self.mostBends else { return all }
        // If a wall is drawn as a fine curve, the corners that stand out most are kept.
        return Array(all.sorted { $0.prominence > $1.prominence }.prefix(Self.mostBends))
    }

    private func bends(of ring: Polygon, isObstacle: Bool, _ isPulled: Bool) -> [SpaceBend] {
        let corners = ring.corners
        let count = corners.count
        // A corner with this turn stands out into the space.
        let outward = (ring.signedArea > 0) == isObstacle ? 1.0 : -1.0
        return corners.indices.compactMap { index in
            let corner = corners[index]
            let before = corners[(index + count - 1) % count]
            let after = corners[(index + 1) % count]
            let (inX, inY) = unit(from: before, to: corner)
            let (outX, outY) = unit(from: corner, to: after)
            let turn = inX * outY - inY * outX
            guard turn * outward > 1e-6 else { return nil }
            let bisector = unit(x: inX - outX, y: inY - outY)
            let clearances = isPulled ? Self.clearances : []
            let pulled = clearances.lazy.map { clearance in
                Point(x: corner.x + clearance * bisector.0, y: corner.y + clearance * bisector.1)
            }
            let point = pulled.first { isClear(from: corner, to: $0) } ?? corner
            guard contains(point) else { return nil }
            return SpaceBend(point: point, before: before, corner: corner, after: after)
        }
    }

    /// The point farthest from all walls, found by a search over a grid.
    func middle() -> Point {
        let steps = 12
        let box = outline.boundingBox
        var best = (point: outline.centroid, distance: -1.0)
        if contains(best.point) {
            best.distance = nearestOnEdges(to: best.point).foot.distance(to: best.point)
        }
        for row in 0..<steps {
            for column in 0..<steps {
                let point = Point(
                    x: box.minimum.x + (Double(column) + 0.5) * box.width / Double(steps),
                    y: box.minimum.y + (Double(row) + 0.5) * box.height / Double(steps))
                guard contains(point) else { continue }
                let distance = nearestOnEdges(to: point).foot.distance(to: point)
                // The centroid is preferred unless another point is clearly farther from the walls.
                if distance > best.distance * 1.25 { best = (point, distance) }
            }
        }
        return best.distance >= 0 ? best.point : outline.corners[0]
    }

    private func isWithin(_ obstacle: Polygon, _ point: Point) -> Bool {
        obstacle.contains(point) && obstacle.distanceToEdge(from: point) > Self.tolerance
    }
}

/// A corner that stands out into a space.
struct SpaceBend: Sendable {
    /// The point at which paths bend around the corner.
    var point: Point
    var before: Point
    var corner: Point
    var after: Point

    /// Metres by which the corner stands out over the line between its neighbours.
    var prominence: Double { corner.distance(toSegmentFrom: before, to: after) }

    /// Whether a shortest path from `other` can bend here. It can if both walls of the corner are
    /// on one side of the path.
    func isTangent(from other: Point) -> Bool {
        let (x, y) = (corner.x - other.x, corner.y - other.y)
        let distance = (x * x + y * y).squareRoot()
        /// The side of the path on which a wall is. Moved corners are slightly off, so a wall
        /// nearly along the path counts as on neither side.
        func side(_ end: Point) -> Int {
            let cross = x * (end.y - corner.y) - y * (end.x - corner.x)
            let slack = 0.35 * max(distance, end.distance(to: corner))
            return cross > slack ? 1 : cross < -slack ? -1 : 0
        }
        return side(before) * side(after) >= 0
    }
}

extension Point {
    /// The nearest point of a segment, and its place along the segment from 0 to 1.
    func foot(onSegmentFrom start: Point, to end: Point) -> (point: Point, share: Double) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let squared = dx * dx + dy * dy
        guard squared > 0 else { return (start, 0) }
        let along = ((x - start.x) * dx + (y - start.y) * dy) / squared
        let share = min(1, max(0, along))
        return (Point(x: start.x + share * dx, y: start.y + share * dy), share)
    }
}

private func unit(from start: Point, to end: Point) -> (Double, Double) {
    unit(x: end.x - start.x, y: end.y - start.y)
}

private func unit(x: Double, y: Double) -> (Double, Double) {
    let length = (x * x + y * y).squareRoot()
    return length > 0 ? (x / length, y / length) : (0, 0)
}
