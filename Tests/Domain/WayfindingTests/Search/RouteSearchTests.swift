import Testing

@testable import Wayfinding

@Suite("RouteSearch") struct RouteSearchTests {
    @Test("The route costs what Dijkstra finds, and its arcs lead there", arguments: 0..<120)
    func equalsDijkstra(seed: Int) throws {
        let made = try RandomGraph(seed: seed)
        let metric = CustomisedMetric(try RouteHierarchy(made.graph), made.metric)
        try expectSameCosts(made, metric)
    }

    @Test("A random order gives the same costs as a good one", arguments: 0..<40)
    func anyOrder(seed: Int) throws {
        let made = try RandomGraph(seed: seed)
        var nodes = (0..<made.graph.nodeCount).map { NodeIndex($0) }
        // The low bits of a product give a random order without a generator.
        nodes.sort { ($0.value &* 7_919 % 101, $0) < ($1.value &* 7_919 % 101, $1) }
        let hierarchy = try RouteHierarchy(made.graph, order: NodeOrder(nodes))
        try expectSameCosts(made, CustomisedMetric(hierarchy, made.metric))
    }

    @Test(
        "After changes of costs a route costs what Dijkstra finds, as after customising anew",
        arguments: 0..<120)
    func changes(seed: Int) throws {
        var made = try RandomGraph(seed: seed)
        let hierarchy = try RouteHierarchy(made.graph)
        var metric = CustomisedMetric(hierarchy, made.metric)
        let before = metric
        for _ in 0..<6 {
            let changes = made.changes()
            for (arc, cost) in changes { made.metric[arc] = cost }
            metric.change(changes)
            #expect(metric.metric == made.metric)
            #expect(metric.costs == CustomisedMetric(hierarchy, made.metric).costs)
        }
        try expectSameCosts(made, metric)
        // The copy has not changed.
        #expect(before.costs == CustomisedMetric(hierarchy, before.metric).costs)
    }

    @Test("The nearest of several ends is the one that is cheapest to reach", arguments: 0..<60)
    func nearest(seed: Int) throws {
        var made = try RandomGraph(seed: seed)
        let metric = CustomisedMetric(try RouteHierarchy(made.graph), made.metric)
        var search = RouteSearch()
        for size in 0..<6 {
            let start = made.node()
            let ends = (0..<size).map { _ in made.node() }
            let costs = Dijkstra(made.graph, made.metric).costs(from: start)
            let expected = ends.map { costs[$0.value] }
            let all = search.costs(from: start, to: ends, over: metric)
            #expect(all == expected)
            let found = search.findNearest(from: start, of: ends, over: metric)
            #expect((found?.cost ?? .closed) == (expected.min() ?? .closed))
            guard let (end, cost) = found else {
                #expect(search.arcs.isEmpty)
                continue
            }
            #expect(end == ends[expected.firstIndex(of: cost) ?? 0])
            #expect(
                isRoute(
                    search.arcs, from: start, to: end, costing: cost, made.graph, made.metric))
        }
    }

    @Test("One search can be used on two graphs in turn")
    func severalGraphs() throws {
        let graphs = try (0..<12).map { try RandomGraph(seed: $0) }
        let metrics = try graphs.map {
            CustomisedMetric(try RouteHierarchy($0.graph), $0.metric)
        }
        var search = RouteSearch()
        for _ in 0..<2 {
            for (made, metric) in zip(graphs, metrics) {
                let last = NodeIndex(made.graph.nodeCount - 1)
                let expected = Dijkstra(made.graph, made.metric).route(from: NodeIndex(0), to: last)
                let cost = search.find(from: NodeIndex(0), to: last, over: metric)
                #expect(cost == expected?.cost)
            }
        }
    }

    @Test("A chain contracted from one end, 20,000 deep, is searched and changed")
    func deepChain() throws {
        let nodes = (0..<20_000).map { NodeIndex($0) }
        let arcs = zip(nodes, nodes.dropFirst()).map { RouteGraph.Arc(from: $0, to: $1) }
        let graph = try RouteGraph(nodeCount: nodes.count, arcs: arcs)
        let plain = Metric(Array(repeating: Cost(2), count: arcs.count))
        for order in [nodes, nodes.reversed()] {
            let hierarchy = try RouteHierarchy(graph, order: NodeOrder(order))
            #expect(hierarchy.height == nodes.count)
            var metric = CustomisedMetric(hierarchy, plain)
            metric.change([(ArcIndex(10_000), Cost(5))])
            var search = RouteSearch()
            let cost = search.find(from: nodes[0], to: nodes[19_999], over: metric)
            #expect(cost == Cost(2 * 19_998 + 5))
            #expect(search.arcs == arcs.indices.map { ArcIndex($0) })
            let back = search.find(from: nodes[1], to: nodes[0], over: metric)
            #expect(back == nil)
        }
    }

    @Test("A complete graph gives correct routes, though slowly")
    func complete() throws {
        let nodes = (0..<24).map { NodeIndex($0) }
        let arcs = nodes.flatMap { tail in nodes.map { RouteGraph.Arc(from: tail, to: $0) } }
        let graph = try RouteGraph(nodeCount: nodes.count, arcs: arcs)
        let costs = arcs.indices.map { Cost(UInt32(($0 * 7_919) % 1_009)) }
        let metric = CustomisedMetric(try RouteHierarchy(graph), Metric(costs))
        let dijkstra = Dijkstra(graph, Metric(costs))
        var search = RouteSearch()
        for start in nodes {
            let costs = search.costs(from: start, to: nodes, over: metric)
            #expect(costs == dijkstra.costs(from: start))
        }
    }

    private func expectSameCosts(_ made: RandomGraph, _ metric: CustomisedMetric) throws {
        var made = made
        var search = RouteSearch()
        let dijkstra = Dijkstra(made.graph, made.metric)
        for _ in 0..<12 {
            let (start, end) = (made.node(), made.node())
            let expected = dijkstra.route(from: start, to: end)
            let cost = search.find(from: start, to: end, over: metric)
            #expect(cost == expected?.cost, "from \(start) to \(end)")
            guard let cost else {
                #expect(search.arcs.isEmpty)
                continue
            }
            #expect(
                isRoute(
                    search.arcs, from: start, to: end, costing: cost, made.graph, made.metric),
                "from \(start) to \(end)")
            let alone = search.cost(from: start, to: end, over: metric)
            #expect(alone == cost)
        }
    }
}
