import Geometry

/// Where one can stand in a room: within its outline, and outside what stands in it.
///
/// Edges belong to it, so that two rooms may share a wall and a door may lie in it.
struct FreeSpace: Sendable {
    /// Nearer than this to a line counts as on it: far above rounding, far below any wall.
    static let tolerance = 1e-7
    /// Paths keep so far from corners and walls where there is room, about half a body's width;
    /// where there is not, less.
    private static let clearances = [0.3, 0.15, 0.05, 0.01]

    /// Outlines of thousands of corners are curves; so many bends lead around any.
    private static let mostBends = 250

    let outline: Polygon
    /// Smaller rooms and voids within.
    let obstacles: [Polygon]
    /// All edges: of the outline, then of the obstacles.
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

    /// Whether one can walk straight from one point of the space to another.
    ///
    /// An edge that is properly crossed ends it. Where edges are only touched, at corners or along
    /// walls, the line is cut there and the middle of each part is asked for.
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
            // Metres to the left of the line, of both ends of the edge.
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
            // How far the line goes on beyond the edge, square to it.
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

    /// Where one comes into the space from a point: the point itself when one can stand there with
    /// room around, else a step away from the nearest wall. The way there from the point is
    /// straight over the nearest point of the wall.
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

    /// The nearest point of any wall.
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

    /// The corners that a shortest path may bend at, each pulled a little into the space.
    ///
    /// - Parameter isPulled: without it corners stay where they are, for passages so narrow that
    ///   pulled corners do not see each other.
    func bends(isPulled: Bool = true) -> [SpaceBend] {
        let all =
            bends(of: outline, isObstacle: false, isPulled)
            + obstacles.flatMap { bends(of: $0, isObstacle: true, isPulled) }
        guard all.count > Self.mostBends else { return all }
        // Of a wall drawn as a fine curve the corners that stand out most.
        return Array(all.sorted { $0.prominence > $1.prominence }.prefix(Self.mostBends))
    }

    private func bends(of ring: Polygon, isObstacle: Bool, _ isPulled: Bool) -> [SpaceBend] {
        let corners = ring.corners
        let count = corners.count
        // Turns this way stand out into the space.
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

    /// A point as far from all walls as a search over a grid finds it.
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
                // A middle that is only a little roomier is not worth leaving the centroid for.
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
    /// Where paths bend around it.
    var point: Point
    var before: Point
    var corner: Point
    var after: Point

    /// Metres that the corner stands out over the straight line between its neighbours.
    var prominence: Double { corner.distance(toSegmentFrom: before, to: after) }

    /// Whether a path that comes from there can bend here and be a shortest one: only if both walls
    /// at the corner lie on one side of it.
    func isTangent(from other: Point) -> Bool {
        let (x, y) = (corner.x - other.x, corner.y - other.y)
        let distance = (x * x + y * y).squareRoot()
        /// Which side of the path a wall lies on; pulled corners and porches are a little off, so a
        /// wall nearly along the path counts as neither.
        func side(_ end: Point) -> Int {
            let cross = x * (end.y - corner.y) - y * (end.x - corner.x)
            let slack = 0.35 * max(distance, end.distance(to: corner))
            return cross > slack ? 1 : cross < -slack ? -1 : 0
        }
        return side(before) * side(after) >= 0
    }
}

extension Point {
    /// The nearest point of a segment, and how far along it lies, 0 to 1.
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
