/// Finds cheapest routes over a hierarchy, one after the other without allocating.
///
/// It contains the memory that a search writes to; each thread needs its own.
public struct RouteSearch: Sendable {
    /// Labels by depth in the elimination tree: from the start at 2 x depth, to the end at 2 x
    /// depth + 1. A label has the cost in the high word and the last arc of the hierarchy in the
    /// low one. A few kilobytes.
    var labels: [UInt64] = []
    var unpacking: [UInt32] = []
    /// The arcs of the last route found, from its start to its end.
    public internal(set) var arcs: [ArcIndex] = []

    public init() {}

    /// The cost of the cheapest route; its arcs are in `arcs` until the next search. Nil if no open
    /// arcs lead to the end; `arcs` is then empty.
    public mutating func find(
        from start: NodeIndex, to end: NodeIndex, over metric: CustomisedMetric
    ) -> Cost? {
        arcs.removeAll(keepingCapacity: true)
        guard let meeting = meet(from: start, to: end, over: metric) else { return nil }
        unpack(from: start, to: end, meetingAt: meeting.depth, over: metric)
        return meeting.cost
    }

    /// The cost alone, in about a third of the time, since no arcs are written.
    public mutating func cost(
        from start: NodeIndex, to end: NodeIndex, over metric: CustomisedMetric
    ) -> Cost? {
        arcs.removeAll(keepingCapacity: true)
        return meet(from: start, to: end, over: metric)?.cost
    }

    /// The end that is cheapest to reach, with its route in `arcs`; the first of equally cheap
    /// ends. Nil if none can be reached.
    public mutating func findNearest(
        from start: NodeIndex, of ends: [NodeIndex], over metric: CustomisedMetric
    ) -> (end: NodeIndex, cost: Cost)? {
        let costs = costs(from: start, to: ends, over: metric)
        guard let least = costs.min(), !least.isClosed, let first = costs.firstIndex(of: least)
        else {
            arcs.removeAll(keepingCapacity: true)
            return nil
        }
        return find(from: start, to: ends[first], over: metric).map { (ends[first], $0) }
    }

    /// The cost of reaching each end, in their order; `closed` if no open arcs lead there.
    public mutating func costs(
        from start: NodeIndex, to ends: [NodeIndex], over metric: CustomisedMetric
    ) -> [Cost] {
        ends.map { cost(from: start, to: $0, over: metric) ?? .closed }
    }
}
