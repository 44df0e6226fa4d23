import Events
import Site

/// What each arc of a network costs by a profile.
struct NetworkCosts {
    /// Milliseconds that a search for barriers counts for one: more than any detour, so that the
    /// fewest are found, and few enough that a hundred in a row stay countable.
    static let barrierMilliseconds = 10_800_000.0
    /// A fact can be looked up and an hour waited for; stairs stay.
    private static let lightShare = 0.6

    let network: WayNetwork
    let rules: TravelRules

    init(_ network: WayNetwork, _ profile: TravelProfile) {
        self.network = network
        rules = TravelRules(profile: profile, ordinals: network.ordinals)
    }

    /// As the profile goes, with nothing out of service.
    ///
    /// - Parameter isRelaxed: barriers may be passed at a high price.
    func metric(isRelaxed: Bool = false) -> Metric {
        Metric(network.arcs.map { cost($0, isRelaxed: isRelaxed) })
    }

    private func cost(
        _ arc: WayArc, isRelaxed: Bool, isClosed: Bool = false, isOpened: Bool = false
    ) -> Cost {
        let barriers = barriers(arc).filter { !(isOpened && $0.isRestricted) }
        if barriers.isEmpty, !isClosed { return openCost(arc) }
        guard isRelaxed else { return .closed }
        var price = isClosed ? Self.lightShare : 0
        if !barriers.isEmpty { price += barriers.allSatisfy(\.isUnknown) ? Self.lightShare : 1 }
        return openCost(arc) + Cost(UInt32(price * Self.barrierMilliseconds))
    }

    /// How a metric with closures differs from the profile's own.
    func changes(_ key: MetricCache.Key) -> [(arc: ArcIndex, cost: Cost)] {
        var changes: [(arc: ArcIndex, cost: Cost)] = []
        for connection in key.closed.sorted() {
            for arc in network.arcsOfConnection[connection] {
                guard network.arcs[arc.value].isEntrance else { continue }
                let cost = cost(
                    network.arcs[arc.value], isRelaxed: key.isRelaxed, isClosed: true)
                changes.append((arc, cost))
            }
        }
        for space in key.closedSpaces.union(key.openedSpaces).sorted() {
            let isOpened = key.openedSpaces.contains(space)
            for arc in network.arcsOfSpace[space] {
                let cost = cost(
                    network.arcs[arc.value], isRelaxed: key.isRelaxed,
                    isClosed: !isOpened && network.arcs[arc.value].isEntrance,
                    isOpened: isOpened)
                changes.append((arc, cost))
            }
        }
        return changes
    }

    /// What stops the profile at an arc, outages and hours apart.
    func barriers(_ arc: WayArc) -> [Barrier.Rule] {
        guard let connection = arc.connection else { return roomBarriers(arc) }
        let record = network.record(connection)
        switch arc.course {
        // In and out of a lift is no direction, and what else there is to say is said there.
        case .board: return rules.barriers(record, direction: 0).filter { !$0.isAvoided }
        case .alight: return []
        case .ride: return rules.barriers(record, direction: arc.direction).filter(\.isAvoided)
        case .along, .through, .step, .inside:
            return rules.barriers(record, direction: arc.direction)
        }
    }

    private func roomBarriers(_ arc: WayArc) -> [Barrier.Rule] {
        guard let space = arc.space, arc.isEntrance else { return [] }
        let room = network.site.room(network.spaces[space].room)
        var barriers: [Barrier.Rule] = []
        if room.isRestricted { barriers.append(.restricted(room.id)) }
        if rules.profile.leavesOutInaccessible, room.accessible == .no {
            barriers.append(.inaccessible)
        }
        return barriers
    }

    func seconds(_ arc: WayArc) -> Double { rules.seconds(arc, arc.connection.map(network.record)) }

    /// Of a part of an arc, such as from where one joins it.
    func openCost(_ arc: WayArc, share: Double = 1) -> Cost {
        let record = arc.connection.map(network.record)
        let seconds = rules.seconds(arc, record) * share
        return Cost(seconds: seconds + rules.price(arc, record, seconds: seconds))
    }
}

extension Cost {
    /// Nothing for what is no number.
    init(seconds: Double) {
        let milliseconds = min(max(0, (seconds * 1_000).rounded()), Double(Cost.closed.value))
        self.init(milliseconds.isNaN ? 0 : UInt32(milliseconds))
    }
}

extension WayArc {
    /// Whether closing the connection or the room closes this arc: of a lift the way in, of a room
    /// what leads through it.
    var isEntrance: Bool {
        switch course {
        case .along, .through, .board, .inside: true
        case .ride, .alight, .step: false
        }
    }
}

extension Barrier.Rule {
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
    var isRestricted: Bool { if case .restricted = self { true } else { false } }
    var isAvoided: Bool { if case .avoided = self { true } else { false } }
}
