import Geometry

/// The parts of a line within a box, each with at least two points. Edges of the box are within.
///
/// Each segment is cut by the four sides in turn (Liang and Barsky 1984).
func clipped(_ line: [Point], to box: BoundingBox) -> [[Point]] {
    var parts: [[Point]] = []
    var part: [Point] = []
    func end() {
        if part.count > 1 { parts.append(part) }
        part = []
    }
    for (start, stop) in zip(line, line.dropFirst()) {
        guard let inside = shares(from: start, to: stop, within: box) else {
            end()
            continue
        }
        func point(_ share: Double) -> Point {
            if share == 0 { return start }
            if share == 1 { return stop }
            return Point(
                x: start.x + share * (stop.x - start.x), y: start.y + share * (stop.y - start.y))
        }
        if inside.lowerBound > 0 { end() }
        if part.isEmpty { part.append(point(inside.lowerBound)) }
        part.append(point(inside.upperBound))
        if inside.upperBound < 1 { end() }
    }
    end()
    return parts
}

/// The share of a segment that lies within a box: 0 is its start, and 1 its end. Nil for none.
func shares(from start: Point, to stop: Point, within box: BoundingBox) -> ClosedRange<Double>? {
    let (across, down) = (stop.x - start.x, stop.y - start.y)
    var (first, last) = (0.0, 1.0)
    for (change, room) in [
        (-across, start.x - box.minimum.x), (across, box.maximum.x - start.x),
        (-down, start.y - box.minimum.y), (down, box.maximum.y - start.y),
    ] {
        if change == 0 {
            if room < 0 { return nil }
        } else if change < 0 {
            first = max(first, room / change)
        } else {
            last = min(last, room / change)
        }
    }
    return first <= last ? first...last : nil
}

/// The line with fewer points: each point that was left out is within `tolerance` of the segment
/// that replaces it (Douglas and Peucker 1973).
func simplified(_ line: [GridPoint], tolerance: Double) -> [GridPoint] {
    guard line.count > 2 else { return line }
    var isKept = [Bool](repeating: false, count: line.count)
    isKept[0] = true
    isKept[line.count - 1] = true
    var open = [0..<(line.count - 1)]
    while let stretch = open.popLast() {
        var farthest = (distance: tolerance, place: -1)
        let (start, stop) = (line[stretch.lowerBound].point, line[stretch.upperBound].point)
        for place in (stretch.lowerBound + 1)..<max(stretch.lowerBound + 1, stretch.upperBound) {
            let distance = line[place].point.distance(toSegmentFrom: start, to: stop)
            if distance > farthest.distance { farthest = (distance, place) }
        }
        guard farthest.place > 0 else { continue }
        isKept[farthest.place] = true
        open.append(stretch.lowerBound..<farthest.place)
        open.append(farthest.place..<stretch.upperBound)
    }
    return zip(line, isKept).compactMap { $1 ? $0 : nil }
}

/// The same line without repeated points, and without segments that were drawn before, in whichever
/// direction. The rest may be several lines.
func undrawn(_ line: [GridPoint], drawn: inout Set<MapSegment>) -> [[GridPoint]] {
    var parts: [[GridPoint]] = []
    var part: [GridPoint] = []
    for next in line {
        guard let last = part.last else {
            part = [next]
            continue
        }
        if last == next { continue }
        if drawn.insert(MapSegment(last, next)).inserted {
            part.append(next)
        } else {
            if part.count > 1 { parts.append(part) }
            part = [next]
        }
    }
    if part.count > 1 { parts.append(part) }
    return parts
}

/// A segment without direction.
struct MapSegment: Hashable {
    private let first: GridPoint
    private let second: GridPoint

    init(_ one: GridPoint, _ other: GridPoint) {
        let isSorted = (one.x, one.y) < (other.x, other.y)
        first = isSorted ? one : other
        second = isSorted ? other : one
    }
}

extension GridPoint {
    var point: Point { Point(x: Double(x), y: Double(y)) }
}
