import Geometry
import SeededRandomness
import Testing

@testable import Wayfinding

@Suite("NodeOrder") struct NodeOrderTests {
    @Test("An order has each node once, for any graph", arguments: 0..<80)
    func isPermutation(seed: Int) throws {
        let graph = try RandomGraph(seed: seed).graph
        let order = NodeOrder(dissecting: graph)
        #expect(order.nodes.map(\.value).sorted() == Array(0..<graph.nodeCount))
    }

    @Test("A graph without nodes has an empty order")
    func empty() throws {
        let graph = try RouteGraph(nodeCount: 0, arcs: [])
        #expect(NodeOrder(dissecting: graph).nodes.isEmpty)
        #expect(try RouteHierarchy(graph).height == 0)
    }

    @Test("A chain is halved again and again, with points and without", arguments: [false, true])
    func chain(hasPoints: Bool) throws {
        let count = 5_000
        let graph = try chainGraph(count, hasPoints: hasPoints)
        // A chain of 5,000 nodes, which is less than 2^13, is halved 13 times at most.
        #expect(try RouteHierarchy(graph).height == 13)
    }

    @Test("A grid of 30 x 30 has separators of about a row")
    func grid() throws {
        let side = 30
        var arcs: [RouteGraph.Arc] = []
        for node in 0..<side * side {
            if node % side < side - 1 { arcs += both(node, node + 1) }
            if node / side < side - 1 { arcs += both(node, node + side) }
        }
        let points = (0..<side * side).map {
            Point(x: Double($0 % side), y: Double($0 / side))
        }
        for points in [points, nil] {
            let graph = try RouteGraph(nodeCount: side * side, arcs: arcs, points: points)
            // Rows and columns are halved in turn, which gives 30 + 15 + 15 + 8 + 8 ... = 3 x 30.
            #expect(try RouteHierarchy(graph).height <= 4 * side)
        }
    }

    @Test("A minimum cut is as small as the best of all sets of nodes", arguments: 0..<40)
    func leastCut(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 3...9, using: &random)
        var joined = Set<[Int]>()
        for node in 1..<count { joined.insert([Int.random(in: 0..<node, using: &random), node]) }
        for _ in 0..<count {
            let pair = (0..<2).map { _ in Int.random(in: 0..<count, using: &random) }.sorted()
            if pair[0] != pair[1] { joined.insert(pair) }
        }
        let arcs = joined.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { both($0[0], $0[1]) }
        let (first, neighbours) = undirected(try RouteGraph(nodeCount: count, arcs: arcs))
        let graph = PieceGraph(first: first, neighbours: neighbours)
        let line = (0..<Int32(count)).shuffled(using: &random)
        let share = Int.random(in: 1...(count / 2), using: &random)
        let (sources, sinks) = (line.prefix(share), line.suffix(share))
        let least = (0..<1 << count).filter { isCut($0, graph, sources, sinks) }
            .map(\.nonzeroBitCount).min()

        var flow = NodeFlow(nodeCount: count)
        let isWhole = flow.run(graph, sources: sources, sinks: sinks, limit: .max)
        #expect(isWhole)
        for cut in [flow.cutNearSources(graph), flow.cutNearSinks(graph)] {
            #expect(cut.nodes.count == least)
            let set = cut.nodes.reduce(0) { $0 | 1 << Int($1) }
            #expect(isCut(set, graph, sources, sinks))
        }
        let isWithinLess = flow.run(
            graph, sources: sources, sinks: sinks, limit: (least ?? 0) - 1)
        #expect(!isWithinLess)
    }

    /// Whether the set separates all other sources from all other sinks.
    private func isCut(
        _ set: Int, _ graph: PieceGraph, _ sources: ArraySlice<Int32>, _ sinks: ArraySlice<Int32>
    ) -> Bool {
        var reached = sources.reduce(0) { $0 | 1 << Int($1) } & ~set
        for _ in 0..<graph.count {
            for node in 0..<Int32(graph.count) where reached & 1 << Int(node) != 0 {
                for other in graph.neighbours(of: node) { reached |= (1 << Int(other)) & ~set }
            }
        }
        return sinks.allSatisfy { reached & 1 << Int($0) == 0 }
    }

    private func chainGraph(_ count: Int, hasPoints: Bool) throws -> RouteGraph {
        let arcs = (1..<count).flatMap { both($0 - 1, $0) }
        let points = (0..<count).map { Point(x: Double($0), y: 0) }
        return try RouteGraph(nodeCount: count, arcs: arcs, points: hasPoints ? points : nil)
    }

    private func both(_ first: Int, _ second: Int) -> [RouteGraph.Arc] {
        let (first, second) = (NodeIndex(first), NodeIndex(second))
        return [RouteGraph.Arc(from: first, to: second), RouteGraph.Arc(from: second, to: first)]
    }
}
