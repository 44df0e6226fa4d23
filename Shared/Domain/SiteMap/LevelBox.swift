/// A rectangle on the page with horizontal and vertical sides: its middle, width and height.
typealias LevelBox = (x: Double, y: Double, width: Double, height: Double)

/// The part of the segment that is in the box; nil if there is none. The segment is clipped at each
/// side in turn (Liang and Barsky 1984).
func cut(
    _ start: (x: Double, y: Double), _ end: (x: Double, y: Double), to box: LevelBox
) -> (start: (x: Double, y: Double), end: (x: Double, y: Double))? {
    var (from, to) = (0.0, 1.0)
    let way = (x: end.x - start.x, y: end.y - start.y)
    for (place, way, middle, half) in [
        (start.x, way.x, box.x, box.width / 2), (start.y, way.y, box.y, box.height / 2),
    ] {
        if way == 0 {
            if abs(place - middle) > half { return nil }
            continue
        }
        let (one, other) = ((middle - half - place) / way, (middle + half - place) / way)
        from = max(from, min(one, other))
        to = min(to, max(one, other))
    }
    guard from <= to else { return nil }
    return (
        (start.x + way.x * from, start.y + way.y * from),
        (start.x + way.x * to, start.y + way.y * to)
    )
}
