/// Finds the cheapest route between several starts and several ends in one search.
///
/// A place in a room is linked to each door and corner in sight, and a kind of place has many
/// rooms. Searching each pair separately would take far longer. Labels are indexed by rank, not by
/// depth as in `RouteSearch`, because paths up from several nodes fork.
public struct ManyEndedSearch: Sendable {
    /// A node, and the cost of reaching it before the route, or of going on from it afterwards.
    public struct End: Hashable, Sendable {
        public var node: NodeIndex
        public var cost: Cost

        public init(_ node: NodeIndex, _ cost: Cost = .free) {
            self.node = node
            self.cost = cost
        }
    }

    public struct Found: Hashable, Sendable {
        /// The indices of the route's start and end among those given.
        public var start: Int
        public var end: Int
        /// Includes the costs of the two ends.
        public var cost: Cost
    }

    /// The search in one direction: labels of ranks above the ends.
    private struct Half: Sendable {
        var costs: [UInt32] = []
        /// The arc of the hierarchy by which each rank was reached; `atEnd` for none.
        var arcs: [Int32] = []
        /// For each rank that is an end itself, the index of that end.
        var ends: [Int32] = []
        /// The ranks that have labels, ascending.
        var reached: [Int32] = []

        static let atEnd: Int32 = -1
        static let unreached = UInt32.max
    }

    private var fromStart = Half()
    private var toEnd = Half()
    private var slots: [UInt32] = []
    /// The arcs of the last route found, from its start to its end.
    public private(set) var arcs: [ArcIndex] = []

    public init() {}

    /// The cheapest route. If several are equally cheap, the search always finds the same one. Nil
    /// if no open arcs lead from a start to an end; `arcs` is then empty.
    public mutating func find(
        from starts: [End], to ends: [End], over metric: CustomisedMetric
    ) -> Found? {
        begin(from: starts, over: metric)
        return find(to: ends, over: metric)
    }

    /// Labels all that can be reached from the starts, for any number of `find(to:over:)` after it.
    ///
    /// The labels of the starts stay the same for all ends. So a search for each of many ends costs
    /// only the climb from that end.
    public mutating func begin(from starts: [End], over metric: CustomisedMetric) {
        arcs.removeAll(keepingCapacity: true)
        Self.climb(from: starts, &fromStart, over: metric, isUp: true)
    }

    /// The cheapest route from the starts of the last `begin` to one of the ends. It agrees with
    /// `find(from:to:over:)` in every route, and in nil.
    ///
    /// - Parameter metric: the one that `begin` was given.
    public mutating func find(to ends: [End], over metric: CustomisedMetric) -> Found? {
        arcs.removeAll(keepingCapacity: true)
        Self.climb(from: ends, &toEnd, over: metric, isUp: false)
        var best: (cost: UInt32, rank: Int) = (Cost.closed.value, 0)
        for rank in fromStart.reached {
            let (first, second) = (fromStart.costs[Int(rank)], toEnd.costs[Int(rank)])
            guard first < best.cost, second < best.cost, first + second < best.cost else {
                continue
            }
            best = (first + second, Int(rank))
        }
        guard best.cost < Cost.closed.value else { return nil }
        return write(meetingAt: best.rank, Cost(best.cost), over: metric)
    }

    /// Labels all ranks above the ends, on their paths to the roots.
    private static func climb(
        from ends: [End], _ half: inout Half, over metric: CustomisedMetric, isUp: Bool
    ) {
        let hierarchy = metric.hierarchy
        if half.costs.count != hierarchy.graph.nodeCount {
            half.costs = Array(repeating: Half.unreached, count: hierarchy.graph.nodeCount)
            half.arcs = Array(repeating: Half.atEnd, count: hierarchy.graph.nodeCount)
            half.ends = Array(repeating: 0, count: hierarchy.graph.nodeCount)
        } else {
            for rank in half.reached { half.costs[Int(rank)] = Half.unreached }
        }
        half.reached.removeAll(keepingCapacity: true)
        for (index, end) in ends.enumerated() where !end.cost.isClosed {
            var rank = hierarchy.rank[end.node.value]
            let isFirst = half.costs[Int(rank)] == Half.unreached
            if isFirst || end.cost.value < half.costs[Int(rank)] {
                if isFirst { half.reached.append(rank) }
                half.costs[Int(rank)] = end.cost.value
                half.arcs[Int(rank)] = Half.atEnd
                half.ends[Int(rank)] = Int32(index)
            }
            rank = hierarchy.parent[Int(rank)]
            while rank != RouteHierarchy.noRank, half.costs[Int(rank)] == Half.unreached {
                half.reached.append(rank)
                half.costs[Int(rank)] = Cost.closed.value
                rank = hierarchy.parent[Int(rank)]
            }
        }
        half.reached.sort()
        for rank in half.reached {
            let base = half.costs[Int(rank)]
            guard base < Cost.closed.value else { continue }
            for arc in hierarchy.firstArc[Int(rank)]..<hierarchy.firstArc[Int(rank) + 1] {
                let cost = isUp ? metric.costs[Int(arc)].x : metric.costs[Int(arc)].y
                let head = Int(hierarchy.head[Int(arc)])
                guard base + cost < half.costs[head] else { continue }
                half.costs[head] = base + cost
                half.arcs[head] = arc
            }
        }
    }

    private mutating func write(
        meetingAt top: Int, _ cost: Cost, over metric: CustomisedMetric
    ) -> Found {
        let hierarchy = metric.hierarchy
        slots.removeAll(keepingCapacity: true)
        var rank = top
        while fromStart.arcs[rank] != Half.atEnd {
            let arc = fromStart.arcs[rank]
            slots.append(2 * UInt32(arc))
            rank = Int(hierarchy.tail[Int(arc)])
        }
        let start = Int(fromStart.ends[rank])
        metric.write(&slots, to: &arcs)
        rank = top
        while toEnd.arcs[rank] != Half.atEnd {
            let arc = toEnd.arcs[rank]
            slots.append(2 * UInt32(arc) + 1)
            metric.write(&slots, to: &arcs)
            rank = Int(hierarchy.tail[Int(arc)])
        }
        return Found(start: start, end: Int(toEnd.ends[rank]), cost: cost)
    }
}
