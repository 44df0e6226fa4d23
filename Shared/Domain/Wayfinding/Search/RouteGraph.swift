public import Geometry

/// A directed graph: nodes, and arcs that lead from a tail to a head.
///
/// It has no costs. Costs are in a `Metric`, of which one graph has many. Arcs may be parallel or
/// loops, and nodes may be isolated.
public struct RouteGraph: Sendable {
    public struct Arc: Hashable, Sendable {
        public var tail: NodeIndex
        public var head: NodeIndex

        public init(from tail: NodeIndex, to head: NodeIndex) {
            self.tail = tail
            self.head = head
        }
    }

    /// The most nodes or arcs. The searches use the free bits of 32 for marks of their own.
    public static let largestCount = 1 << 30

    public let nodeCount: Int
    public let arcs: [Arc]
    /// Metres, if known. They help to split the graph into halves and do not affect costs. Points
    /// of different floors may coincide.
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

/// The reason why nodes and arcs make no valid graph.
public enum RouteGraphFault: Error, Hashable, Sendable {
    /// More nodes or arcs than `RouteGraph.largestCount`.
    case tooLarge
    case arcOfUnknownNode(ArcIndex)
    /// The number of points differs from the number of nodes.
    case pointsMissing
    case pointNotFinite(NodeIndex)
    /// A hierarchy would have more arcs than `RouteHierarchy.mostArcs`.
    case tooDense
}

/// Sorts things by their group and keeps their order within each. Returns the index of each group's
/// first thing, with the end after the last.
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
