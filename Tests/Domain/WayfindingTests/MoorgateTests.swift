import Events
import Geometry
import Site
import Testing
import Wayfinding

/// From the street outside the Elizabeth line's western entrance to its platforms, nine levels
/// down.
@Suite("Moorgate station") struct MoorgateTests {
    private static let street = RoutePlace.geographic(
        GeographicPoint(latitude: 51.51835, longitude: -0.0893), level: nil)
    private static let platform = RoutePlace.geographic(
        GeographicPoint(latitude: 51.5180842, longitude: -0.0879036), level: "-9")

    private static func climbs(_ route: IndoorRoute) -> [String] {
        route.legs.compactMap { leg in
            guard case .connection(let id, let kind) = leg.passage, leg.startFloor != leg.endFloor
            else { return nil }
            return kind == .door || kind == .walk ? nil : "\(kind.rawValue) \(id)"
        }
    }

    @Test("A step-free route goes down by lifts only, a route on foot another way")
    func lifts() throws {
        guard let finder = try RealSites.moorgate() else { return }
        func route(_ profile: TravelProfile) throws -> IndoorRoute {
            let answer = finder.answer(Drawn.query(Self.street, Self.platform, by: profile))
            guard case .found(let routes) = answer else {
                Issue.record("\(profile.name): \(answer)")
                throw CancellationError()
            }
            expectWhole(routes[0], in: finder.network.site)
            return routes[0]
        }
        let walking = Self.climbs(try route(.walking))
        for profile in [TravelProfile.stepFreeStrict, .stepFreePreferred, .wheelchair] {
            let climbs = Self.climbs(try route(profile))
            #expect(climbs == ["lift n12286248170", "lift n12286248172"], "\(profile.name)")
            #expect(climbs != walking)
        }
        #expect(walking.contains { !$0.hasPrefix("lift") })
    }

    @Test(
        "If a lift is out of service there is another way, or the lift is the barrier",
        arguments: ["n12286248170", "n12286248172"])
    func outage(lift: String) throws {
        guard let finder = try RealSites.moorgate() else { return }
        let query = Drawn.query(Self.street, Self.platform, by: .stepFreeStrict)
        let since = Timestamp(milliseconds: 1_763_800_000_000)
        let outage = WayOutage(connection: ConnectionID(lift), from: since, reason: "doors")
        let before = finder.answer(query)
        let during = finder.answer(query, outages: [outage])
        #expect(during != before)
        switch during {
        case .found(let routes):
            #expect(!Self.climbs(routes[0]).contains("lift \(lift)"))
        case .none(.barriers(let barriers)):
            let named = barriers.first { $0.connection == outage.connection }
            #expect(named?.rules == [.outage(since: since, until: nil, reason: "doors")])
        case .none(let reason): Issue.record("\(reason)")
        }
        #expect(finder.answer(query) == before)
    }
}
