public import Events
public import Geometry

/// The line of a route, with distances along it.
public struct MagneticPath: Hashable, Sendable {
    public let points: [Point]
    /// Metres from the start to each point.
    public let arcs: [Double]

    public init(_ points: [MagneticRoutePoint]) throws(MagneticFault) {
        guard points.count >= MagneticLimits.points.lowerBound else { throw .tooFewPoints }
        guard points.count <= MagneticLimits.points.upperBound else { throw .tooManyPoints }
        var line: [Point] = []
        var arcs: [Double] = []
        for (index, point) in points.enumerated() {
            let point = Point(x: point.x, y: point.y)
            guard MagneticLimits.coordinate.contains(point.x),
                MagneticLimits.coordinate.contains(point.y), line.last != point
            else { throw .pointMalformed(index: index) }
            arcs.append((arcs.last ?? 0) + (line.last?.distance(to: point) ?? 0))
            line.append(point)
        }
        guard let length = arcs.last, MagneticLimits.lengthMetres.contains(length) else {
            throw .lengthOutOfRange(metres: arcs.last ?? 0)
        }
        self.points = line
        self.arcs = arcs
    }

    public var lengthMetres: Double { arcs[arcs.count - 1] }

    /// The point at this distance along the line in metres, limited to its ends.
    public func point(atArc arc: Double) -> Point {
        guard let next = arcs.firstIndex(where: { $0 >= arc }) else {
            return points[points.count - 1]
        }
        guard next > 0 else { return points[0] }
        let (from, to) = (points[next - 1], points[next])
        let share = (arc - arcs[next - 1]) / (arcs[next] - arcs[next - 1])
        return Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
    }

    /// The nearest place of the line: its distance along the line, and the point's distance from
    /// it, both in metres. If two places are equally near, it is the earlier one.
    public func nearest(to point: Point) -> (arc: Double, across: Double) {
        var best = (arc: 0.0, across: Double.infinity)
        for index in 1..<points.count {
            let (from, to) = (points[index - 1], points[index])
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy)
            let share = min(1, max(0, along))
            let foot = Point(x: from.x + share * dx, y: from.y + share * dy)
            let across = foot.distance(to: point)
            if across < best.across {
                best = (arcs[index - 1] + share * (arcs[index] - arcs[index - 1]), across)
            }
        }
        return best
    }
}
