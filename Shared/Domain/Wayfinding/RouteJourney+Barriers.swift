import Events
import Routing
import Site

extension RouteJourney {
    /// What stops somebody: the barriers on the way that passes the fewest. Nil when there is no way
    /// even without any.
    func explanation() -> RouteAnswer? {
        guard let joined = try? join(isUsable: { _ in true }) else { return nil }
        let key = MetricCache.Key(
            profile: query.profile, closed: closures.closed, isRelaxed: true)
        guard let way = best(joined, over: finder.cache.metric(for: key, costs)) else { return nil }
        var order: [Int] = []
        var rules: [Int: [Barrier.Rule]] = [:]
        func note(_ index: ArcIndex) {
            let arc = network.arcs[index.value]
            guard let connection = arc.connection else { return }
            var found = costs.barriers(arc)
            if arc.isEntrance { found += closures.rules(connection, network) }
            guard !found.isEmpty else { return }
            if rules[connection] == nil { order.append(connection) }
            for rule in found where rules[connection]?.contains(rule) != true {
                rules[connection, default: []].append(rule)
            }
        }
        for arc in way.arcsWithEnds { note(arc) }
        guard !order.isEmpty else { return nil }
        return .none(
            .barriers(
                order.map { connection in
                    let record = network.record(connection)
                    return Barrier(
                        connection: record.id, kind: record.kind, rules: rules[connection] ?? [])
                }))
    }

    /// Which end has no ways, when no barrier explains it.
    func island(_ joined: JoinedEnds) -> RouteIsland {
        let graph = network.graph
        let isWay = network.arcs.map { $0.connection != nil }
        func leads(_ nodes: [NodeIndex], _ next: [[(node: Int, arc: Int)]]) -> Bool {
            var isSeen = [Bool](repeating: false, count: graph.nodeCount)
            var waiting = nodes.map(\.value)
            for node in waiting { isSeen[node] = true }
            while let node = waiting.popLast() {
                for (other, arc) in next[node] {
                    if isWay[arc] { return true }
                    guard !isSeen[other] else { continue }
                    isSeen[other] = true
                    waiting.append(other)
                }
            }
            return false
        }
        var outgoing = [[(node: Int, arc: Int)]](repeating: [], count: graph.nodeCount)
        var incoming = outgoing
        for (index, arc) in graph.arcs.enumerated() {
            outgoing[arc.tail.value].append((arc.head.value, index))
            incoming[arc.head.value].append((arc.tail.value, index))
        }
        if !leads(joined.starts.map(\.node), outgoing) { return .start }
        return leads(joined.targets.map(\.node), incoming) ? .between : .end
    }
}
