import Events
import Geometry
import SampleSites
import SeededRandomness
import Simulation
import Site
import Testing

@testable import Positioning

@Suite("Tracks go through the doors that a site states") struct DoorwayTests {
    @Test(
        "On random plans no edge crosses a wall but at a door, and each door is open",
        arguments: 0..<24)
    func randomPlans(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let document = RandomPlan.make(&random)
        let graph = try RandomPlan.graph(document)
        let walls = SlowWalls(document: document)
        #expect(walls.faults(in: graph) == [])
        #expect(walls.closedDoors(in: graph) == [])
        #expect(walls.parts(of: 0, in: graph) == 1)
    }

    @Test("The check notices edges through walls, where no doors are stated", arguments: 0..<4)
    func canary(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let document = RandomPlan.make(&random, hasDoors: false)
        let graph = try RandomPlan.graph(document)
        #expect(!SlowWalls(document: document).faults(in: graph).isEmpty)
        #expect(SlowWalls(document: document).parts(of: 0, in: graph) == 1)
    }

    @Test("In simulated buildings no edge crosses a wall but at a door", arguments: [1, 2])
    func simulated(seed: UInt64) throws {
        let document = SimulatedBuilding.make(seed: seed).document
        let graph = try RandomPlan.graph(document)
        let walls = SlowWalls(document: document)
        #expect(walls.faults(in: graph) == [])
        #expect(walls.closedDoors(in: graph) == [])
        #expect(graph.floors.indices.map { walls.parts(of: $0, in: graph) } == [1, 1, 1])
    }

    /// The sample site with these connections.
    private static func graph(_ connections: [ConnectionRecord]) throws -> WalkableGraph {
        var document = SampleSite.index.document
        document.connections = connections
        return try RandomPlan.graph(document)
    }

    private static func door(_ one: String, _ other: String, _ point: Point) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("\(one)-\(other)"), kind: .door,
            stops: [one, other].map {
                ConnectionStop(floor: SampleSite.ground, room: RoomID($0), point: point)
            })
    }

    /// The pairs of places on the ground floor with an edge between these two rooms.
    private static func pairs(
        _ graph: WalkableGraph, _ one: String, _ other: String
    ) -> Set<[Point]> {
        let rooms = SampleSite.index.rooms.map(\.id.text)
        var pairs: Set<[Point]> = []
        for cell in graph.cells.indices where graph.cells[cell].room >= 0 {
            let here = graph.cells[cell]
            for edge in graph.edges(of: cell).map({ graph.edges[$0] })
            where edge.direction != WalkableGraph.Edge.vertical {
                let there = graph.cells[Int(edge.target)]
                guard there.room >= 0, rooms[Int(here.room)] == one,
                    rooms[Int(there.room)] == other
                else { continue }
                pairs.insert([here.point, there.point])
            }
        }
        return pairs
    }

    @Test("A room with a door is left through the door; a room without any is as open as before")
    func partlyStated() throws {
        let before = try Self.graph([])
        let graph = try Self.graph([Self.door("A", "C", [3, 2])])
        // The corridor's cells are at y = 1, those of the room at y = 3 and 5.
        let beside: Set<[Point]> = [
            [[3, 1], [3, 3]], [[1, 1], [3, 3]], [[3, 1], [1, 3]], [[5, 1], [3, 3]],
            [[3, 1], [5, 3]],
        ]
        #expect(Self.pairs(graph, "C", "A") == beside)
        #expect(Self.pairs(before, "C", "A").count > 5)
        #expect(Self.pairs(graph, "C", "B") == Self.pairs(before, "C", "B"))
        #expect(Self.pairs(graph, "A", "B") == Self.pairs(before, "A", "B"))
        #expect(!Self.pairs(graph, "A", "B").isEmpty)
    }

    @Test("There is no way through the wall between two rooms that both have doors elsewhere")
    func between() throws {
        let graph = try Self.graph([Self.door("A", "C", [3, 2]), Self.door("B", "C", [17, 2])])
        #expect(Self.pairs(graph, "A", "B").isEmpty)
        #expect(Self.pairs(graph, "B", "C").count == 5)
    }

    @Test("A door to ground out of all rooms, where nobody walks, walls no room up")
    func leadsNowhere() throws {
        var door = Self.door("A", "C", [3, 6])
        door.stops[1] = ConnectionStop(floor: nil, point: [3, 6])
        let before = try Self.graph([])
        let graph = try Self.graph([door, Self.door("B", "C", [17, 2])])
        #expect(Self.pairs(graph, "C", "A") == Self.pairs(before, "C", "A"))
    }

    @Test("Where a door leads out of all rooms, no way leads there through other walls")
    func outside() throws {
        var out = Self.door("C", "A", [20, 1])
        out.stops[1] = ConnectionStop(floor: nil, point: [20, 1])
        var document = SampleSite.index.document
        document.connections = [
            Self.door("A", "C", [3, 2]), Self.door("B", "C", [17, 2]), out,
        ]
        // The surveyed ground is to the north and the east of B.
        let graph = try RandomPlan.graph(document, and: [22, 7])
        #expect(SlowWalls(document: document).faults(in: graph) == [])
        let floor = try #require(graph.floors.firstIndex(of: SampleSite.ground))
        let outside = graph.cells(of: floor).filter { graph.cells[$0].room < 0 }
        #expect(outside.count > 20)
        #expect(SlowWalls(document: document).parts(of: floor, in: graph) == 1)
        document.connections.removeLast()
        let open = try RandomPlan.graph(document, and: [22, 7])
        #expect(!SlowWalls(document: document).faults(in: open).isEmpty)
    }

    @Test("A path opens the walls that it crosses")
    func path() throws {
        let doors = [Self.door("A", "C", [3, 2]), Self.door("B", "C", [17, 2])]
        let path = ConnectionRecord(
            id: ConnectionID("path"), kind: .walk,
            stops: [5.0, 15].map {
                ConnectionStop(floor: SampleSite.ground, point: Point(x: $0, y: 3))
            })
        let graph = try Self.graph(doors + [path])
        let (crossed, beside): ([Point], [Point]) = ([[9, 3], [11, 3]], [[9, 5], [11, 5]])
        #expect(Self.pairs(graph, "A", "B").contains(crossed))
        #expect(!Self.pairs(graph, "A", "B").contains(beside))
    }

    @Test("A way within a hall does not lead through a booth, unless the hall has no other")
    func booth() throws {
        var document = SampleSite.index.document
        func add(_ id: String, _ low: Point, _ high: Point) {
            document.rooms.append(
                RoomRecord(
                    id: RoomID(id), floor: SampleSite.first, name: id, kind: "room",
                    outline: [low, [high.x, low.y], high, [low.x, high.y]]))
        }
        // Room D is the whole floor, 20 m by 6 m.
        add("booth", [5.6, 2], [6.4, 6])
        let stops = ["booth", "D"].map {
            ConnectionStop(floor: SampleSite.first, room: RoomID($0), point: [5.6, 4])
        }
        document.connections = [
            ConnectionRecord(id: ConnectionID("booth"), kind: .door, stops: stops)
        ]
        let graph = try RandomPlan.graph(document)
        func leads(_ from: Point, _ to: Point) -> Bool {
            graph.cells.indices.contains { cell in
                graph.floors[Int(graph.cells[cell].floor)] == SampleSite.first
                    && graph.cells[cell].point == from
                    && graph.edges(of: cell).contains {
                        graph.edges[$0].direction != WalkableGraph.Edge.vertical
                            && graph.cells[Int(graph.edges[$0].target)].point == to
                    }
            }
        }
        #expect(!leads([5, 3], [7, 3]))
        #expect(leads([5, 1], [7, 1]))
        #expect(leads([3, 3], [5, 3]))
        #expect(leads([5, 3], [6, 4]) && leads([6, 4], [5, 3]))
        let floor = try #require(graph.floors.firstIndex(of: SampleSite.first))
        #expect(SlowWalls(document: document).parts(of: floor, in: graph) == 1)
        // A partition that leaves no other way stays passable.
        document.rooms.removeLast()
        add("booth", [5.6, 0], [6.4, 6])
        let parted = try RandomPlan.graph(document)
        #expect(SlowWalls(document: document).parts(of: floor, in: parted) == 1)
    }
}
