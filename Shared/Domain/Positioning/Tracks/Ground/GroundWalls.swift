import Geometry
import Site

/// The walls of rooms whose doors are stated, by the slots of the grid that they touch.
struct GroundWalls {
    private struct Wall {
        let start: Point
        let end: Point

        /// Whether the straight line from one point to the other leads through the wall. A line
        /// that begins or ends at the wall does not.
        func isCrossed(from one: Point, to other: Point) -> Bool {
            (side(one, other, start) >= 0) != (side(one, other, end) >= 0)
                && side(start, end, one) * side(start, end, other) < 0
        }

        /// Positive to the left of a line.
        private func side(_ from: Point, _ to: Point, _ point: Point) -> Double {
            (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
        }
    }

    /// The most pieces of walls of a site: 500 km of walls at a pitch of 1 m. Walls beyond them do
    /// not count.
    private static let mostPieces = 2_000_000
    private var pieces = 0
    /// For each floor and slot, the index in `lists`; -1 for none. Empty for floors without walls.
    private var slots: [[Int32]]
    private var lists: [[Wall]] = []

    init(_ ground: GroundSketch, _ doorways: Doorways, floors: [FloorIndex?], site: SiteIndex) {
        slots = Array(repeating: [], count: ground.grids.count)
        guard !doorways.isEmpty else { return }
        let numbers = Dictionary(
            floors.enumerated().compactMap { number, floor in floor.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
        for room in site.rooms.indices where doorways.isWalled(Int32(room)) {
            guard let floor = site.floorIndex(site.rooms[room].floor).flatMap({ numbers[$0] }),
                let corners = site.outline(RoomIndex(room))?.corners
            else { continue }
            for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
                add(Wall(start: start, end: end), floor, ground)
            }
        }
    }

    /// Adds the wall to each slot near to it, in pieces shorter than a slot.
    private mutating func add(_ wall: Wall, _ floor: Int, _ ground: GroundSketch) {
        let grid = ground.grids[floor]
        guard grid.columns > 0 else { return }
        if slots[floor].isEmpty {
            slots[floor] = Array(repeating: -1, count: grid.columns * grid.rows)
        }
        let count = max(1, Int((4 * wall.start.distance(to: wall.end) / ground.pitch).rounded(.up)))
        pieces += count
        guard pieces <= Self.mostPieces else { return }
        var before = wall.start
        for step in 1...count {
            let share = Double(step) / Double(count)
            let point = Point(
                x: wall.start.x + share * (wall.end.x - wall.start.x),
                y: wall.start.y + share * (wall.end.y - wall.start.y))
            let rows = [ground.slot(before.y), ground.slot(point.y)].sorted()
            let columns = [ground.slot(before.x), ground.slot(point.x)].sorted()
            for row in rows[0]...rows[1] {
                for column in columns[0]...columns[1] { add(wall, floor, column, row, grid) }
            }
            before = point
        }
    }

    private mutating func add(
        _ wall: Wall, _ floor: Int, _ column: Int, _ row: Int, _ grid: WalkableGraph.FloorGrid
    ) {
        let (x, y) = (column - grid.column, row - grid.row)
        guard x >= 0, x < grid.columns, y >= 0, y < grid.rows else { return }
        let slot = y * grid.columns + x
        if slots[floor][slot] < 0 {
            slots[floor][slot] = Int32(lists.count)
            lists.append([])
        }
        lists[Int(slots[floor][slot])].append(wall)
    }

    /// Whether the straight line between two neighbouring cells leads through a wall.
    func stand(between one: Int, _ other: Int, in ground: GroundSketch) -> Bool {
        let (from, to) = (ground.cells[one], ground.cells[other])
        let floor = Int(from.floor)
        guard !slots[floor].isEmpty else { return false }
        let grid = ground.grids[floor]
        let (column, otherColumn) = (ground.slot(from.point.x), ground.slot(to.point.x))
        let (row, otherRow) = (ground.slot(from.point.y), ground.slot(to.point.y))
        for row in min(row, otherRow)...max(row, otherRow) {
            for column in min(column, otherColumn)...max(column, otherColumn) {
                // Both cells are in the grid, so the slots between them are, too.
                let slot = (row - grid.row) * grid.columns + column - grid.column
                let list = slots[floor][slot]
                guard list >= 0 else { continue }
                if lists[Int(list)].contains(where: {
                    $0.isCrossed(from: from.point, to: to.point)
                }) {
                    return true
                }
            }
        }
        return false
    }
}

extension GroundSketch {
    /// Removes the ways through walls.
    ///
    /// Between two rooms, they are those beside the openings that are stated. Within a room, they
    /// lead through a corner of its outline or through a smaller room. A narrow bend may have no
    /// other way, so a way within a room stays where the room would fall apart without it.
    mutating func removeWays(through walls: GroundWalls, but doorways: Doorways) {
        guard !doorways.isEmpty else { return }
        var blocked: Set<Pair> = []
        var order: [(Int, Int)] = []
        for cell in cells.indices where doorways.isWalled(cells[cell].room) {
            for way in ways[cell] {
                let target = Int(way.target)
                guard target > cell, cells[target].room == cells[cell].room,
                    walls.stand(between: cell, target, in: self)
                else { continue }
                blocked.insert(Pair(cell, target))
                order.append((cell, target))
            }
        }
        if !blocked.isEmpty { keepTogether(&blocked, order) }
        for cell in cells.indices {
            let room = cells[cell].room
            ways[cell].removeAll { way in
                let (target, other) = (Int(way.target), cells[Int(way.target)].room)
                if other == room {
                    return !blocked.isEmpty && blocked.contains(Pair(cell, target))
                }
                return doorways.isStated(room, other) && !doorways.isOpen(cell, target)
            }
        }
    }

    /// Takes the pairs out of `blocked` that join parts of a room.
    private func keepTogether(_ blocked: inout Set<Pair>, _ order: [(Int, Int)]) {
        var parts = DisjointSets(count: cells.count)
        for cell in cells.indices {
            for way in ways[cell] {
                let target = Int(way.target)
                guard target > cell, cells[target].room == cells[cell].room,
                    !blocked.contains(Pair(cell, target))
                else { continue }
                parts.join(cell, target)
            }
        }
        for (one, other) in order where parts.root(one) != parts.root(other) {
            parts.join(one, other)
            blocked.remove(Pair(one, other))
        }
    }
}
