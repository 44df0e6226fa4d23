import Events
import Geometry
import Site
import Testing

@testable import Wayfinding

@Suite("Walking through rooms") struct WalkSpaceTests {
    @Test(
        "Two points are in sight exactly if a walk along the line stays in the room",
        arguments: 0..<60)
    func clear(seed: Int) {
        var room = RandomRoom(seed: seed)
        for _ in 0..<20 {
            let (start, end) = (room.point(), room.point())
            let isClear = room.space.isClear(from: start, to: end)
            #expect(isClear == room.isClearSlowly(from: start, to: end), "\(start) to \(end)")
        }
    }

    @Test("Paths are the shortest, apart from the clearance at corners", arguments: 0..<60)
    func shortest(seed: Int) throws {
        var room = RandomRoom(seed: seed)
        for _ in 0..<6 {
            let (start, end) = (room.point(), room.point())
            let best = try #require(room.shortest(from: start, to: end))
            let path = try #require(Self.path(from: start, to: end, in: room.space))
            let metres = path.lengthMetres
            #expect(metres > best - 1e-6)
            #expect(metres < 1.02 * best + 0.3 * Double(path.count), "\(start) to \(end)")
            for (from, to) in zip(path, path.dropFirst()) {
                #expect(room.space.isClear(from: from, to: to))
            }
        }
    }

    /// The path through a space whose two doors are at the path's ends.
    private static func path(
        from start: Point, to end: Point, in space: FreeSpace
    ) -> [Point]? {
        var points: [Point] = [start, end]
        let walk = WalkSpace(
            room: RoomIndex(0), floor: FloorIndex(0), space: space,
            stops: [(NodeIndex(0), start), (NodeIndex(1), end)]
        ) { point in
            points.append(point)
            return NodeIndex(points.count - 1)
        }
        var arcs: [RouteGraph.Arc] = []
        var costs: [Cost] = []
        func add(_ first: NodeIndex, _ second: NodeIndex, _ metres: Double) {
            arcs += [
                RouteGraph.Arc(from: first, to: second), RouteGraph.Arc(from: second, to: first),
            ]
            costs += Array(repeating: Cost(seconds: metres), count: 2)
        }
        for entry in walk.entries where entry.step.count > 1 {
            add(entry.junction, walk.vertices[entry.vertex].node, entry.step.lengthMetres)
        }
        for line in walk.lines {
            add(
                walk.vertices[line.first].node, walk.vertices[line.second].node, line.metres)
        }
        guard let graph = try? RouteGraph(nodeCount: points.count, arcs: arcs),
            let route = Dijkstra(graph, Metric(costs)).route(from: NodeIndex(0), to: NodeIndex(1))
        else { return nil }
        return walk.straightened([start] + route.arcs.map { points[arcs[$0.value].head.value] })
    }

    @Test("A corridor with a hundred doors keeps some hundreds of its five thousand lines")
    func manyDoors() throws {
        let corridor = try #require(
            Polygon([
                Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 100, y: 2.5),
                Point(x: 0, y: 2.5),
            ]))
        let doors = (0..<100).map { number in
            let point = Point(x: 1 + 2 * Double(number / 2), y: number % 2 == 0 ? 0 : 2.5)
            return (junction: NodeIndex(number), point: point)
        }
        var count = doors.count
        let walk = WalkSpace(
            room: RoomIndex(0), floor: FloorIndex(0),
            space: FreeSpace(outline: corridor, obstacles: []), stops: doors
        ) { _ in
            count += 1
            return NodeIndex(count - 1)
        }
        #expect((100..<900).contains(walk.lines.count), "\(walk.lines.count) lines")
        expectStretch(of: walk)
    }

    /// Expects that ways over the kept lines are at most a hundredth longer than straight ones.
    private func expectStretch(of walk: WalkSpace) {
        let count = walk.vertices.count
        var metres = [[Double]](
            repeating: Array(repeating: .infinity, count: count), count: count)
        for line in walk.lines {
            metres[line.first][line.second] = line.metres
            metres[line.second][line.first] = line.metres
        }
        // All pairs of vertices by the algorithm of Floyd and Warshall.
        for middle in 0..<count {
            for from in 0..<count where metres[from][middle] < .infinity {
                for to in 0..<count {
                    let sum = metres[from][middle] + metres[middle][to]
                    if sum < metres[from][to] { metres[from][to] = sum }
                }
            }
        }
        for from in 0..<count {
            for to in 0..<from {
                let straight = walk.vertices[from].point.distance(to: walk.vertices[to].point)
                #expect(metres[from][to] <= straight * SparsePairs.stretch + 1e-6)
            }
        }
    }

    @Test("A door in the thickness of a wall leads into the room on its side")
    func porch() throws {
        let square = try #require(
            Polygon([
                Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 4), Point(x: 0, y: 4),
            ]))
        let space = FreeSpace(outline: square, obstacles: [])
        for y in [-0.2, 0, 0.05] {
            let porch = space.porch(of: Point(x: 1, y: y))
            #expect(porch.distance(to: Point(x: 1, y: 0.3)) < 1e-9, "from \(y)")
        }
        let inside = Point(x: 2, y: 2)
        #expect(space.porch(of: inside) == inside)
    }
}
