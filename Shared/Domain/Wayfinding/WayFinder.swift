import Events
import Geometry
import Site

/// Answers route queries for one published site.
///
/// The network is computed once. Costs for a profile and for closures are computed at the first
/// query that needs them, and kept. A finder may be used by any number of threads.
public final class WayFinder: Sendable {
    public let network: WayNetwork
    let cache: MetricCache

    public init(_ network: WayNetwork) {
        self.network = network
        cache = MetricCache(network)
    }

    /// The best route and its alternatives, or the reason why there is none.
    ///
    /// - Parameter outages: all outages reported for the site. Those that are active at departure
    ///   count.
    public func answer(_ query: RouteQuery, outages: [WayOutage] = []) -> RouteAnswer {
        if let fault = query.fault { return .none(.malformed(fault)) }
        var journey = RouteJourney(self, query, outages)
        return journey.answer()
    }
}

extension RouteQuery {
    /// The walking speeds that a query may have, in metres a second; for wheels too.
    public static let walkingSpeeds = 0.1...5.0

    /// The error in the query; nil if it is valid.
    var fault: String? {
        if to.isEmpty { return "the query has no destination" }
        if to.count > Self.mostDestinations {
            return "\(to.count) destinations; the most is \(Self.mostDestinations)"
        }
        if !(0...Self.mostAlternatives).contains(alternatives) {
            return "\(alternatives) alternatives; give 0 to \(Self.mostAlternatives)"
        }
        if !Self.walkingSpeeds.contains(profile.walkingSpeed) {
            return "walking speed \(profile.walkingSpeed); give 0.1 to 5 metres a second"
        }
        return profile.pace.fault
    }
}

extension TravelPace {
    /// The error in the pace; nil if it is valid.
    fileprivate var fault: String? {
        let speeds = [
            stairsUpSpeed, stairsDownSpeed, escalatorSpeed, liftSpeed, platformLiftSpeed,
        ]
        let waits = [
            liftWaitSeconds, platformLiftWaitSeconds, manualDoorSeconds, automaticDoorSeconds,
        ]
        if !speeds.allSatisfy({ (0.01...100).contains($0) }) {
            return "a speed of the pace is not between 0.01 and 100 metres a second"
        }
        if !waits.allSatisfy({ (0...86_400).contains($0) }) {
            return "a wait of the pace is not between 0 and 86400 seconds"
        }
        return nil
    }
}
