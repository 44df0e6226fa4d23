/// A graph prepared for fast searches with any costs. It is a customisable contraction hierarchy
/// (Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies").
///
/// Its nodes are ranked by a `NodeOrder` and contracted in that order. Contracting a node joins all
/// its higher neighbours with each other, whatever the costs; the resulting graph is chordal. So
/// all higher neighbours of a node are on one path, its ancestors in the elimination tree, and
/// every search follows two such paths. The hierarchy depends on the order alone. Costs are in a
/// `CustomisedMetric`; one hierarchy has many.
public struct RouteHierarchy: Sendable {
    /// The most arcs of a hierarchy. Walkable networks have small separators and stay below it.
    public static let mostArcs = 1 << 26

    /// Stands for no rank; greater than every rank.
    static let noRank = Int32.max
    /// Stands for no slot.
    static let noSlot = UInt32.max

    public let graph: RouteGraph
    public let order: NodeOrder
    /// The rank of each node.
    let rank: [Int32]
    /// Arcs of the hierarchy lead from a lower rank, their tail, to a higher one, their head, and
    /// stand for both directions. They are sorted by tail, then head. This is the index of each
    /// tail's first arc.
    let firstArc: [Int32]
    let head: [Int32]
    let tail: [Int32]
    /// For each arc, the depth of its head in the elimination tree, where a root has depth 0. A
    /// search keeps its label there.
    let headDepth: [Int32]
    /// For each rank, its lowest higher neighbour; `noRank` for a root.
    let parent: [Int32]
    let depth: [Int32]
    /// The arcs sorted by head; `firstLower` has the index of each rank's first.
    let firstLower: [Int32]
    let lower: [Int32]
    /// For each arc of the graph its slot: 2 x arc of the hierarchy for up, 2 x arc + 1 for down. A
    /// loop has no slot.
    let slot: [UInt32]
    /// The arcs of the graph sorted by slot; `firstOriginal` has the index of each slot's first.
    let firstOriginal: [Int32]
    let originals: [ArcIndex]

    /// - Throws: `tooDense`.
    public init(_ graph: RouteGraph) throws(RouteGraphFault) {
        try self.init(graph, order: NodeOrder(dissecting: graph))
    }

    /// - Parameter order: all nodes of the graph. With a poor order the hierarchy is correct but
    ///   slow.
    /// - Throws: `tooDense`.
    public init(_ graph: RouteGraph, order: NodeOrder) throws(RouteGraphFault) {
        precondition(order.nodes.count == graph.nodeCount, "an order of all nodes")
        var rank = [Int32](repeating: 0, count: graph.nodeCount)
        for (index, node) in order.nodes.enumerated() { rank[node.value] = Int32(index) }
        let (firstArc, head) = try contracted(graph, order, rank)
        var tail: [Int32] = []
        var parent: [Int32] = []
        for node in 0..<graph.nodeCount {
            let first = Int(firstArc[node])
            let count = Int(firstArc[node + 1]) - first
            tail += repeatElement(Int32(node), count: count)
            parent.append(count > 0 ? head[first] : Self.noRank)
        }
        var depth = [Int32](repeating: 0, count: graph.nodeCount)
        for node in parent.indices.reversed() where parent[node] != Self.noRank {
            depth[node] = depth[Int(parent[node])] + 1
        }
        let slot = graph.arcs.map { arc in
            Self.slot(from: rank[arc.tail.value], to: rank[arc.head.value], firstArc, head)
        }
        let placed = slot.indices.filter { slot[$0] != Self.noSlot }
        (firstOriginal, originals) = grouped(placed.map { Int(slot[$0]) }, into: 2 * head.count) {
            ArcIndex(placed[$0])
        }
        (firstLower, lower) = grouped(head.map { Int($0) }, into: graph.nodeCount) { Int32($0) }
        headDepth = head.map { depth[Int($0)] }
        self.graph = graph
        self.order = order
        self.rank = rank
        self.firstArc = firstArc
        self.head = head
        self.tail = tail
        self.parent = parent
        self.depth = depth
        self.slot = slot
    }

    /// Arcs between ranks; each stands for both directions.
    public var arcCount: Int { head.count }

    /// The most nodes that a search visits from either end.
    public var height: Int { Int(depth.max() ?? -1) + 1 }

    /// The memory used, without the graph and the order.
    public var byteCount: Int {
        let nodes = [rank, firstArc, parent, depth, firstLower]
        let arcs = [head, tail, headDepth, lower, firstOriginal]
        return (nodes + arcs).reduce(0) { $0 + 4 * $1.count } + 4 * slot.count + 4 * originals.count
    }

    /// The arc between two ranks; nil if they are not joined.
    func arc(from low: Int32, to high: Int32) -> Int? {
        arc(to: high, within: Int(firstArc[Int(low)])..<Int(firstArc[Int(low) + 1]))
    }

    /// The arc to `high` among `arcs`, which have one tail.
    func arc(to high: Int32, within arcs: Range<Int>) -> Int? { place(of: high, in: head, arcs) }

    private static func slot(
        from tail: Int32, to head: Int32, _ firstArc: [Int32], _ heads: [Int32]
    ) -> UInt32 {
        guard tail != head else { return noSlot }
        let low = Int(min(tail, head))
        let arcs = Int(firstArc[low])..<Int(firstArc[low + 1])
        let arc = place(of: max(tail, head), in: heads, arcs)
        return arc.map { UInt32(2 * $0 + (tail < head ? 0 : 1)) } ?? noSlot
    }
}

/// The index of a value in an ascending range.
private func place(of value: Int32, in values: [Int32], _ range: Range<Int>) -> Int? {
    var (begin, end) = (range.lowerBound, range.upperBound)
    while begin < end {
        let middle = (begin + end) / 2
        if values[middle] == value { return middle }
        if values[middle] < value { begin = middle + 1 } else { end = middle }
    }
    return nil
}

/// Joins the higher neighbours of each rank, from the lowest rank on.
///
/// Each rank passes its higher neighbours on to the lowest of them, which passes them on in turn.
/// This is the symbolic factorisation of sparse matrices (Liu 1990).
private func contracted(
    _ graph: RouteGraph, _ order: NodeOrder, _ rank: [Int32]
) throws(RouteGraphFault) -> (firstArc: [Int32], head: [Int32]) {
    var above = [[Int32]](repeating: [], count: graph.nodeCount)
    for arc in graph.arcs {
        let (tail, head) = (rank[arc.tail.value], rank[arc.head.value])
        if tail != head { above[Int(min(tail, head))].append(max(tail, head)) }
    }
    var firstArc: [Int32] = [0]
    firstArc.reserveCapacity(graph.nodeCount + 1)
    var heads: [Int32] = []
    var seenBy = [Int32](repeating: -1, count: graph.nodeCount)
    for node in above.indices {
        let begin = heads.count
        for other in above[node] where seenBy[Int(other)] != Int32(node) {
            seenBy[Int(other)] = Int32(node)
            heads.append(other)
        }
        above[node] = []
        heads[begin...].sort()
        if let lowest = heads[begin...].first {
            above[Int(lowest)].append(contentsOf: heads[(begin + 1)...])
        }
        guard heads.count <= RouteHierarchy.mostArcs else { throw .tooDense }
        firstArc.append(Int32(heads.count))
    }
    return (firstArc, heads)
}
