import Events
import Site

/// Which connections nobody can use at the time of departure, and why.
struct WayClosures {
    private(set) var outages: [Int: WayOutage] = [:]
    private(set) var shut: Set<Int> = []
    private(set) var shutSpaces: Set<Int> = []

    var closed: Set<Int> { shut.union(outages.keys) }

    /// Of several outages of one connection that count, the one that began first.
    init(_ network: WayNetwork, _ query: RouteQuery, _ outages: [WayOutage]) {
        for outage in outages where outage.isActive(at: query.departAt) {
            guard let connection = network.connection(outage.connection) else { continue }
            if let other = self.outages[connection], other.from <= outage.from { continue }
            self.outages[connection] = outage
        }
        for (connection, hours) in network.openingHours
        where !hours.isOpen(at: query.departAt, utcOffsetSeconds: query.utcOffsetSeconds) {
            shut.insert(connection)
        }
        for (space, hours) in network.roomHours
        where !hours.isOpen(at: query.departAt, utcOffsetSeconds: query.utcOffsetSeconds) {
            shutSpaces.insert(space)
        }
    }

    func rules(ofSpace space: Int, _ network: WayNetwork) -> [Barrier.Rule] {
        guard shutSpaces.contains(space),
            let hours = network.site.room(network.spaces[space].room).openingHours
        else { return [] }
        return [.shut(openingHours: hours)]
    }

    func rules(_ connection: Int, _ network: WayNetwork) -> [Barrier.Rule] {
        var rules: [Barrier.Rule] = []
        if let outage = outages[connection] {
            rules.append(.outage(since: outage.from, until: outage.until, reason: outage.reason))
        }
        if shut.contains(connection), let hours = network.record(connection).openingHours {
            rules.append(.shut(openingHours: hours))
        }
        return rules
    }
}
