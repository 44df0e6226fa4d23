/// Dijkstra's algorithm (1959) without any preparation, as a reference for tests and benchmarks.
public struct Dijkstra: Sendable {
    private let graph: RouteGraph
    private let metric: Metric

    /// - Parameter metric: one cost for each arc of the graph.
    public init(_ graph: RouteGraph, _ metric: Metric) {
        precondition(metric.costs.count == graph.arcs.count, "a cost for each arc")
        self.graph = graph
        self.metric = metric
    }

    /// Nil if no open arcs lead to the end.
    public func route(from start: NodeIndex, to end: NodeIndex) -> FoundRoute? {
        let tree = search(from: start) { $0 == end }
        return tree.route(to: end, in: graph)
    }

    /// The route to each of the ends, in their order.
    public func routes(from start: NodeIndex, to ends: [NodeIndex]) -> [FoundRoute?] {
        var left = Set(ends)
        let tree = search(from: start) { node in
            left.remove(node)
            return left.isEmpty
        }
        return ends.map { tree.route(to: $0, in: graph) }
    }

    /// The cost of reaching each node; `closed` if no open arcs lead there.
    public func costs(from start: NodeIndex) -> [Cost] { search(from: start) { _ in false }.costs }

    private struct Entry: Comparable {
        var cost: Cost
        var node: NodeIndex
        static func < (first: Entry, second: Entry) -> Bool { first.cost < second.cost }
    }

    private struct Tree {
        var costs: [Cost]
        /// For each node, the arc by which it was reached.
        var arcs: [ArcIndex?]

        func route(to end: NodeIndex, in graph: RouteGraph) -> FoundRoute? {
            guard !costs[end.value].isClosed else { return nil }
            var path: [ArcIndex] = []
            var node = end
            while let arc = arcs[node.value] {
                path.append(arc)
                node = graph.arcs[arc.value].tail
            }
            return FoundRoute(cost: costs[end.value], arcs: path.reversed())
        }
    }

    private func search(from start: NodeIndex, until isEnough: (NodeIndex) -> Bool) -> Tree {
        var tree = Tree(
            costs: Array(repeating: .closed, count: graph.nodeCount),
            arcs: Array(repeating: nil, count: graph.nodeCount))
        var heap = MinimumHeap<Entry>()
        tree.costs[start.value] = .free
        heap.push(Entry(cost: .free, node: start))
        while let entry = heap.popLeast() {
            // A node is pushed again when its cost falls. An entry with the higher cost is
            // outdated.
            guard entry.cost == tree.costs[entry.node.value] else { continue }
            if isEnough(entry.node) { break }
            for arc in graph.arcs(from: entry.node) {
                let head = graph.arcs[arc.value].head
                let cost = entry.cost + metric[arc]
                guard cost < tree.costs[head.value] else { continue }
                tree.costs[head.value] = cost
                tree.arcs[head.value] = arc
                heap.push(Entry(cost: cost, node: head))
            }
        }
        return tree
    }
}
