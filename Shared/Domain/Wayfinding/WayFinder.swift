import Events
import Geometry
import Site

/// Answers route queries on one published site.
///
/// Everything that depends on the ways alone is worked out once; what depends on profiles and
/// closures is worked out when it is first asked for, and kept. One finder serves any number of
/// threads.
public final class WayFinder: Sendable {
    public let network: WayNetwork
    let cache: MetricCache

    public init(_ network: WayNetwork) {
        self.network = network
        cache = MetricCache(network)
    }

    /// The best route and its alternatives, or why there is none.
    ///
    /// - Parameter outages: those reported for the site; which ones count is judged at departure.
    public func answer(_ query: RouteQuery, outages: [WayOutage] = []) -> RouteAnswer {
        if let fault = query.fault { return .none(.malformed(fault)) }
        var journey = RouteJourney(self, query, outages)
        return journey.answer()
    }
}

extension RouteQuery {
    /// Metres a second within which somebody walks, or rolls.
    public static let walkingSpeeds = 0.1...5.0

    /// Why it is none.
    var fault: String? {
        if to.isEmpty { return "no destination" }
        if to.count > Self.mostDestinations {
            return "\(to.count) destinations, at most \(Self.mostDestinations)"
        }
        if !(0...Self.mostAlternatives).contains(alternatives) {
            return "\(alternatives) alternatives, at most \(Self.mostAlternatives)"
        }
        if !Self.walkingSpeeds.contains(profile.walkingSpeed) {
            return "walking speed \(profile.walkingSpeed), within 0.1 to 5 metres a second"
        }
        return profile.pace.fault
    }
}

extension TravelPace {
    /// Why nobody travels at it.
    fileprivate var fault: String? {
        let speeds = [
            stairsUpSpeed, stairsDownSpeed, escalatorSpeed, liftSpeed, platformLiftSpeed,
        ]
        let waits = [
            liftWaitSeconds, platformLiftWaitSeconds, manualDoorSeconds, automaticDoorSeconds,
        ]
        if !speeds.allSatisfy({ (0.01...100).contains($0) }) {
            return "a speed of the pace is not within 0.01 to 100 metres a second"
        }
        if !waits.allSatisfy({ (0...86_400).contains($0) }) {
            return "a wait of the pace is not within a day"
        }
        return nil
    }
}
