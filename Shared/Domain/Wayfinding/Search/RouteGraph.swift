public import Geometry

/// Where one can go: nodes, and arcs that lead one way from a tail to a head.
///
/// It says nothing of what going costs: that is a `Metric`, of which one graph has many. Arcs may
/// be parallel, lead back to their own tail, or leave nodes on islands.
public struct RouteGraph: Sendable {
    public struct Arc: Hashable, Sendable {
        public var tail: NodeIndex
        public var head: NodeIndex

        public init(from tail: NodeIndex, to head: NodeIndex) {
            self.tail = tail
            self.head = head
        }
    }

    /// So many nodes or arcs at most, which leaves a bit of 32 to the searches.
    public static let largestCount = 1 << 30

    public let nodeCount: Int
    public let arcs: [Arc]
    /// Metres, where known: they help to cut the graph into halves and have no part in costs.
    /// Floors may lie above each other.
    public let points: [Point]?
    /// The arcs sorted by tail; those of node n begin at `firstOutgoing[n]`.
    let outgoing: [ArcIndex]
    let firstOutgoing: [Int32]

    /// - Parameter points: one for each node, or nil.
    public init(
        nodeCount: Int, arcs: [Arc], points: [Point]? = nil
    ) throws(RouteGraphFault) {
        guard nodeCount <= Self.largestCount, arcs.count <= Self.largestCount else {
            throw .tooLarge
        }
        for (index, arc) in arcs.enumerated() {
            guard arc.tail.value >= 0, arc.tail.value < nodeCount, arc.head.value >= 0,
                arc.head.value < nodeCount
            else { throw .arcOfUnknownNode(ArcIndex(index)) }
        }
        if let points {
            guard points.count == nodeCount else { throw .pointsMissing }
            if let wrong = points.firstIndex(where: { !$0.isFinite }) {
                throw .pointNotFinite(NodeIndex(wrong))
            }
        }
        self.nodeCount = nodeCount
        self.arcs = arcs
        self.points = points
        (firstOutgoing, outgoing) = grouped(arcs.map(\.tail.value), into: nodeCount) {
            ArcIndex($0)
        }
    }

    /// The arcs that leave a node.
    public func arcs(from node: NodeIndex) -> ArraySlice<ArcIndex> {
        outgoing[Int(firstOutgoing[node.value])..<Int(firstOutgoing[node.value + 1])]
    }
}

/// Why nodes and arcs make no graph.
public enum RouteGraphFault: Error, Hashable, Sendable {
    /// More nodes or arcs than `RouteGraph.largestCount`.
    case tooLarge
    case arcOfUnknownNode(ArcIndex)
    /// There must be as many points as nodes.
    case pointsMissing
    case pointNotFinite(NodeIndex)
    /// A hierarchy would have more arcs than `RouteHierarchy.mostArcs`.
    case tooDense
}

/// Numbers things by the group that each is in: where each group begins, with the end after the
/// last, and the things sorted by group, otherwise in their order.
func grouped<Thing>(
    _ groups: [Int], into count: Int, _ make: (Int) -> Thing
) -> (first: [Int32], things: [Thing]) {
    var first = [Int32](repeating: 0, count: count + 1)
    for group in groups { first[group + 1] += 1 }
    for group in 0..<count { first[group + 1] += first[group] }
    var next = first
    var order = [Int32](repeating: 0, count: groups.count)
    for (index, group) in groups.enumerated() {
        order[Int(next[group])] = Int32(index)
        next[group] += 1
    }
    return (first, order.map { make(Int($0)) })
}
