import Events
import Site

/// The connections and rooms that are closed at departure, or when the traveller reaches them, and
/// the outages that close them.
struct WayClosures {
    /// Connections and rooms that close while the traveller is on the way to them.
    struct Closing {
        var outages: [Int: WayOutage] = [:]
        var shut: Set<Int> = []
        var shutSpaces: Set<Int> = []
        var isEmpty: Bool { outages.isEmpty && shut.isEmpty && shutSpaces.isEmpty }

        mutating func add(_ other: Closing) {
            outages.merge(other.outages) { first, _ in first }
            shut.formUnion(other.shut)
            shutSpaces.formUnion(other.shutSpaces)
        }
    }

    private(set) var outages: [Int: WayOutage] = [:]
    /// Outages that begin after departure.
    private var plannedOutages: [Int: [WayOutage]] = [:]
    private(set) var shut: Set<Int> = []
    private(set) var shutSpaces: Set<Int> = []

    var closed: Set<Int> { shut.union(outages.keys) }

    /// If several outages of one connection are active, the one that began first counts.
    init(_ network: WayNetwork, _ query: RouteQuery, _ outages: [WayOutage]) {
        for outage in outages {
            guard let connection = network.connection(outage.connection) else { continue }
            guard outage.isActive(at: query.departAt) else {
                if outage.from > query.departAt {
                    plannedOutages[connection, default: []].append(outage)
                }
                continue
            }
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

    /// The outage of a connection at a time from departure on; nil for none.
    func outage(of connection: Int, at moment: Timestamp) -> WayOutage? {
        let own = outages[connection].flatMap { $0.isActive(at: moment) ? $0 : nil }
        return own ?? plannedOutages[connection]?.first { $0.isActive(at: moment) }
    }

    /// Adds the connection to `closing` if it is closed or out of service at the time.
    func note(
        _ connection: Int, at moment: Timestamp, _ network: WayNetwork, _ query: RouteQuery,
        in closing: inout Closing
    ) {
        if let outage = plannedOutages[connection]?.first(where: { $0.isActive(at: moment) }) {
            closing.outages[connection] = outage
        }
        if let hours = network.openingHours[connection],
            !hours.isOpen(at: moment, utcOffsetSeconds: query.utcOffsetSeconds)
        {
            closing.shut.insert(connection)
        }
    }

    /// Adds the room to `closing` if it is closed at the time.
    func note(
        space: Int, at moment: Timestamp, _ network: WayNetwork, _ query: RouteQuery,
        in closing: inout Closing
    ) {
        if let hours = network.roomHours[space],
            !hours.isOpen(at: moment, utcOffsetSeconds: query.utcOffsetSeconds)
        {
            closing.shutSpaces.insert(space)
        }
    }

    mutating func close(_ closing: Closing) {
        outages.merge(closing.outages) { first, _ in first }
        shut.formUnion(closing.shut)
        shutSpaces.formUnion(closing.shutSpaces)
    }

    func rules(ofSpace space: Int, _ network: WayNetwork) -> [Barrier.Rule] {
        guard shutSpaces.contains(space),
            let hours = network.site.room(network.spaces[space].room).openingHours
        else { return [] }
        return [
            .shut(openingHours: hours, room: network.site.room(network.spaces[space].room).id)
        ]
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
