/// A point of the plan, in metres in the site's frame.
struct PlanPoint: Sendable, Hashable {
    var x: Double
    var y: Double
}

/// A room of the plan: a rectangle along the axes, so that any straight line between two of its
/// points stays inside.
struct PlanRoom: Sendable, Hashable {
    enum Kind: String, Sendable { case room, corridor, stairs, lift }

    let name: String
    let kind: Kind
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    var centre: PlanPoint {
        PlanPoint(x: (x.lowerBound + x.upperBound) / 2, y: (y.lowerBound + y.upperBound) / 2)
    }
    func contains(_ point: PlanPoint) -> Bool { x.contains(point.x) && y.contains(point.y) }
}

/// A connection of two rooms: a door, or an open end of a corridor.
struct PlanDoor: Sendable, Hashable {
    let first: Int
    let second: Int
    let point: PlanPoint
}

/// A wall that weakens radio signals. Doors in it are assumed to be closed.
struct PlanWall: Sendable, Hashable {
    enum Thickness: Sendable { case thin, thick }
    enum Direction: Sendable { case alongX, alongY }

    let direction: Direction
    /// The y of a wall along x, or the x of a wall along y.
    let position: Double
    let span: ClosedRange<Double>
    let thickness: Thickness

    /// Whether the straight line between the points crosses the wall. Touching does not count.
    func isCrossed(from start: PlanPoint, to end: PlanPoint) -> Bool {
        let (a, b, along, alongEnd) =
            direction == .alongX
            ? (start.y - position, end.y - position, start.x, end.x)
            : (start.x - position, end.x - position, start.y, end.y)
        guard a * b < 0 else { return false }
        return span.contains(along + (alongEnd - along) * a / (a - b))
    }
}

/// The plan of one storey: its rooms, doors and walls. All storeys of the house have the same plan.
struct FloorPlan: Sendable {
    let rooms: [PlanRoom]
    let doors: [PlanDoor]
    let walls: [PlanWall]
    /// For each room, the doors that lead out of it.
    let doorsOfRoom: [[PlanDoor]]

    init(rooms: [PlanRoom], doors: [PlanDoor], walls: [PlanWall]) {
        self.rooms = rooms
        self.doors = doors
        self.walls = walls
        var doorsOfRoom = [[PlanDoor]](repeating: [], count: rooms.count)
        for door in doors {
            doorsOfRoom[door.first].append(door)
            doorsOfRoom[door.second].append(door)
        }
        self.doorsOfRoom = doorsOfRoom
    }

    func rooms(of kind: PlanRoom.Kind) -> [Int] {
        rooms.indices.filter { rooms[$0].kind == kind }
    }

    /// The first room that contains the point, edges included.
    func room(at point: PlanPoint) -> Int? { rooms.firstIndex { $0.contains(point) } }

    /// The doors on the way between two rooms, each with the room behind it. The way has as few
    /// doors as possible (breadth-first search). Nil when there is no way.
    func way(from start: Int, to end: Int) -> [(door: PlanPoint, room: Int)]? {
        var cameBy = [(door: PlanPoint, from: Int)?](repeating: nil, count: rooms.count)
        var queue = [start]
        var head = 0
        while head < queue.count, queue[head] != end {
            let room = queue[head]
            head += 1
            for door in doorsOfRoom[room] {
                let next = door.first == room ? door.second : door.first
                guard next != start, cameBy[next] == nil else { continue }
                cameBy[next] = (door.point, room)
                queue.append(next)
            }
        }
        guard head < queue.count else { return nil }
        var way: [(door: PlanPoint, room: Int)] = []
        var room = end
        while room != start, let step = cameBy[room] {
            way.append((step.door, room))
            room = step.from
        }
        return way.reversed()
    }
}
