/// Looks for a small set of nodes that splits a piece into two parts of similar size.
///
/// The method is inertial flow (Schild and Sommer 2015, "On balanced separators in road networks").
/// The nodes are sorted along a line. A quarter at each end is joined, and a maximum flow finds the
/// smallest cut between the two. The paper cuts arcs. Here each node carries one unit of flow, so
/// the cut is a minimum set of nodes (Menger 1927). Each line gives two cuts, one near either end.
/// The best cut of all lines has the fewest nodes for each node of the smaller part.
struct SeparatorSearch {
    /// The share of the nodes at each end of a line; the smaller part keeps at least about as many.
    private static let endShare = 0.25

    private let graph: PieceGraph
    private var flow: NodeFlow
    /// The best separator; empty until a line was considered.
    private(set) var best: [Int32] = []
    private var bestScore = Double.infinity

    init(_ graph: PieceGraph) {
        self.graph = graph
        flow = NodeFlow(nodeCount: graph.count)
    }

    /// - Parameter line: all nodes of the piece in their order on a line; at least two.
    mutating func consider(_ line: [Int32]) {
        let share = max(1, Int(Double(graph.count) * Self.endShare))
        let mostFlow = best.isEmpty ? Int.max : worthwhileFlow
        let isWhole = flow.run(
            graph, sources: line.prefix(share), sinks: line.suffix(share), limit: mostFlow)
        guard isWhole else { return }
        for cut in [flow.cutNearSources(graph), flow.cutNearSinks(graph)] {
            let smaller = min(cut.before, graph.count - cut.before - cut.nodes.count)
            let score = Double(cut.nodes.count) / (Double(smaller) + 0.5)
            guard score < bestScore else { continue }
            bestScore = score
            best = cut.nodes
        }
    }

    /// A cut of more nodes than this is no better, even with two parts of the same size.
    private var worthwhileFlow: Int { Int(bestScore * (Double(graph.count) / 2 + 0.5)) }
}
