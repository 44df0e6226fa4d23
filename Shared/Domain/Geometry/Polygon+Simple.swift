extension Polygon {
    /// Whether no two edges touch but neighbours at their common corner: no crossing, no corner on
    /// another edge, no edge that runs back over its neighbour, no edge without length.
    ///
    /// Edges are sorted by their left end, so that only those whose x ranges overlap are compared.
    public var isSimple: Bool {
        let count = corners.count
        let order = (0..<count).sorted { leftEnd($0) < leftEnd($1) }
        for (position, first) in order.enumerated() {
            if corners[first] == corners[(first + 1) % count] { return false }
            let rightEnd = max(corners[first].x, corners[(first + 1) % count].x)
            for second in order[(position + 1)...] {
                if leftEnd(second) > rightEnd { break }
                if edgesClash(first, second) { return false }
            }
        }
        return true
    }

    private func leftEnd(_ edge: Int) -> Double {
        min(corners[edge].x, corners[(edge + 1) % corners.count].x)
    }

    private func edgesClash(_ first: Int, _ second: Int) -> Bool {
        let count = corners.count
        let (a, b) = (corners[first], corners[(first + 1) % count])
        let (c, d) = (corners[second], corners[(second + 1) % count])
        if (first + 1) % count == second { return runsBack(from: a, over: b, to: d) }
        if (second + 1) % count == first { return runsBack(from: c, over: d, to: b) }
        return segmentsTouch(a, b, c, d)
    }

    /// Whether the way turns by half a circle at `corner`.
    private func runsBack(from start: Point, over corner: Point, to end: Point) -> Bool {
        guard orientation(start, corner, end) == 0 else { return false }
        let dot =
            (start.x - corner.x) * (end.x - corner.x) + (start.y - corner.y) * (end.y - corner.y)
        return dot > 0
    }

    private func segmentsTouch(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        let abc = orientation(a, b, c)
        let abd = orientation(a, b, d)
        let cda = orientation(c, d, a)
        let cdb = orientation(c, d, b)
        if abc != abd && cda != cdb { return true }
        return (abc == 0 && within(c, a, b)) || (abd == 0 && within(d, a, b))
            || (cda == 0 && within(a, c, d)) || (cdb == 0 && within(b, c, d))
    }

    /// 1 for a left turn, -1 for a right turn, 0 for a straight line.
    private func orientation(_ a: Point, _ b: Point, _ c: Point) -> Int {
        let cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        return cross > 0 ? 1 : cross < 0 ? -1 : 0
    }

    private func within(_ point: Point, _ start: Point, _ end: Point) -> Bool {
        point.x >= min(start.x, end.x) && point.x <= max(start.x, end.x)
            && point.y >= min(start.y, end.y) && point.y <= max(start.y, end.y)
    }
}
