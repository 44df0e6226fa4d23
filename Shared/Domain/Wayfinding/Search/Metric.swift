/// What each arc of a graph costs, in the order of its arcs: one profile, on one day.
public struct Metric: Hashable, Sendable {
    public var costs: [Cost]

    public init(_ costs: [Cost]) { self.costs = costs }

    public subscript(arc: ArcIndex) -> Cost {
        get { costs[arc.value] }
        set { costs[arc.value] = newValue }
    }
}

/// A cheapest route.
public struct FoundRoute: Hashable, Sendable {
    public var cost: Cost
    /// From the start to the end; empty when they are one node.
    public var arcs: [ArcIndex]

    public init(cost: Cost, arcs: [ArcIndex]) {
        self.cost = cost
        self.arcs = arcs
    }
}
