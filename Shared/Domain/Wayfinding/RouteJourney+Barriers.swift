import Events
import Routing
import Site

extension RouteJourney {
    /// What stops somebody: the barriers on the way that passes the fewest. Nil when there is no way
    /// even without any.
    func explanation() -> RouteAnswer? {
        guard let joined = try? join(isUsable: { _ in true }) else { return nil }
        guard let way = best(joined, over: relaxedMetric) else { return nil }
        var found = FoundBarriers()
        for index in way.arcsWithEnds {
            let arc = network.arcs[index.value]
            var rules = costs.barriers(arc).filter { rule in
                !(rule.isRestricted && arc.space.map { openedSpaces.contains($0) } == true)
            }
            if let connection = arc.connection {
                if arc.isEntrance { rules += closures.rules(connection, network) }
                found.pass(connection, rules)
            } else if let space = arc.space, arc.isEntrance, !openedSpaces.contains(space) {
                rules += closures.rules(ofSpace: space, network)
                found.enter(rules)
            }
        }
        let order = found.order
        let rules = found.rules
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
        let reach = network.reach
        if !joined.starts.contains(where: { reach.leadsToWay[$0.node.value] }) { return .start }
        let isLedTo = joined.targets.contains { reach.isLedToFromWay[$0.node.value] }
        return isLedTo ? .between : .end
    }
}

/// Barriers in the order that one would meet them. What is about a room is said of the way into it.
private struct FoundBarriers {
    var order: [Int] = []
    var rules: [Int: [Barrier.Rule]] = [:]
    private var last: Int?
    /// Of a room that the route begins in, for the first way out of it.
    private var waiting: [Barrier.Rule] = []

    mutating func pass(_ connection: Int, _ rules: [Barrier.Rule]) {
        last = connection
        add(waiting + rules, to: connection)
        waiting = []
    }

    mutating func enter(_ rules: [Barrier.Rule]) {
        if let last { add(rules, to: last) } else { waiting += rules }
    }

    private mutating func add(_ found: [Barrier.Rule], to connection: Int) {
        guard !found.isEmpty else { return }
        if rules[connection] == nil { order.append(connection) }
        for rule in found where rules[connection]?.contains(rule) != true {
            rules[connection, default: []].append(rule)
        }
    }
}
