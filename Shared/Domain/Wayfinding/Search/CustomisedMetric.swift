/// A hierarchy with the costs of one metric: what routes are searched on.
///
/// A value: a copy stays as it is while another is changed, so searches can go on over the one
/// while an outage is worked into the other.
public struct CustomisedMetric: Sendable {
    /// In place of a via where there is none.
    static let noVia = UInt32.max
    /// Set in a via that is an arc of the hierarchy rather than one of the graph.
    static let isLowerArc: UInt32 = 1 << 31

    public let hierarchy: RouteHierarchy
    public internal(set) var metric: Metric
    /// Of each arc of the hierarchy the cost up (x) and down (y), at most `Cost.closed`.
    var costs: [SIMD2<UInt32>]
    /// By slot what lies under that cost: an arc of the graph, or the lower one of the two arcs of
    /// the hierarchy that lead to its ends from the lowest rank of a triangle.
    var vias: [UInt32]

    /// Works out all costs, in time about that of going through all triangles once.
    ///
    /// - Parameter metric: one cost for each arc of the graph.
    public init(_ hierarchy: RouteHierarchy, _ metric: Metric) {
        precondition(metric.costs.count == hierarchy.graph.arcs.count, "a cost for each arc")
        self.hierarchy = hierarchy
        self.metric = metric
        costs = Array(
            repeating: SIMD2(repeating: Cost.closed.value), count: hierarchy.arcCount)
        vias = Array(repeating: Self.noVia, count: 2 * hierarchy.arcCount)
        takeCosts()
        Self.takeTriangles(of: hierarchy, &costs, &vias)
    }

    /// Memory, without the hierarchy.
    public var byteCount: Int { 4 * metric.costs.count + 8 * costs.count + 4 * vias.count }

    /// The cheapest of the parallel arcs of the graph that went to a slot.
    private mutating func takeCosts() {
        for (arc, slot) in hierarchy.slot.enumerated() where slot != RouteHierarchy.noSlot {
            let cost = metric.costs[arc].value
            guard cost < self[slot] else { continue }
            self[slot] = cost
            vias[Int(slot)] = UInt32(arc)
        }
    }

    /// The cost of a slot.
    subscript(slot: UInt32) -> UInt32 {
        get { costs[Int(slot / 2)][Int(slot % 2)] }
        set { costs[Int(slot / 2)][Int(slot % 2)] = newValue }
    }
}
