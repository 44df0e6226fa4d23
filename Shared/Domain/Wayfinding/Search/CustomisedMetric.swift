/// A hierarchy with the costs of one metric, for searching routes.
///
/// It is a value: a copy stays the same while another is changed. So searches may use one copy
/// while an outage is applied to another.
public struct CustomisedMetric: Sendable {
    /// Stands for no via, where a slot is closed.
    static let noVia = UInt32.max
    /// Set in a via that is an arc of the hierarchy, not of the graph.
    static let isLowerArc: UInt32 = 1 << 31

    public let hierarchy: RouteHierarchy
    public internal(set) var metric: Metric
    /// For each arc of the hierarchy, the costs up (x) and down (y), at most `Cost.closed`.
    var costs: [SIMD2<UInt32>]
    /// For each slot, the origin of its cost: an arc of the graph, or an arc of the hierarchy. In a
    /// triangle it is the lower of the two arcs from the lowest rank to the slot's ends.
    var vias: [UInt32]

    /// Computes all costs, in about the time of visiting all triangles once.
    ///
    /// - Parameter metric: one cost for each arc of the graph.
    public init(_ hierarchy: RouteHierarchy, _ metric: Metric) {
        precondition(metric.costs.count == hierarchy.graph.arcs.count, "a cost for each arc")
        self.hierarchy = hierarchy
        self.metric = metric
        costs = Array(
            repeating: SIMD2(repeating: Cost.closed.value), count: hierarchy.arcCount)
        vias = Array(repeating: Self.noVia, count: 2 * hierarchy.arcCount)
        assignCosts()
        Self.relaxTriangles(of: hierarchy, &costs, &vias)
    }

    /// The memory used, without the hierarchy.
    public var byteCount: Int { 4 * metric.costs.count + 8 * costs.count + 4 * vias.count }

    /// Gives each slot the cheapest of its parallel arcs of the graph.
    private mutating func assignCosts() {
        for (arc, slot) in hierarchy.slot.enumerated() where slot != RouteHierarchy.noSlot {
            let cost = metric.costs[arc].value
            guard cost < self[slot] else { continue }
            self[slot] = cost
            vias[Int(slot)] = UInt32(arc)
        }
    }

    /// The cost of an arc of the hierarchy in one direction: slot 2 x arc for up, 2 x arc + 1 for
    /// down.
    subscript(slot: UInt32) -> UInt32 {
        get { costs[Int(slot / 2)][Int(slot % 2)] }
        set { costs[Int(slot / 2)][Int(slot % 2)] = newValue }
    }
}
