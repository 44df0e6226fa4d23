import Events
import Geometry
import Site

/// The cost of each arc of a network for a profile.
struct NetworkCosts {
    /// The price of one barrier in a search for the fewest barriers, in milliseconds. It is more
    /// than any detour, and a hundred of them still fit into a `Cost`.
    static let barrierMilliseconds = 10_800_000.0
    /// The share of the price for unknown facts and closures. Facts can be found out and closures
    /// end, but stairs stay.
    private static let lightShare = 0.6

    /// The least area of a hall, in square metres.
    private static let hallSquareMetres = 150.0

    let network: WayNetwork
    let rules: TravelRules
    /// The open halls that cost the profile more.
    private let halls: Set<Int>

    init(_ network: WayNetwork, _ profile: TravelProfile) {
        self.network = network
        rules = TravelRules(profile: profile, ordinals: network.ordinals)
        halls = profile.hallFactor > 1 ? Self.halls(network) : []
    }

    /// Large rooms that are no corridors, and have no tactile paving.
    private static func halls(_ network: WayNetwork) -> Set<Int> {
        let site = network.site
        return Set(
            network.spaces.indices.filter { space in
                let room = network.spaces[space].room
                return PlaceKind(site.room(room).kind).base != PlaceKind.corridor
                    && site.room(room).hasTactilePaving != true
                    && site.outline(room)?.area ?? 0 >= hallSquareMetres
            })
    }

    /// The profile's costs, without outages and opening hours.
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

    /// The arcs whose costs differ between a metric with closures and the profile's own.
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

    /// The profile's barriers at an arc, without outages and opening hours.
    func barriers(_ arc: WayArc) -> [Barrier.Rule] {
        guard let connection = arc.connection else { return roomBarriers(arc) }
        let record = network.record(connection)
        switch arc.course {
        // A lift has no direction until the ride, so ways to avoid are checked there. Its other
        // barriers are reported at boarding.
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

    /// The cost of an open arc, or of a share of it.
    func openCost(_ arc: WayArc, share: Double = 1) -> Cost {
        let record = arc.connection.map(network.record)
        let seconds = rules.seconds(arc, record) * share
        var price = rules.price(arc, record, seconds: seconds)
        if let space = arc.space, halls.contains(space) {
            price += (rules.profile.hallFactor - 1) * seconds
        }
        return Cost(seconds: seconds + price)
    }
}

extension Cost {
    /// A value that is not a number counts as 0.
    init(seconds: Double) {
        let milliseconds = min(max(0, (seconds * 1_000).rounded()), Double(Cost.closed.value))
        self.init(milliseconds.isNaN ? 0 : UInt32(milliseconds))
    }
}

extension WayArc {
    /// Whether closing the connection or the room closes this arc. It closes the way into a lift,
    /// and the lines through a room.
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
