import SeededRandomness
import Testing

@testable import Wayfinding

@Suite("ManyEndedSearch") struct ManyEndedSearchTests {
    typealias End = ManyEndedSearch.End

    @Test(
        "The route costs what Dijkstra finds for the cheapest pair, and its arcs lead there",
        arguments: 0..<80)
    func equalsDijkstra(seed: Int) throws {
        var made = try RandomGraph(seed: seed)
        let metric = CustomisedMetric(try RouteHierarchy(made.graph), made.metric)
        let reference = Dijkstra(made.graph, made.metric)
        var search = ManyEndedSearch()
        for size in 0..<6 {
            let starts = (0..<size).map { _ in End(made.node(), made.cost()) }
            let ends = (0..<max(1, 4 - size)).map { _ in End(made.node(), made.cost()) }
            let least =
                starts.map { start in
                    let costs = reference.costs(from: start.node)
                    return ends.map { start.cost + costs[$0.node.value] + $0.cost }.min() ?? .closed
                }.min() ?? .closed
            let found = search.find(from: starts, to: ends, over: metric)
            #expect((found?.cost ?? .closed) == least)
            guard let found else {
                #expect(search.arcs.isEmpty)
                continue
            }
            let (start, end) = (starts[found.start], ends[found.end])
            let between = Cost(found.cost.value - start.cost.value - end.cost.value)
            #expect(
                isRoute(
                    search.arcs, from: start.node, to: end.node, costing: between, made.graph,
                    made.metric))
        }
    }

    @Test("One search can be used on two graphs in turn")
    func severalGraphs() throws {
        var graphs = try (0..<8).map { try RandomGraph(seed: $0) }
        let metrics = try graphs.map { CustomisedMetric(try RouteHierarchy($0.graph), $0.metric) }
        var search = ManyEndedSearch()
        for _ in 0..<2 {
            for index in graphs.indices {
                let (start, end) = (graphs[index].node(), graphs[index].node())
                let expected = Dijkstra(graphs[index].graph, graphs[index].metric)
                    .route(from: start, to: end)
                let found = search.find(from: [End(start)], to: [End(end)], over: metrics[index])
                #expect(found?.cost == expected?.cost)
            }
        }
    }
}
