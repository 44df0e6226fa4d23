import Geometry
import SeededRandomness

@testable import Wayfinding

/// A random graph with its costs, made from a seed. It may have all features of a graph.
struct RandomGraph {
    let graph: RouteGraph
    var metric: Metric
    private var random: SeededRandom

    /// The seed chooses the form: a street grid with gaps, islands, a tree, or random arcs.
    init(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let side = Int.random(in: 1...9, using: &random)
        let count = side * side
        var arcs: [RouteGraph.Arc] = []
        switch seed % 4 {
        case 0: Self.addGrid(side, keeping: 85, &arcs, &random)
        case 1: Self.addGrid(side, keeping: 45, &arcs, &random)
        case 2:
            for node in stride(from: 1, to: count, by: 1) {
                let other = Int.random(in: 0..<node, using: &random)
                Self.addBoth(node, other, &arcs)
            }
        default:
            for _ in 0..<Int.random(in: 0...3 * count, using: &random) {
                let tail = Int.random(in: 0..<count, using: &random)
                let head = Int.random(in: 0..<count, using: &random)
                arcs.append(RouteGraph.Arc(from: NodeIndex(tail), to: NodeIndex(head)))
            }
        }
        // Adds parallel arcs, one-way arcs and loops.
        for arc in arcs where Int.random(in: 0..<8, using: &random) == 0 {
            arcs.append(arc)
            arcs.append(RouteGraph.Arc(from: arc.tail, to: arc.tail))
        }
        let hasPoints = Int.random(in: 0..<3, using: &random) > 0
        // Some points coincide, like those of different floors.
        let points = (0..<count).map { _ in
            Point(
                x: Double(Int.random(in: 0..<side, using: &random)),
                y: Double.random(in: 0..<1, using: &random) * Double(side))
        }
        arcs.shuffle(using: &random)
        graph = try RouteGraph(nodeCount: count, arcs: arcs, points: hasPoints ? points : nil)
        metric = Metric(Array(repeating: .free, count: arcs.count))
        self.random = random
        for arc in arcs.indices { metric.costs[arc] = cost() }
    }

    /// A random cost that is often 0, closed, or the same as another.
    mutating func cost() -> Cost {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .free
        case 1: .closed
        case 2...5: Cost(UInt32.random(in: 1...4, using: &random))
        default: Cost(UInt32.random(in: 1...1_000_000, using: &random))
        }
    }

    mutating func node() -> NodeIndex {
        NodeIndex(Int.random(in: 0..<graph.nodeCount, using: &random))
    }

    /// New costs for a few arcs; an arc may occur twice.
    mutating func changes() -> [(arc: ArcIndex, cost: Cost)] {
        guard !graph.arcs.isEmpty else { return [] }
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in
            (ArcIndex(Int.random(in: graph.arcs.indices, using: &random)), cost())
        }
    }

    private static func addGrid(
        _ side: Int, keeping percent: Int, _ arcs: inout [RouteGraph.Arc],
        _ random: inout SeededRandom
    ) {
        for node in 0..<side * side {
            for other in [node + 1, node + side]
            where other < side * side && (other == node + side || other % side != 0) {
                guard Int.random(in: 0..<100, using: &random) < percent else { continue }
                addBoth(node, other, &arcs)
                if Int.random(in: 0..<6, using: &random) == 0 { arcs.removeLast() }
            }
        }
    }

    private static func addBoth(_ first: Int, _ second: Int, _ arcs: inout [RouteGraph.Arc]) {
        arcs.append(RouteGraph.Arc(from: NodeIndex(first), to: NodeIndex(second)))
        arcs.append(RouteGraph.Arc(from: NodeIndex(second), to: NodeIndex(first)))
    }
}

/// Whether the arcs lead from the start to the end and have this cost in sum.
func isRoute(
    _ arcs: [ArcIndex], from start: NodeIndex, to end: NodeIndex, costing cost: Cost,
    _ graph: RouteGraph, _ metric: Metric
) -> Bool {
    var node = start
    var sum = Cost.free
    for arc in arcs {
        guard graph.arcs[arc.value].tail == node else { return false }
        node = graph.arcs[arc.value].head
        sum = sum + metric[arc]
    }
    return node == end && sum == cost
}
