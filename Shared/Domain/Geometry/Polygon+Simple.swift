extension Polygon {
    /// Whether no two edges touch, except neighbours at their common corner. So there is no
    /// crossing, no corner on another edge, no edge that runs back over its neighbour and no edge
    /// without length.
    ///
    /// Edges are sorted by their start along one axis, so that only edges with overlapping ranges
    /// are compared. The axis is the one along which they overlap less. For example, a comb of a
    /// thousand teeth overlaps itself everywhere along the teeth and nowhere across.
    public var isSimple: Bool {
        let spans = corners.indices.map { EdgeSpan(corners, $0) }
        let isByX = overlap(\.x, boundingBox.width) <= overlap(\.y, boundingBox.height)
        let sorted = (isByX ? spans : spans.map(\.turned)).sorted { $0.low < $1.low }
        for position in sorted.indices {
            let first = sorted[position]
            if corners[first.edge] == corners[(first.edge + 1) % corners.count] { return false }
            var next = position + 1
            while next < sorted.count, sorted[next].low <= first.high {
                let second = sorted[next]
                next += 1
                if second.acrossLow > first.acrossHigh || first.acrossLow > second.acrossHigh {
                    continue
                }
                if edgesClash(first.edge, second.edge) { return false }
            }
        }
        return true
    }

    /// The mean number of edges above a place of the axis.
    private func overlap(_ axis: KeyPath<Point, Double>, _ extent: Double) -> Double {
        var sum = 0.0
        forEachEdge { sum += abs($0[keyPath: axis] - $1[keyPath: axis]) }
        return extent > 0 ? sum / extent : .infinity
    }

    /// The box around an edge: its range along the axis by which edges are sorted, and across it.
    private struct EdgeSpan {
        let edge: Int
        let low: Double
        let high: Double
        let acrossLow: Double
        let acrossHigh: Double

        init(_ corners: [Point], _ edge: Int) {
            let (start, end) = (corners[edge], corners[(edge + 1) % corners.count])
            self.init(
                edge: edge, low: min(start.x, end.x), high: max(start.x, end.x),
                acrossLow: min(start.y, end.y), acrossHigh: max(start.y, end.y))
        }

        private init(
            edge: Int, low: Double, high: Double, acrossLow: Double, acrossHigh: Double
        ) {
            self.edge = edge
            self.low = low
            self.high = high
            self.acrossLow = acrossLow
            self.acrossHigh = acrossHigh
        }

        /// The same box with the axes exchanged.
        var turned: EdgeSpan {
            EdgeSpan(
                edge: edge, low: acrossLow, high: acrossHigh, acrossLow: low, acrossHigh: high)
        }
    }

    private func edgesClash(_ first: Int, _ second: Int) -> Bool {
        let count = corners.count
        let (a, b) = (corners[first], corners[(first + 1) % count])
        let (c, d) = (corners[second], corners[(second + 1) % count])
        if (first + 1) % count == second { return runsBack(from: a, over: b, to: d) }
        if (second + 1) % count == first { return runsBack(from: c, over: d, to: b) }
        return segmentsTouch(a, b, c, d)
    }

    /// Whether the line turns by half a circle at `corner`.
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
