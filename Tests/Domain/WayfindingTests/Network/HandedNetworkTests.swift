import Events
import SeededRandomness
import Site
import Testing

@testable import Wayfinding

/// A network that is handed out has the costs of the routes that a query finds.
@Suite("Networks to hand out") struct HandedNetworkTests {
    private static let departAt = Timestamp(milliseconds: 1_763_812_800_000)

    /// The least cost by the plainest way: each arc again and again, until nothing gets cheaper.
    private static func least(
        _ network: HandedNetwork, _ profile: Int, from: HandedNetwork.Room,
        to: HandedNetwork.Room, out: Set<ConnectionID>
    ) -> UInt32? {
        let limits = network.profiles[profile].profile
        let open = network.arcs.indices.filter { index in
            let arc = network.arcs[index]
            let passage = network.passages[arc.passage]
            guard arc.isEntrance else { return true }
            switch passage.part {
            case .approach: return true
            case .room:
                return !passage.isRestricted
                    || [from.startPassage, to.endPassage].contains(arc.passage)
            case .connection(let id, _):
                let isNarrow = passage.widthMetres ?? 99 < limits.neededWidthMetres ?? 0
                let isSteep = passage.slope ?? 0 > limits.slopeLimit ?? 99
                let hasKerb = passage.kerbMetres ?? 0 > limits.kerbLimitMetres ?? 99
                return !isNarrow && !isSteep && !hasKerb && !out.contains(id)
            }
        }
        var costs = [Cost](repeating: .closed, count: network.nodes.count)
        for node in from.starts { costs[node] = .free }
        var changes = true
        while changes {
            changes = false
            for index in open {
                let (arc, cost) = (network.arcs[index], network.profiles[profile].costs[index])
                func walk(_ tail: Int, _ head: Int) {
                    guard !cost.isClosed, costs[tail] + cost < costs[head] else { return }
                    costs[head] = costs[tail] + cost
                    changes = true
                }
                walk(arc.tail, arc.head)
                if arc.isBothWays { walk(arc.head, arc.tail) }
            }
        }
        let cost = to.ends.map { costs[$0] }.min() ?? .closed
        return cost.isClosed ? nil : cost.value
    }

    @Test(
        "The cheapest way in it costs as much as the route", arguments: TravelProfile.Name.allCases)
    func costs(name: TravelProfile.Name) throws {
        let finder = try RealSites.house()
        let network = try #require(HandedNetwork(finder.network))
        let profile = try #require(TravelProfile.Name.allCases.firstIndex(of: name))
        var random = SeededRandom(seed: 5)
        var (found, none) = (0, 0)
        for number in 0..<60 {
            let ends = (0..<2).map { _ in
                network.rooms[Int.random(in: network.rooms.indices, using: &random)]
            }
            let out = finder.network.site.document.connections.filter { record in
                let share = record.kind == .lift || record.kind == .stairs ? 2 : 20
                return number % 2 == 1 && Int.random(in: 0..<share, using: &random) == 0
            }.map(\.id)
            let query = RouteQuery(
                from: .room(ends[0].id), to: [.room(ends[1].id)], profile: .named(name),
                departAt: Self.departAt)
            var expected: UInt32?
            let answer = finder.answer(
                query, outages: out.map { WayOutage(connection: $0, from: Self.departAt) })
            if case .found(let routes) = answer, routes[0].approximateEnd == nil {
                expected = routes[0].costMilliseconds
            }
            guard ends[0].id != ends[1].id else { continue }
            let least = Self.least(
                network, profile, from: ends[0], to: ends[1], out: Set(out))
            #expect(least == expected, "\(ends[0].id) to \(ends[1].id)")
            if least == nil { none += 1 } else { found += 1 }
        }
        #expect(found > 5 && none > 0)
    }

    @Test("The part of a building has its rooms, and no node of another's floors")
    func building() throws {
        guard let finder = try RealSites.polytech() else { return }
        let site = finder.network.site
        let whole = try #require(HandedNetwork(finder.network))
        #expect(Set(whole.rooms.map(\.id)) == Set(site.rooms.map(\.id)))
        for building in site.document.buildings {
            let part = try #require(HandedNetwork(finder.network, building: building.id))
            let floors = Set(site.floors.filter { $0.building == building.id }.map(\.id))
            #expect(Set(part.floors) == floors)
            #expect(
                Set(part.rooms.map(\.id))
                    == Set(site.rooms.filter { floors.contains($0.floor) }.map(\.id)))
            #expect(part.arcs.count < whole.arcs.count)
            #expect(part.arcs.allSatisfy { part.nodes.indices.contains($0.head) })
        }
    }

    @Test("Costs and prices stand beside arcs, and arcs of both ways come first")
    func forms() throws {
        let network = try #require(HandedNetwork(try RealSites.house().network))
        let single = network.arcs.firstIndex { !$0.isBothWays } ?? network.arcs.count
        #expect(single > 0 && network.arcs[single...].allSatisfy { !$0.isBothWays })
        for profile in network.profiles {
            #expect(profile.costs.count == network.arcs.count)
            #expect(profile.prices.allSatisfy { profile.costs[$0.arc] >= $0.cost })
        }
        #expect(network.profiles.contains { !$0.prices.isEmpty })
        #expect(network.places.contains { $0.name == "kind:stairs" && $0.rooms.count > 1 })
    }
}
