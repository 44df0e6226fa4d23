extension RouteSearch {
    /// The label of an unreached node: `closed` in the high word, and an arc that does not exist.
    private static let unreached = UInt64(Cost.closed.value) << 32 | UInt64(UInt32.max)
    /// The label of an end itself: no cost, and no arc.
    private static let origin = UInt64(UInt32.max)
    private static let costBits = UInt64(UInt32.max) << 32

    /// Climbs the elimination tree from both ends: separately until their paths join, then together
    /// to the root. The highest rank of the cheapest route is on the common path.
    ///
    /// Labels are indexed by depth, not by rank. A path has each depth once, so the labels fit the
    /// first-level cache, and those of earlier searches need no clearing. Relaxing an arc is one
    /// addition and one comparison of words, without a branch to mispredict. Indices are not
    /// checked, since checks are a third of the time here; all come from the hierarchy itself.
    mutating func meet(
        from start: NodeIndex, to end: NodeIndex, over metric: CustomisedMetric
    ) -> (cost: Cost, depth: Int)? {
        var low = metric.hierarchy.rank[start.value]
        var high = metric.hierarchy.rank[end.value]
        var startDepth = Int(metric.hierarchy.depth[Int(low)])
        var endDepth = Int(metric.hierarchy.depth[Int(high)])
        clear(max(startDepth, endDepth) + 1, of: metric.hierarchy.height)
        let firstArc = metric.hierarchy.firstArc.span
        let parent = metric.hierarchy.parent.span
        let headDepth = metric.hierarchy.headDepth.span
        let costs = metric.costs.span
        var labels = self.labels.mutableSpan
        labels[unchecked: 2 * startDepth] = Self.origin
        labels[unchecked: 2 * endDepth + 1] = Self.origin
        while low != high {
            if low < high {
                let base = labels[unchecked: 2 * startDepth] & Self.costBits
                let arcs = firstArc[unchecked: Int(low)]..<firstArc[unchecked: Int(low) + 1]
                for arc in arcs {
                    let place = 2 * Int(headDepth[unchecked: Int(arc)])
                    let cost = UInt64(costs[unchecked: Int(arc)].x) << 32
                    labels.lower(place, to: base &+ cost &+ UInt64(arc))
                }
                low = parent[unchecked: Int(low)]
                startDepth -= 1
            } else {
                let base = labels[unchecked: 2 * endDepth + 1] & Self.costBits
                let arcs = firstArc[unchecked: Int(high)]..<firstArc[unchecked: Int(high) + 1]
                for arc in arcs {
                    let place = 2 * Int(headDepth[unchecked: Int(arc)]) + 1
                    let cost = UInt64(costs[unchecked: Int(arc)].y) << 32
                    labels.lower(place, to: base &+ cost &+ UInt64(arc))
                }
                high = parent[unchecked: Int(high)]
                endDepth -= 1
            }
        }
        var best = (cost: Cost.closed.value, depth: 0)
        while low != RouteHierarchy.noRank {
            let fromStart = labels[unchecked: 2 * startDepth] & Self.costBits
            let toEnd = labels[unchecked: 2 * startDepth + 1] & Self.costBits
            let sum = UInt32((fromStart &+ toEnd) >> 32)
            if sum < best.cost { best = (sum, startDepth) }
            let bound = UInt64(best.cost) << 32
            // A part that costs as much as the best route so far can't be on a cheaper one.
            if fromStart < bound || toEnd < bound {
                let arcs = firstArc[unchecked: Int(low)]..<firstArc[unchecked: Int(low) + 1]
                for arc in arcs {
                    let place = 2 * Int(headDepth[unchecked: Int(arc)])
                    let cost = costs[unchecked: Int(arc)]
                    labels.lower(place, to: fromStart &+ UInt64(cost.x) << 32 &+ UInt64(arc))
                    labels.lower(place + 1, to: toEnd &+ UInt64(cost.y) << 32 &+ UInt64(arc))
                }
            }
            low = parent[unchecked: Int(low)]
            startDepth -= 1
        }
        return best.cost < Cost.closed.value ? (Cost(best.cost), best.depth) : nil
    }

    /// Marks the labels of this many levels as unreached.
    private mutating func clear(_ levels: Int, of height: Int) {
        if labels.count < 2 * levels {
            labels = Array(repeating: Self.unreached, count: 2 * height)
        }
        var labels = self.labels.mutableSpan
        for index in 0..<2 * levels { labels[unchecked: index] = Self.unreached }
    }
}

extension MutableSpan<UInt64> {
    /// Sets a label to a value if the value is smaller.
    @inline(__always) fileprivate mutating func lower(_ place: Int, to value: UInt64) {
        self[unchecked: place] = Swift.min(self[unchecked: place], value)
    }
}
