import Events
import Routing

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
        rules = TravelRules(profile: profile)
    }

    /// As the profile goes, with nothing closed.
    func metric() -> Metric { Metric(network.arcs.map(cost)) }

    func cost(_ arc: WayArc) -> Cost {
        guard barriers(arc).isEmpty else { return .closed }
        return openCost(arc)
    }

    /// With barriers that may be passed at a high price.
    ///
    /// - Parameter closed: connections that are out of service or shut.
    func relaxedMetric(closed: Set<Int>) -> Metric {
        Metric(
            network.arcs.map { arc in
                var price = 0.0
                let barriers = barriers(arc)
                if !barriers.isEmpty {
                    price += barriers.allSatisfy(\.isUnknown) ? Self.lightShare : 1
                }
                if let connection = arc.connection, closed.contains(connection), arc.isEntrance {
                    price += Self.lightShare
                }
                return openCost(arc) + Cost(UInt32(price * Self.barrierMilliseconds))
            })
    }

    /// What stops the profile at an arc, outages and hours apart.
    func barriers(_ arc: WayArc) -> [Barrier.Rule] {
        guard let connection = arc.connection else { return [] }
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

    func seconds(_ arc: WayArc) -> Double { rules.seconds(arc, arc.connection.map(network.record)) }

    /// Of a part of an arc, such as from where one joins it.
    func openCost(_ arc: WayArc, share: Double = 1) -> Cost {
        let record = arc.connection.map(network.record)
        let seconds = rules.seconds(arc, record) * share
        return Cost(seconds: seconds + rules.price(arc, record, seconds: seconds))
    }
}

extension Cost {
    init(seconds: Double) {
        self.init(UInt32(min((seconds * 1_000).rounded(), Double(Cost.closed.value))))
    }
}

extension WayArc {
    /// Whether closing the connection closes this arc: of a lift the way in.
    var isEntrance: Bool {
        switch course {
        case .along, .through, .board: true
        case .ride, .alight, .step, .inside: false
        }
    }
}

extension Barrier.Rule {
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
    var isAvoided: Bool { if case .avoided = self { true } else { false } }
}
