import Events
import Geometry
import Site

/// The openings that a site states in the walls of its rooms, as pairs of cells.
///
/// A room with a stated door has no openings but those that are stated. So there is no way between
/// two such rooms but through an opening that joins them. It is the same with the ground out of all
/// rooms, on floors where a door leads there. All other walls stay as they are where nothing is
/// stated: a room without doors in the document is not walled up.
///
/// Besides doors, paths open the walls that they cross. An open area has no walls. Doors lead both
/// ways, and outages and opening hours are no matter here: people do go through closed doors.
struct Doorways {
    /// Cells are joined through an opening when the straight line between them passes within half
    /// of its width, or half of the grid's pitch. Wider openings count as this wide.
    static let widestMetres = 10.0
    /// If no line passes through an opening, it joins the nearest cells of both sides. Openings
    /// that are farther from them are drawn wrongly, and do not count.
    static let farthestMetres = 6.0
    /// Metres between the places of a path at which the room is looked up, and the most such places
    /// of a site.
    private static let stepMetres = 0.5
    private static let mostSteps = 500_000

    private var openings: Set<GroundSketch.Pair> = []
    /// By room: whether its doors are stated, and whether those to the ground out of all rooms are.
    private var isWalled: [Bool]
    private var isWalledOutside: [Bool]
    /// The floors where a door leads out of all rooms.
    private var floorsWithWayOut: Set<Int32> = []

    /// An opening on a floor of the map. A room of -1 is the ground out of all rooms; nil is any.
    private struct Opening {
        let floor: Int32
        let point: Point
        let metres: Double
        let room: Int32
        var other: Int32?

        func joins(_ one: Int32, _ another: Int32) -> Bool {
            leads(one, another) || leads(another, one)
        }

        private func leads(_ from: Int32, _ to: Int32) -> Bool {
            from == room && to != room && (other == nil || to == other)
        }
    }

    /// - Parameters:
    ///   - ground: gets ways through the openings between cells that are no neighbours.
    ///   - floors: the floors of the graph.
    init(_ ground: inout GroundSketch, floors: [FloorID], site: SiteIndex) {
        isWalled = Array(repeating: false, count: site.rooms.count)
        isWalledOutside = isWalled
        let numbers = Dictionary(zip(floors, Int32(0)...), uniquingKeysWith: { first, _ in first })
        for connection in site.document.connections where connection.kind == .door {
            for (one, other) in zip(connection.stops, connection.stops.dropFirst()) {
                addDoor(one, other, connection.widthMetres, numbers, site, &ground)
            }
        }
        for room in site.rooms.indices where site.rooms[room].kind.lowercased() == "area" {
            isWalled[room] = false
        }
        for room in site.rooms.indices where isWalled[room] {
            let floor = numbers[site.rooms[room].floor]
            isWalledOutside[room] = floor.map { floorsWithWayOut.contains($0) } ?? false
        }
        guard isWalled.contains(true) else { return }
        addPaths(numbers, site, &ground)
    }

    /// Whether any room's doors are stated.
    var isEmpty: Bool { !isWalled.contains(true) }

    /// Whether the doors of a room are stated.
    func isWalled(_ room: Int32) -> Bool { room >= 0 && isWalled[Int(room)] }

    /// Whether the way between cells in these two rooms leads through a stated opening.
    func isOpen(_ one: Int, _ other: Int) -> Bool {
        !openings.isEmpty && openings.contains(GroundSketch.Pair(one, other))
    }

    /// Whether the doors between two rooms are stated. A room of -1 is the ground out of all rooms.
    func isStated(_ one: Int32, _ other: Int32) -> Bool {
        if one < 0 || other < 0 {
            let room = max(one, other)
            return room >= 0 && isWalledOutside[Int(room)]
        }
        return isWalled[Int(one)] && isWalled[Int(other)]
    }

    // MARK: Doors

    private mutating func addDoor(
        _ one: ConnectionStop, _ other: ConnectionStop, _ width: Double?,
        _ numbers: [FloorID: Int32], _ site: SiteIndex, _ ground: inout GroundSketch
    ) {
        // The door of a bridge to another building's floor is no opening of a floor.
        if let floor = one.floor, let next = other.floor, floor != next { return }
        guard let id = one.floor ?? other.floor, let floor = numbers[id] else { return }
        let rooms = [one, other].map { stop in
            stop.room.flatMap { site.roomIndex($0) }.map { Int32($0.value) }
        }
        guard let room = rooms[0] ?? rooms[1], rooms[0] != rooms[1] else { return }
        let isOutdoors = one.floor == nil || other.floor == nil
        let named = rooms[0] == nil ? nil : rooms[1]
        var opening = Opening(
            floor: floor, point: one.floor == nil ? other.point : one.point,
            metres: max(ground.pitch, min(width ?? 0, Self.widestMetres)) / 2, room: room,
            other: named ?? -1)
        var isAdded = add(opening, &ground)
        if named == nil {
            if isAdded { floorsWithWayOut.insert(floor) }
            // Beyond the door may be a room that it does not name.
            if !isAdded, !isOutdoors {
                opening.other = nil
                isAdded = add(opening, &ground)
            }
        }
        guard isAdded else { return }
        isWalled[Int(room)] = true
        if let named { isWalled[Int(named)] = true }
    }

    /// - Returns: whether any cells are joined.
    private mutating func add(_ opening: Opening, _ ground: inout GroundSketch) -> Bool {
        var found: [GroundSketch.Pair] = []
        let reach = opening.metres + 1.5 * ground.pitch
        ground.forEachCell(within: reach, of: opening.point, on: opening.floor) { cell in
            let here = ground.cells[cell]
            for way in ground.ways[cell] where Int(way.target) > cell {
                let there = ground.cells[Int(way.target)]
                guard opening.joins(here.room, there.room),
                    opening.point.distance(toSegmentFrom: here.point, to: there.point)
                        <= opening.metres
                else { continue }
                found.append(GroundSketch.Pair(cell, Int(way.target)))
            }
        }
        if found.isEmpty {
            let farthest = max(Self.farthestMetres, 3 * ground.pitch)
            func nearest(_ isWanted: (Int32) -> Bool) -> Int? {
                ground.nearest(to: opening.point, on: opening.floor, within: farthest) {
                    isWanted($0.room)
                }
            }
            guard let one = nearest({ $0 == opening.room }),
                let other = nearest({ opening.joins(opening.room, $0) })
            else { return false }
            ground.join(one, other)
            found.append(GroundSketch.Pair(one, other))
        }
        openings.formUnion(found)
        return true
    }

    // MARK: Paths

    /// Opens the walls that paths cross, on floors where doors are stated.
    private mutating func addPaths(
        _ numbers: [FloorID: Int32], _ site: SiteIndex, _ ground: inout GroundSketch
    ) {
        var walled: Set<FloorID> = []
        for room in site.rooms.indices where isWalled[room] {
            walled.insert(site.rooms[room].floor)
        }
        var steps = Self.mostSteps
        for connection in site.document.connections where connection.kind != .door {
            guard let id = connection.stops.first?.floor, walled.contains(id),
                connection.stops.allSatisfy({ $0.floor == id }), let floor = numbers[id],
                let index = site.floorIndex(id)
            else { continue }
            let bends = connection.stops.prefix(1).map(\.point) + connection.line
            var before: (room: Int32, point: Point)?
            let points = bends + connection.stops.dropFirst().map(\.point)
            for (start, end) in zip(points, points.dropFirst()) {
                let count = max(1, Int((start.distance(to: end) / Self.stepMetres).rounded(.up)))
                steps -= count
                guard steps >= 0 else { return }
                for step in 0...count {
                    let share = Double(step) / Double(count)
                    let point = Self.point(start, end, share)
                    let room = site.room(at: point, on: index).map { Int32($0.value) } ?? -1
                    if let before, before.room != room {
                        let opening = Opening(
                            floor: floor, point: Self.point(before.point, point, 0.5),
                            metres: ground.pitch / 2, room: max(before.room, room),
                            other: min(before.room, room))
                        _ = add(opening, &ground)
                    }
                    before = (room, point)
                }
            }
        }
    }

    private static func point(_ start: Point, _ end: Point, _ share: Double) -> Point {
        Point(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
    }
}
