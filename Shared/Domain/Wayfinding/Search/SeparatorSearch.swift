/// Looks for a small set of nodes that parts a piece into two of like size.
///
/// Inertial flow (Schild and Sommer 2015, "On balanced separators in road networks"): lay the nodes
/// out on a line, join a quarter at each end, and cut between them where fewest nodes need to go,
/// which a maximum flow finds. Theirs cuts arcs; here a unit of flow uses up a node, so that the
/// cut is a least set of nodes (Menger 1927). Of the cuts nearest to either end and of all lines
/// the one is kept that has the fewest nodes for a node of the smaller part.
struct SeparatorSearch {
    /// So much of the nodes at each end of a line: the smaller part keeps about as many.
    private static let endShare = 0.25

    private let graph: PieceGraph
    private var flow: NodeFlow
    /// The separator; empty until a line was considered.
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

    /// A cut of more nodes than this is no better even when its parts are of one size.
    private var worthwhileFlow: Int { Int(bestScore * (Double(graph.count) / 2 + 0.5)) }
}
