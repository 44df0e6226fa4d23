import Geometry

/// Removes the points that lie within a distance of the simplified line. The method is from Douglas
/// and Peucker 1973, "Algorithms for the reduction of the number of points required to represent a
/// digitized line".
func simplified(_ points: [Point], within metres: Double) -> [Point] {
    guard points.count > 2 else { return points }
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var spans = [(0, points.count - 1)]
    while let (start, end) = spans.popLast() {
        var farthest = (index: start, metres: metres)
        for index in (start + 1)..<max(end, start + 1) {
            let distance = points[index].distance(
                toSegmentFrom: points[start], to: points[end])
            if distance > farthest.metres { farthest = (index, distance) }
        }
        guard farthest.index != start else { continue }
        isKept[farthest.index] = true
        spans.append((start, farthest.index))
        spans.append((farthest.index, end))
    }
    return points.indices.filter { isKept[$0] }.map { points[$0] }
}
