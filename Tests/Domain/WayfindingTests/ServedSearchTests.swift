import Events
import Foundation
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Wayfinding

/// The search of the router agrees with plain Dijkstra, on each site and with each profile.
@Suite("Served searches") struct ServedSearchTests {
    /// With WHEREABOUTS_FULL_ROUTES=1 the tests use ten times as many queries.
    static let isFull = ProcessInfo.processInfo.environment["WHEREABOUTS_FULL_ROUTES"] == "1"
    static let starts = isFull ? 100 : 10
    static let endsOfStart = 100
    static let profiles = TravelProfile.Name.allCases

    @Test("The simulated house: as cheap as Dijkstra's, also after outages", arguments: profiles)
    func house(profile: TravelProfile.Name) throws {
        try expectEqualCosts(try RealSites.house(), profile, seed: 1)
    }

    @Test("Moorgate: as cheap as Dijkstra's, also after outages", arguments: profiles)
    func moorgate(profile: TravelProfile.Name) throws {
        guard let finder = try RealSites.moorgate() else { return }
        try expectEqualCosts(finder, profile, seed: 2)
    }

    @Test("Polytech: as cheap as Dijkstra's, also after outages", arguments: profiles)
    func polytech(profile: TravelProfile.Name) throws {
        guard let finder = try RealSites.polytech() else { return }
        try expectEqualCosts(finder, profile, seed: 3)
    }

    private func expectEqualCosts(
        _ finder: WayFinder, _ name: TravelProfile.Name, seed: Int
    ) throws {
        let network = finder.network
        var random = SeededRandom(seed: seed)
        let profile = TravelProfile.named(name)
        let costs = NetworkCosts(network, profile)
        // Half of the lifts and a tenth of all other connections.
        let closed = Set(
            network.site.document.connections.indices.filter { index in
                let isLift = network.record(index).kind == .lift
                return Int.random(in: 0..<(isLift ? 2 : 10), using: &random) == 0
            })
        for closed in [[], closed] {
            let key = MetricCache.Key(profile: profile, closed: closed)
            let served = finder.cache.metric(for: key, costs)
            var plain = costs.metric()
            for connection in closed {
                for arc in network.arcsOfConnection[connection]
                where network.arcs[arc.value].isEntrance { plain[arc] = .closed }
            }
            var search = ManyEndedSearch()
            var found = 0
            for _ in 0..<Self.starts {
                let start = NodeIndex(Int.random(in: network.nodes.indices, using: &random))
                let expected = Dijkstra(network.graph, plain).costs(from: start)
                for _ in 0..<Self.endsOfStart {
                    let end = NodeIndex(Int.random(in: network.nodes.indices, using: &random))
                    let cost = search.find(
                        from: [ManyEndedSearch.End(start)], to: [ManyEndedSearch.End(end)],
                        over: served)?.cost
                    let isRight = (cost ?? .closed) == expected[end.value]
                    #expect(isRight, "from \(start) to \(end)")
                    if cost != nil { found += 1 }
                }
            }
            #expect(found > Self.starts * Self.endsOfStart / 50)
        }
    }

    @Test(
        "Answers are complete routes at the cost of a plain search between their ends",
        arguments: profiles)
    func answers(name: TravelProfile.Name) throws {
        let finders = [try RealSites.house(), try RealSites.moorgate(), try RealSites.polytech()]
        var found = 0
        for finder in finders.compactMap({ $0 }) {
            var random = SeededRandom(seed: 7)
            for _ in 0..<(Self.isFull ? 500 : 20) {
                let query = Self.query(finder.network.site, name, &random)
                switch finder.answer(query) {
                case .found(let routes):
                    found += 1
                    expectWhole(routes[0], in: finder.network.site)
                    // An approximate end has no cost to compare.
                    let isExact =
                        routes[0].approximateStart == nil && routes[0].approximateEnd == nil
                    let cost = isExact ? routes[0].costMilliseconds : nil
                    #expect(Self.plainCost(finder, query) == cost)
                case .none(.barriers(let barriers)):
                    #expect(!barriers.isEmpty)
                    #expect(barriers.allSatisfy { !$0.rules.isEmpty })
                    #expect(Self.plainCost(finder, query) == nil)
                case .none(.island): #expect(Self.plainCost(finder, query) == nil)
                case .none(let reason): Issue.record("\(reason)")
                }
            }
        }
        #expect(found > 0)
    }

    static func query(
        _ site: SiteIndex, _ name: TravelProfile.Name, _ random: inout SeededRandom
    ) -> RouteQuery {
        func place() -> RoutePlace {
            guard let room = site.rooms.randomElement(using: &random) else {
                preconditionFailure("a site without rooms")
            }
            return .room(room.id)
        }
        return RouteQuery(
            from: place(), to: [place()], profile: .named(name),
            departAt: Timestamp(milliseconds: 1_763_812_800_000))
    }

    /// The cost between the same ends by Dijkstra; nil if there is no way.
    static func plainCost(_ finder: WayFinder, _ query: RouteQuery) -> UInt32? {
        let journey = RouteJourney(finder, query, [])
        let joined = try? journey.join(over: journey.metric) {
            !journey.metric.metric[$0].isClosed
        }
        guard let joined else { return nil }
        if joined.endAtStart != nil { return 0 }
        let search = Dijkstra(finder.network.graph, journey.metric.metric)
        var least = journey.direct(joined)?.cost ?? .closed
        for start in joined.starts {
            let costs = search.costs(from: start.node)
            for target in joined.targets {
                least = min(least, start.cost + costs[target.node.value] + target.cost)
            }
        }
        return least.isClosed ? nil : least.value
    }
}
