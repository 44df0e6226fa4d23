import Geometry
import Testing

@testable import Wayfinding

@Suite("Dijkstra") struct DijkstraTests {
    /// A slow and obvious reference (Bellman 1958): relaxes all arcs as often as there are nodes.
    static func costs(_ graph: RouteGraph, _ metric: Metric, from start: NodeIndex) -> [Cost] {
        var costs = Array(repeating: Cost.closed, count: graph.nodeCount)
        costs[start.value] = .free
        for _ in 0..<graph.nodeCount {
            for (index, arc) in graph.arcs.enumerated() {
                let cost = costs[arc.tail.value] + metric.costs[index]
                costs[arc.head.value] = min(costs[arc.head.value], cost)
            }
        }
        return costs
    }

    @Test("Dijkstra finds the costs that repeated relaxing of all arcs finds", arguments: 0..<60)
    func equalsBellman(seed: Int) throws {
        var made = try RandomGraph(seed: seed)
        let start = made.node()
        let expected = Self.costs(made.graph, made.metric, from: start)
        let dijkstra = Dijkstra(made.graph, made.metric)
        #expect(dijkstra.costs(from: start) == expected)
        let ends = (0..<5).map { _ in made.node() }
        let routes = dijkstra.routes(from: start, to: ends)
        for (end, route) in zip(ends, routes) {
            #expect((route?.cost ?? .closed) == expected[end.value])
            #expect(dijkstra.route(from: start, to: end)?.cost == route?.cost)
            guard let route else { continue }
            #expect(
                isRoute(
                    route.arcs, from: start, to: end, costing: route.cost, made.graph, made.metric))
        }
    }

    @Test("A node reaches itself at no cost and without arcs, whatever its loops cost")
    func itself() throws {
        let node = NodeIndex(0)
        let graph = try RouteGraph(nodeCount: 1, arcs: [RouteGraph.Arc(from: node, to: node)])
        let route = Dijkstra(graph, Metric([Cost(7)])).route(from: node, to: node)
        #expect(route == FoundRoute(cost: .free, arcs: []))
    }

    @Test("Sums of costs stop at closed, and a route of that cost does not exist")
    func saturates() throws {
        let nodes = (0..<4).map { NodeIndex($0) }
        let arcs = zip(nodes, nodes.dropFirst()).map { RouteGraph.Arc(from: $0, to: $1) }
        let graph = try RouteGraph(nodeCount: 4, arcs: arcs)
        let nearly = Cost(Cost.closed.value - 2)
        let dijkstra = Dijkstra(graph, Metric([nearly, Cost(1), Cost(1)]))
        #expect(dijkstra.route(from: nodes[0], to: nodes[2])?.cost == nearly + Cost(1))
        #expect(dijkstra.route(from: nodes[0], to: nodes[3]) == nil)
        #expect(Cost(UInt32.max) == .closed)
        #expect(Cost.closed + .closed == .closed)
    }

    @Test("A graph with wrong arcs or points is refused with the reason")
    func faults() throws {
        let arc = RouteGraph.Arc(from: NodeIndex(0), to: NodeIndex(2))
        let back = RouteGraph.Arc(from: NodeIndex(-1), to: NodeIndex(0))
        let origin = Point(x: 0, y: 0)
        let nowhere = Point(x: .nan, y: 0)
        #expect(throws: RouteGraphFault.arcOfUnknownNode(ArcIndex(0))) {
            try RouteGraph(nodeCount: 2, arcs: [arc])
        }
        #expect(throws: RouteGraphFault.arcOfUnknownNode(ArcIndex(1))) {
            try RouteGraph(nodeCount: 3, arcs: [arc, back])
        }
        #expect(throws: RouteGraphFault.pointsMissing) {
            try RouteGraph(nodeCount: 2, arcs: [], points: [origin])
        }
        #expect(throws: RouteGraphFault.pointNotFinite(NodeIndex(1))) {
            try RouteGraph(nodeCount: 2, arcs: [], points: [origin, nowhere])
        }
        #expect(throws: RouteGraphFault.tooLarge) {
            try RouteGraph(nodeCount: RouteGraph.largestCount + 1, arcs: [])
        }
    }
}
