extension Polygon {
    /// The area that lies in both polygons, in square metres.
    ///
    /// Both are cut into slabs at the height of each corner and of each crossing of edges. Within a
    /// slab the shared area consists of trapezoids. The area of a trapezoid is its width at half
    /// height times its height.
    public func sharedArea(with other: Polygon) -> Double {
        let low = max(boundingBox.minimum.y, other.boundingBox.minimum.y)
        let high = min(boundingBox.maximum.y, other.boundingBox.maximum.y)
        guard low < high else { return 0 }
        var heights = [low, high]
        heights += corners.map(\.y) + other.corners.map(\.y)
        forEachEdge { start, end in
            other.forEachEdge { from, to in
                if let height = heightOfCrossing(start, end, from, to) { heights.append(height) }
            }
        }
        heights = heights.filter { $0 >= low && $0 <= high }.sorted()
        var area = 0.0
        for (below, above) in zip(heights, heights.dropFirst()) where above > below {
            let middle = (below + above) / 2
            area += sharedWidth(spans(at: middle), other.spans(at: middle)) * (above - below)
        }
        return area
    }

    /// The x coordinates where a horizontal line enters and leaves the polygon, ascending, in
    /// pairs.
    private func spans(at height: Double) -> [Double] {
        var crossings: [Double] = []
        forEachEdge { start, end in
            guard (start.y > height) != (end.y > height) else { return }
            let share = (height - start.y) / (end.y - start.y)
            crossings.append(start.x + share * (end.x - start.x))
        }
        return crossings.sorted()
    }
}

private func sharedWidth(_ one: [Double], _ other: [Double]) -> Double {
    var width = 0.0
    for first in stride(from: 0, to: one.count - 1, by: 2) {
        for second in stride(from: 0, to: other.count - 1, by: 2) {
            let left = max(one[first], other[second])
            let right = min(one[first + 1], other[second + 1])
            width += max(0, right - left)
        }
    }
    return width
}

private func heightOfCrossing(
    _ start: Point, _ end: Point, _ from: Point, _ to: Point
) -> Double? {
    let (alongX, alongY) = (end.x - start.x, end.y - start.y)
    let (otherX, otherY) = (to.x - from.x, to.y - from.y)
    let cross = alongX * otherY - alongY * otherX
    guard cross != 0 else { return nil }
    let share = ((from.x - start.x) * otherY - (from.y - start.y) * otherX) / cross
    guard share >= 0, share <= 1 else { return nil }
    return start.y + share * alongY
}
