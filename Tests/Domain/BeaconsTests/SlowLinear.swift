import Beacons
import Geometry
import Glibc

/// Linear positioning as the report describes it (Flair 4.4.4). The map is turned until the line
/// between the neighbours is nearly level. Then x comes from the leftmost and rightmost places, and
/// y from the slope.
struct SlowLinear {
    private let nearest: BeaconSighting?
    private let before: BeaconSighting?
    private let after: BeaconSighting?
    private let heard: [BeaconSighting]

    init(map: BeaconMap, isRing: Bool, heard: [BeaconSighting]) {
        self.heard = heard.sorted { $0.distanceMetres < $1.distanceMetres }
        nearest = self.heard.first
        guard let nearest else {
            (before, after) = (nil, nil)
            return
        }
        // The other beacons with their number of steps forwards and backwards in the group.
        let count = map.beacons.count
        var onward: [(steps: Int, BeaconSighting)] = []
        var back: [(steps: Int, BeaconSighting)] = []
        for other in heard where other != nearest {
            let steps = other.beacon.value - nearest.beacon.value
            if isRing {
                onward.append(((steps + count) % count, other))
                back.append(((count - steps) % count, other))
            } else if steps > 0 {
                onward.append((steps, other))
            } else {
                back.append((-steps, other))
            }
        }
        let next = onward.min { $0.steps < $1.steps }
        let last = back.min { $0.steps < $1.steps }
        after = next?.1
        before = last?.1 == next?.1 ? nil : last?.1
    }

    func position() -> BeaconPosition? {
        guard let nearest else { return nil }
        guard before != nil || after != nil else {
            return BeaconPosition(
                centre: nearest.point, extent: .circle(radiusMetres: nearest.distanceMetres))
        }
        let first = before ?? nearest
        let second = after ?? nearest
        let turned = atan2(
            second.point.y - first.point.y, second.point.x - first.point.x)
        // The line is left slightly slanted, so that the slope matters.
        let askew = 1e-4
        let left = turn(first.point, by: askew - turned)
        let right = turn(second.point, by: askew - turned)
        let slope = (right.y - left.y) / (right.x - left.x)
        // Distances along the slanted line are shorter in x.
        let shorter = cos(askew)
        var byFirst = left.x + first.distanceMetres * shorter
        var bySecond = right.x - second.distanceMetres * shorter
        if before != nil && after != nil {
            byFirst = min(byFirst, right.x)
            bySecond = max(bySecond, left.x)
        } else if before == nil {
            // There are two places around the end; the one nearer to the other beacon's estimate is
            // used.
            let other = left.x - first.distanceMetres * shorter
            if abs(other - bySecond) < abs(byFirst - bySecond) { byFirst = other }
        } else {
            let other = right.x + second.distanceMetres * shorter
            if abs(other - byFirst) < abs(bySecond - byFirst) { bySecond = other }
        }
        let total = first.distanceMetres + second.distanceMetres
        let weights = (1 - first.distanceMetres / total, 1 - second.distanceMetres / total)
        func place(_ x: Double) -> Point {
            turn(Point(x: x, y: left.y + slope * (x - left.x)), by: turned - askew)
        }
        return BeaconPosition(
            centre: place(weights.0 * byFirst + weights.1 * bySecond),
            extent: .bar(from: place(byFirst), to: place(bySecond)))
    }

    /// Whether the four nearest beacons stand within the tolerance of the line, by the areas of
    /// triangles.
    func isLinear(tolerance: Double) -> Bool {
        guard let nearest, before != nil || after != nil else { return false }
        let a = (before ?? nearest).point
        let b = (after ?? nearest).point
        return heard.prefix(4).allSatisfy { sighting in
            let c = sighting.point
            let doubleArea = a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y)
            return abs(doubleArea) / a.distance(to: b) <= tolerance
        }
    }

    private func turn(_ point: Point, by angle: Double) -> Point {
        Point(
            x: point.x * cos(angle) - point.y * sin(angle),
            y: point.x * sin(angle) + point.y * cos(angle))
    }
}
