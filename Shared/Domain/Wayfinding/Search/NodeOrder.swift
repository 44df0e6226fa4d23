/// An order in which the nodes of a graph are contracted; important nodes come late.
public struct NodeOrder: Hashable, Sendable {
    /// The node of each rank.
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

    /// The order by nested dissection (George 1973). A few nodes that split the graph into two come
    /// last, and so on within each part. The cost of a search grows with the number of nodes in
    /// these separators.
    public init(dissecting graph: RouteGraph) {
        var dissection = NestedDissection(graph)
        self.init(dissection.order())
    }
}
