import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Tracks change floors where a site states how") struct FloorChangeTests {
    private static func graph(
        _ connections: [ConnectionRecord], adjust: (inout SiteDocument) -> Void = { _ in }
    ) throws -> WalkableGraph {
        var document = SampleSite.index.document
        document.connections = connections
        adjust(&document)
        return try RandomPlan.graph(document)
    }

    private static func connection(
        _ kind: ConnectionRecord.Kind, _ below: Point, _ above: Point, isOneWay: Bool = false
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(kind.rawValue), kind: kind,
            stops: [
                ConnectionStop(floor: SampleSite.ground, point: below),
                ConnectionStop(floor: SampleSite.first, point: above),
            ], isOneWay: isOneWay)
    }

    /// The places from which and to which edges lead to another floor.
    private static func changes(_ graph: WalkableGraph) -> Set<[Point]> {
        var changes: Set<[Point]> = []
        for cell in graph.cells.indices {
            for edge in graph.edges(of: cell).map({ graph.edges[$0] })
            where edge.direction == WalkableGraph.Edge.vertical {
                changes.insert([graph.cells[cell].point, graph.cells[Int(edge.target)].point])
            }
        }
        return changes
    }

    private static func both(_ one: Point, _ other: Point) -> Set<[Point]> {
        [[one, other], [other, one]]
    }

    @Test("Where nothing is stated, a floor may be changed anywhere")
    func unknown() throws {
        let graph = try Self.graph([])
        // The lower floor has as many cells as the upper one: 30.
        #expect(graph.cells.count == 60)
        #expect(Self.changes(graph) == Set(graph.cells.map { [$0.point, $0.point] }))
    }

    @Test("Stairs, ramps and lifts lead both ways, and only from their ends")
    func stated() throws {
        for kind in [ConnectionRecord.Kind.stairs, .ramp, .lift, .platformLift] {
            let graph = try Self.graph([Self.connection(kind, [19.2, 1.2], [10.7, 1.4])])
            #expect(Self.changes(graph) == Self.both([19, 1], [11, 1]))
        }
    }

    @Test("A one-way escalator leads one way")
    func escalator() throws {
        let up = Self.connection(.escalator, [19.2, 1.2], [10.7, 1.4], isOneWay: true)
        let way: [Point] = [[19, 1], [11, 1]]
        #expect(Self.changes(try Self.graph([up])) == [way])
    }

    @Test("Rooms of stairs that lie above each other count, if connections name none of them")
    func rooms() throws {
        func addStairs(_ document: inout SiteDocument) {
            for floor in [SampleSite.ground, SampleSite.first] {
                document.rooms.append(
                    RoomRecord(
                        id: RoomID("stairs-\(floor.text)"), floor: floor, name: "Stairs",
                        kind: "stairs", outline: [[0, 0], [2, 0], [2, 2], [0, 2]]))
            }
        }
        let rooms = try Self.graph([], adjust: addStairs)
        #expect(Self.changes(rooms) == Self.both([1, 1], [1, 1]))
        let both = try Self.graph(
            [Self.connection(.lift, [19, 1], [19, 1])], adjust: addStairs)
        #expect(
            Self.changes(both) == Self.both([1, 1], [1, 1]).union(Self.both([19, 1], [19, 1])))
        let named = try Self.graph(
            [Self.connection(.stairs, [1, 1], [19, 1])], adjust: addStairs)
        #expect(Self.changes(named) == Self.both([1, 1], [19, 1]))
    }

    /// A hall of 100 m is no flight of stairs. Ways from all of it would be thousands for each
    /// stop, and somebody upstairs could come out anywhere in it.
    @Test("In a large hall of stairs only the cells around a connection's stop lead to it")
    func hall() throws {
        let stop = Point(x: 51, y: 61)
        let graph = try Self.graph([Self.connection(.stairs, stop, [19, 1])]) { document in
            document.rooms.append(
                RoomRecord(
                    id: RoomID("hall"), floor: SampleSite.ground, name: "Hall", kind: "stairs",
                    outline: [[0, 10], [100, 10], [100, 110], [0, 110]]))
        }
        let near = graph.cells.filter {
            graph.floors[Int($0.floor)] == SampleSite.ground
                && $0.point.distance(to: stop) <= FloorChanges.landingMetres
        }
        #expect(near.count > 100)
        let expected = near.reduce(into: Set<[Point]>()) {
            $0.formUnion(Self.both($1.point, [19, 1]))
        }
        #expect(Self.changes(graph) == expected)
    }
}
