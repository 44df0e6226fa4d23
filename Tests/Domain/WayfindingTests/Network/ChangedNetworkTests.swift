import Events
import Geometry
import SeededRandomness
import Simulation
import Site
import Testing

@testable import Wayfinding

@Suite("A network after a change of its site") struct ChangedNetworkTests {
    /// One storey of the house, with its rooms and doors alone.
    private static let house: SiteDocument = {
        var document = SimulatedBuilding.make(seed: 1).document
        let ground = document.floors[0].id
        document.rooms.removeAll { $0.floor != ground }
        document.locations = []
        document.connections.removeAll { way in
            way.stops.contains { $0.floor != nil && $0.floor != ground }
        }
        return document
    }()

    private static func network(
        _ document: SiteDocument, after former: WayNetwork? = nil
    ) throws -> WayNetwork {
        try WayNetwork(SiteIndex(document), after: former)
    }

    /// Everything that routes depend on, as text.
    private static func content(_ network: WayNetwork) -> [String] {
        network.nodes.map { "\(String(describing: $0.level)) \($0.point)" }
            + zip(network.graph.arcs, network.arcs).map { ends, arc in
                "\(ends.tail.value) \(ends.head.value) \(arc)"
            }
            + network.spaces.map { space in
                "\(space.room) \(space.entries) \(space.vertices) \(space.lines)"
            }
    }

    /// The costs of walks between random nodes.
    private static func costs(_ network: WayNetwork, seed: Int) -> [Cost] {
        var random = SeededRandom(seed: seed)
        let metric = CustomisedMetric(
            network.hierarchy, NetworkCosts(network, .walking).metric())
        var search = RouteSearch()
        return (0..<200).map { _ in
            let ends = (0..<2).map { _ in
                NodeIndex(Int.random(in: 0..<network.nodes.count, using: &random))
            }
            return search.cost(from: ends[0], to: ends[1], over: metric) ?? .closed
        }
    }

    /// One small change: a name, a wall, a door, a room more or less.
    private static func change(
        _ document: inout SiteDocument, using random: inout SeededRandom
    ) {
        let room = Int.random(in: 0..<document.rooms.count, using: &random)
        let way = Int.random(in: 0..<document.connections.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: document.rooms[room].name += "!"
        case 1:
            var corners = document.rooms[room].outline.corners
            corners[0].x += 0.2
            document.rooms[room].outline = Ring(corners)
        case 2:
            for stop in document.connections[way].stops.indices {
                document.connections[way].stops[stop].point.y += 0.1
            }
        case 3:
            document.connections.remove(at: way)
        default:
            let gone = document.rooms[room].id
            document.connections.removeAll { $0.stops.contains { $0.room == gone } }
            document.rooms.remove(at: room)
        }
    }

    @Test("is what the whole site gives, through five changes", arguments: 0..<4)
    func same(_ seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var document = Self.house
        var network = try Self.network(document)
        for step in 0..<5 {
            Self.change(&document, using: &random)
            network = try Self.network(document, after: network)
            let whole = try Self.network(document)
            #expect(Self.content(network) == Self.content(whole), "step \(step)")
            #expect(Self.costs(network, seed: step) == Self.costs(whole, seed: step))
            #expect(network.hierarchy.arcCount < 2 * whole.hierarchy.arcCount)
        }
    }

    @Test("keeps the order of its nodes until a twentieth of them have changed")
    func order() throws {
        var document = Self.house
        let first = try Self.network(document)
        document.rooms[0].name = "Another name"
        let second = try Self.network(document, after: first)
        #expect(second.hierarchy.order == first.hierarchy.order && second.changedNodes == 0)
        var random = SeededRandom(seed: 3)
        var network = second
        var most = 0
        for _ in 0..<20 {
            Self.change(&document, using: &random)
            network = try Self.network(document, after: network)
            most = max(most, network.changedNodes)
            #expect(network.changedNodes * 20 <= network.nodes.count)
        }
        #expect(most > 0)
    }

    @Test("takes nothing over from another site")
    func other() throws {
        let small = try Self.network(Self.house)
        var other = Self.house
        for index in other.rooms.indices {
            other.rooms[index].outline = Ring(
                other.rooms[index].outline.corners.map { Point(x: $0.x + 500, y: $0.y) })
        }
        for way in other.connections.indices {
            for stop in other.connections[way].stops.indices {
                other.connections[way].stops[stop].point.x += 500
            }
            other.connections[way].line = other.connections[way].line.map {
                Point(x: $0.x + 500, y: $0.y)
            }
        }
        let moved = try Self.network(other, after: small)
        #expect(Self.content(moved) == Self.content(try Self.network(other)))
        #expect(moved.changedNodes == 0)
    }
}
