/// The cost of each arc of a graph, in the order of its arcs, for one profile on one day.
public struct Metric: Hashable, Sendable {
    public var costs: [Cost]

    public init(_ costs: [Cost]) { self.costs = costs }

    public subscript(arc: ArcIndex) -> Cost {
        get { costs[arc.value] }
        set { costs[arc.value] = newValue }
    }
}

/// A cheapest route and its cost.
public struct FoundRoute: Hashable, Sendable {
    public var cost: Cost
    /// From the start to the end; empty if they are the same node.
    public var arcs: [ArcIndex]

    public init(cost: Cost, arcs: [ArcIndex]) {
        self.cost = cost
        self.arcs = arcs
    }
}
