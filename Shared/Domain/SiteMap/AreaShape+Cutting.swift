import Geometry

extension AreaShape {
    /// The direction of the longest edge, in degrees clockwise on the page and never upside down.
    /// Nearly horizontal or vertical edges give 0 or 90.
    var longestEdgeDegrees: Double {
        var longest = (length: 0.0, degrees: 0.0)
        forEachEdge { start, end in
            let length = start.distance(to: end)
            guard length > longest.length else { return }
            longest = (length, upright(atan2Degrees(start.y - end.y, end.x - start.x)))
        }
        let degrees = longest.degrees
        if abs(degrees) < 4 { return 0 }
        return abs(degrees) > 86 ? -90 : degrees
    }

    /// The part of the outline within the box, without holes; nil if there is none (Sutherland and
    /// Hodgman 1974).
    func clipped(to box: BoundingBox) -> AreaShape? {
        var corners = outline.corners
        let sides: [(_ point: Point) -> Double] = [
            { $0.x - box.minimum.x }, { box.maximum.x - $0.x }, { $0.y - box.minimum.y },
            { box.maximum.y - $0.y },
        ]
        for inside in sides {
            guard var previous = corners.last else { return nil }
            var kept: [Point] = []
            for corner in corners {
                let (before, here) = (inside(previous), inside(corner))
                if (before < 0) != (here < 0) {
                    let share = before / (before - here)
                    kept.append(
                        Point(
                            x: previous.x + share * (corner.x - previous.x),
                            y: previous.y + share * (corner.y - previous.y)))
                }
                if here >= 0 { kept.append(corner) }
                previous = corner
            }
            corners = kept
        }
        return Polygon(corners).map { AreaShape(outline: $0) }
    }
}
