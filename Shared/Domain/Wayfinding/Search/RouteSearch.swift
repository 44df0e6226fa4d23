/// Finds cheapest routes over a hierarchy, one after the other without allocating.
///
/// Holds what a search writes to; each thread has its own.
public struct RouteSearch: Sendable {
    /// A cost above the arc of the hierarchy that led there, in one word, by depth in the
    /// elimination tree: from the start at 2 x depth, to the end after it. A few kilobytes.
    var labels: [UInt64] = []
    var unpacking: [UInt32] = []
    /// The arcs of the last route that was found, from its start to its end.
    public internal(set) var arcs: [ArcIndex] = []

    public init() {}

    /// The cost of the cheapest route, whose arcs are in `arcs` until the next search. Nil when no
    /// open arcs lead there, and `arcs` is empty.
    public mutating func find(
        from start: NodeIndex, to end: NodeIndex, over metric: CustomisedMetric
    ) -> Cost? {
        arcs.removeAll(keepingCapacity: true)
        guard let meeting = meet(from: start, to: end, over: metric) else { return nil }
        unpack(from: start, to: end, meetingAt: meeting.depth, over: metric)
        return meeting.cost
    }

    /// The cost alone, in about a third of the time: writing down the arcs is the rest.
    public mutating func cost(
        from start: NodeIndex, to end: NodeIndex, over metric: CustomisedMetric
    ) -> Cost? {
        arcs.removeAll(keepingCapacity: true)
        return meet(from: start, to: end, over: metric)?.cost
    }

    /// The end that is cheapest to get to, with its route in `arcs`; of several equally cheap the
    /// first. Nil when none can be reached.
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

    /// What it costs to get to each end, in their order; `closed` where none leads.
    public mutating func costs(
        from start: NodeIndex, to ends: [NodeIndex], over metric: CustomisedMetric
    ) -> [Cost] {
        ends.map { cost(from: start, to: $0, over: metric) ?? .closed }
    }
}
