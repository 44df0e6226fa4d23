import Events
import Geometry
import Site

@testable import Positioning

/// The walls and doors of one site with rectangular rooms, looked up in the slowest way.
struct SlowWalls {
    private static let stepMetres = 0.1
    let document: SiteDocument
    private let boxes: [FloorID: [(room: RoomID, box: BoundingBox)]]

    init(document: SiteDocument) {
        self.document = document
        var boxes: [FloorID: [(room: RoomID, box: BoundingBox)]] = [:]
        for room in document.rooms {
            guard let box = BoundingBox(room.outline.corners) else { continue }
            boxes[room.floor, default: []].append((room.id, box))
        }
        self.boxes = boxes
    }

    /// The smallest room around a point.
    func room(at point: Point, on floor: FloorID) -> RoomID? {
        (boxes[floor] ?? []).filter { $0.box.contains(point, tolerance: 1e-9) }
            .min { $0.box.width * $0.box.height < $1.box.width * $1.box.height }?.room
    }

    /// The places where the straight line enters another room.
    func crossings(from start: Point, to end: Point, on floor: FloorID) -> [Point] {
        let count = Int(start.distance(to: end) / Self.stepMetres) + 1
        var before = room(at: start, on: floor)
        var crossings: [Point] = []
        for step in 1...count {
            let share = Double(step) / Double(count)
            let point = Point(
                x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
            let room = room(at: point, on: floor)
            if room != before { crossings.append(point) }
            before = room
        }
        return crossings
    }

    /// The doors between two rooms: where each is, and how far from it an edge may cross a wall.
    /// An edge passes it within half of the pitch or of the width. Along the wall, that is up to
    /// the root of 2 times as far for an edge at 45 degrees.
    func doors(
        _ one: RoomID?, _ other: RoomID?, on floor: FloorID
    ) -> [(point: Point, metres: Double)] {
        document.connections.compactMap { connection in
            guard connection.kind == .door, connection.stops[0].floor == floor,
                Set(connection.stops.map(\.room)) == Set([one, other])
            else { return nil }
            let width = max(connection.widthMetres ?? 0, WalkableGraph.pitchMetres)
            return (connection.stops[0].point, width / 2 * 2.0.squareRoot() + 2 * Self.stepMetres)
        }
    }

    /// The edges that cross a wall anywhere but at a door between the rooms of their ends.
    func faults(in graph: WalkableGraph) -> [String] {
        var faults: [String] = []
        for cell in graph.cells.indices {
            let here = graph.cells[cell]
            let floor = graph.floors[Int(here.floor)]
            for edge in graph.edges(of: cell).map({ graph.edges[$0] })
            where edge.direction != WalkableGraph.Edge.vertical {
                let there = graph.cells[Int(edge.target)]
                let doors = doors(id(here.room), id(there.room), on: floor)
                for crossing in crossings(from: here.point, to: there.point, on: floor)
                where !doors.contains(where: { $0.point.distance(to: crossing) <= $0.metres }) {
                    faults.append("\(here.point) to \(there.point) at \(crossing)")
                }
            }
        }
        return faults
    }

    private func id(_ room: Int32) -> RoomID? { room < 0 ? nil : document.rooms[Int(room)].id }

    /// The doors without an edge from each side to the other.
    func closedDoors(in graph: WalkableGraph) -> [ConnectionID] {
        var ways: [(WalkableGraph.Cell, WalkableGraph.Cell)] = []
        for cell in graph.cells.indices {
            for edge in graph.edges(of: cell) {
                ways.append((graph.cells[cell], graph.cells[Int(graph.edges[edge].target)]))
            }
        }
        return document.connections.filter { connection in
            guard connection.kind == .door, let floor = connection.stops[1].floor,
                connection.stops[0].floor == floor
            else { return false }
            let rooms = connection.stops.map(\.room)
            return ![rooms, rooms.reversed()].allSatisfy { rooms in
                ways.contains { from, to in
                    graph.floors[Int(from.floor)] == floor && id(from.room) == rooms[0]
                        && id(to.room) == rooms[1]
                        && from.point.distance(to: connection.stops[0].point) < 4
                }
            }
        }.map(\.id)
    }

    /// The number of parts of a floor between which there is no way on the floor.
    func parts(of floor: Int, in graph: WalkableGraph) -> Int {
        var parts = 0
        var reached: Set<Int> = []
        for start in graph.cells(of: floor) where !reached.contains(start) {
            parts += 1
            var left = [start]
            reached.insert(start)
            while let cell = left.popLast() {
                for edge in graph.edges(of: cell) {
                    let target = Int(graph.edges[edge].target)
                    guard graph.cells[target].floor == Int32(floor) else { continue }
                    if reached.insert(target).inserted { left.append(target) }
                }
            }
        }
        return parts
    }
}
