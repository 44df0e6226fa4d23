/// An order in which the nodes of a graph are contracted: what comes late is important.
public struct NodeOrder: Hashable, Sendable {
    /// From rank to node.
    public let nodes: [NodeIndex]

    /// - Parameter nodes: every node of a graph once.
    public init(_ nodes: [NodeIndex]) {
        var isSeen = [Bool](repeating: false, count: nodes.count)
        for node in nodes {
            precondition(!isSeen[node.value], "an order holds each node once")
            isSeen[node.value] = true
        }
        self.nodes = nodes
    }

    /// By nested dissection (George 1973): a few nodes that part the graph into two come last, and
    /// so within each part. The cost of a search grows with the number of nodes in these
    /// separators.
    public init(dissecting graph: RouteGraph) {
        var dissection = NestedDissection(graph)
        self.init(dissection.order())
    }
}
