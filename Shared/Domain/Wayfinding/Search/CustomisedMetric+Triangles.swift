extension CustomisedMetric {
    /// Makes each arc at most as expensive as the way through any rank below both its ends. Ranks
    /// are processed from the lowest on, so that lower arcs are final before they are used ("basic
    /// customisation").
    ///
    /// While lower ranks are processed, the arcs of one rank are stored at the depths of their
    /// heads. These few kilobytes are written at random, all other memory is read in order. A cost
    /// is in the high part of a word, above its via, so one comparison keeps the cheaper pair.
    /// Indices are not checked, since checks are a third of the time here; all come from the
    /// hierarchy itself.
    static func relaxTriangles(
        of hierarchy: RouteHierarchy, _ costs: inout [SIMD2<UInt32>], _ vias: inout [UInt32]
    ) {
        let firstArc = hierarchy.firstArc.span
        let firstLower = hierarchy.firstLower.span
        let lower = hierarchy.lower.span
        let tail = hierarchy.tail.span
        let headDepth = hierarchy.headDepth.span
        var rowStorage = [UInt64](repeating: 0, count: 2 * hierarchy.height)
        var row = rowStorage.mutableSpan
        var costs = costs.mutableSpan
        var vias = vias.mutableSpan
        for rank in 0..<hierarchy.graph.nodeCount {
            let arcs = Int(firstArc[unchecked: rank])..<Int(firstArc[unchecked: rank + 1])
            let lowers = Int(firstLower[unchecked: rank])..<Int(firstLower[unchecked: rank + 1])
            if arcs.isEmpty || lowers.isEmpty { continue }
            for arc in arcs {
                let place = 2 * Int(headDepth[unchecked: arc])
                let cost = costs[unchecked: arc]
                row[unchecked: place] = UInt64(cost.x) << 32 | UInt64(vias[unchecked: 2 * arc])
                row[unchecked: place + 1] =
                    UInt64(cost.y) << 32 | UInt64(vias[unchecked: 2 * arc + 1])
            }
            for index in lowers {
                let first = Int(lower[unchecked: index])
                let end = Int(firstArc[unchecked: Int(tail[unchecked: first]) + 1])
                let cost = costs[unchecked: first]
                let via = UInt64(UInt32(first) | isLowerArc)
                // One direction goes down the first arc and up another; the other direction is the
                // reverse.
                let out = UInt64(cost.y) << 32 | via
                let back = UInt64(cost.x) << 32 | via
                for second in (first + 1)..<end {
                    let place = 2 * Int(headDepth[unchecked: second])
                    let cost = costs[unchecked: second]
                    row[unchecked: place] = min(
                        row[unchecked: place], out &+ UInt64(cost.x) << 32)
                    row[unchecked: place + 1] = min(
                        row[unchecked: place + 1], back &+ UInt64(cost.y) << 32)
                }
            }
            for arc in arcs {
                let place = 2 * Int(headDepth[unchecked: arc])
                let (up, down) = (row[unchecked: place], row[unchecked: place + 1])
                costs[unchecked: arc] = SIMD2(UInt32(up >> 32), UInt32(down >> 32))
                vias[unchecked: 2 * arc] = UInt32(truncatingIfNeeded: up)
                vias[unchecked: 2 * arc + 1] = UInt32(truncatingIfNeeded: down)
            }
        }
    }
}
