import Events
import Site

extension RouteJourney {
    /// The barriers on the route that passes the fewest. Nil if there is no route even without
    /// barriers.
    func explanation() -> RouteAnswer? {
        (try? join(over: relaxedMetric, isUsable: { _ in true })).flatMap { explanation($0) }
    }

    func explanation(_ joined: JoinedEnds) -> RouteAnswer? {
        guard let way = best(joined, over: relaxedMetric) else { return nil }
        var found = FoundBarriers()
        addStops(of: joined.start, to: &found)
        for index in way.arcsWithEnds {
            let arc = network.arcs[index.value]
            var rules = costs.barriers(arc).filter { rule in
                !(rule.isRestricted && arc.space.map { openedSpaces.contains($0) } == true)
            }
            if let connection = arc.connection {
                if arc.isEntrance { rules += closures.rules(connection, network) }
                let tail = network.graph.arcs[index.value].tail
                found.pass(connection, rules, at: network.nodes[tail.value])
            } else if let space = arc.space, arc.isEntrance, !openedSpaces.contains(space) {
                rules += closures.rules(ofSpace: space, network)
                found.enter(rules)
            }
        }
        addStops(of: joined.ends[way.end].place, to: &found)
        guard !found.order.isEmpty else { return nil }
        return .none(
            .barriers(
                found.order.map { connection, place in
                    barrier(connection, found.rules[connection] ?? [], at: place)
                }))
    }

    /// Adds why nobody of the profile goes on from a lift or the like, or from any in a room.
    private func addStops(of place: JoinedPlace, to found: inout FoundBarriers) {
        let stops = place.stop.map { [$0] } ?? place.stopsInside
        let closed = stops.map { (stop: $0, rules: rules(at: $0)) }
        guard closed.allSatisfy({ !$0.rules.isEmpty }) else { return }
        for (stop, rules) in closed {
            found.pass(stop.connection, rules, at: network.nodes[stop.node.value])
        }
    }

    /// Why nobody of the profile enters a lift or the like at the stop; empty if it can be entered.
    private func rules(at stop: WayStop) -> [Barrier.Rule] {
        let metric = metric.metric
        let entries = network.entries(of: stop.connection) { !metric[$0].isClosed }
        guard !entries.contains(stop.node) else { return [] }
        let arcs = network.arcsOfConnection[stop.connection].filter { arc in
            network.graph.arcs[arc.value].tail == stop.node
                || network.arcs[arc.value].course == .ride
        }
        return arcs.flatMap { costs.barriers(network.arcs[$0.value]) }
            + closures.rules(stop.connection, network)
    }

    private func barrier(
        _ connection: Int, _ rules: [Barrier.Rule], at place: WayJunctions.Node
    ) -> Barrier {
        let record = network.record(connection)
        var rooms: [RoomID] = []
        for room in record.stops.compactMap(\.room) where !rooms.contains(room) {
            rooms.append(room)
        }
        return Barrier(
            connection: record.id, kind: record.kind, rules: rules,
            floor: place.level.map { network.site.floor($0).id }, point: place.point, rooms: rooms)
    }

    /// The end without connections, if no barrier explains why there is no route.
    func island(_ joined: JoinedEnds) -> RouteIsland {
        let reach = network.reach
        if !joined.starts.contains(where: { reach.leadsToWay[$0.node.value] }) { return .start }
        let isLedTo = joined.targets.contains { reach.isLedToFromWay[$0.node.value] }
        return isLedTo ? .between : .end
    }
}

/// Collects barriers in the order of the route. A barrier of a room is listed at the connection
/// into it.
private struct FoundBarriers {
    private(set) var order: [(connection: Int, place: WayJunctions.Node)] = []
    private(set) var rules: [Int: [Barrier.Rule]] = [:]
    private var last: (connection: Int, place: WayJunctions.Node)?
    /// Barriers of the room in which the route begins; they are listed at the first connection out
    /// of it.
    private var waiting: [Barrier.Rule] = []

    mutating func pass(
        _ connection: Int, _ rules: [Barrier.Rule], at place: WayJunctions.Node
    ) {
        last = (connection, place)
        add(waiting + rules, to: connection, at: place)
        waiting = []
    }

    mutating func enter(_ rules: [Barrier.Rule]) {
        if let last { add(rules, to: last.connection, at: last.place) } else { waiting += rules }
    }

    private mutating func add(
        _ found: [Barrier.Rule], to connection: Int, at place: WayJunctions.Node
    ) {
        guard !found.isEmpty else { return }
        if rules[connection] == nil { order.append((connection, place)) }
        for rule in found where rules[connection]?.contains(rule) != true {
            rules[connection, default: []].append(rule)
        }
    }
}
