import Events
import Geometry
import Glibc
import Site

/// Makes the walkable graph from a site's rooms and the surveyed places.
///
/// Cells lie within the outlines of rooms, and near fingerprints that are in no room. Where little
/// was surveyed, stated beacons count as well, and access points where nothing was.
///
/// Where a site states the doors of rooms, ways lead through these only (`Doorways`). Where it does
/// not, a way from a room into a passage is as wide as an average door in its wall. A way through
/// the wall between two rooms is improbable, unless one of the rooms borders on no passage.
struct WalkableGraphBuilder {
    /// People are assumed to walk within this distance of a fingerprint outside of every room.
    static let surveyedMetres = 8.0
    /// The share of a wall between room and passage that is a door, about a quarter. This and the
    /// next share count where no doors are stated.
    static let doorShare = 0.25
    /// The share of a wall between two rooms that is a door, which is rare.
    static let wallShare = 0.02
    /// A site with more slots gets a wider pitch.
    static let mostSlots = 4_000_000.0
    /// The number of surveys of a floor that may be left out as far off. A tenth of them may be
    /// too, but never half.
    static let fewFarOff = 3

    private let map: RadioMap
    private let site: SiteIndex
    private var pitch = WalkableGraph.pitchMetres
    private let floors: [FloorIndex?]
    private let roles: [RoomRole]
    /// By the map's floor: its rooms with an outline, and the indices of its fingerprints. A site
    /// may have thousands of floors, so each list is made once.
    private let roomsOfFloor: [[OutlinedRoom]]
    private let surveysOfFloor: [[Int]]
    /// The map's fingerprints that are too far off for anybody to walk there.
    private var farOff: Set<Int> = []
    /// By the map's floor: the stated places of transmitters, where little was surveyed.
    private let stated: [[Point]]

    private typealias OutlinedRoom = (room: Int, outline: Polygon)

    private struct Slot: Hashable, Comparable {
        var row: Int
        var column: Int
        static func < (left: Slot, right: Slot) -> Bool {
            (left.row, left.column) < (right.row, right.column)
        }
    }

    private init(map: RadioMap, site: SiteIndex) {
        self.map = map
        self.site = site
        floors = map.floors.map { site.floorIndex($0) }
        roles = site.rooms.map { RoomRole(kind: $0.kind) }
        var rooms: [FloorID: [OutlinedRoom]] = [:]
        for index in site.rooms.indices {
            guard let outline = site.outline(RoomIndex(index)) else { continue }
            rooms[site.rooms[index].floor, default: []].append((index, outline))
        }
        roomsOfFloor = map.floors.map { rooms[$0] ?? [] }
        var surveys = [[Int]](repeating: [], count: map.floors.count)
        for index in map.fingerprints.indices {
            surveys[Int(map.fingerprints[index].floor)].append(index)
        }
        surveysOfFloor = surveys
        stated = StatedFloors.places(map, site: site)
    }

    static func build(map: RadioMap, site: SiteIndex) -> WalkableGraph {
        var builder = WalkableGraphBuilder(map: map, site: site)
        builder.leaveOutFarOff()
        builder.widenPitch()
        return builder.graph()
    }

    private func graph() -> WalkableGraph {
        var cells: [WalkableGraph.Cell] = []
        var grids: [WalkableGraph.FloorGrid] = []
        var floorStart: [Int32] = [0]
        for floor in map.floors.indices {
            let first = cells.count
            let slots = cellsBySlot(floor).sorted { $0.key < $1.key }
            cells += slots.map(\.value)
            grids.append(grid(slots.map(\.key), first: first))
            floorStart.append(Int32(cells.count))
        }
        var ground = GroundSketch(pitch: pitch, cells: cells, grids: grids)
        weigh(&ground)
        FloorChanges.add(to: &ground, floors: map.floors, roles: roles, site: site)
        var start: [Int32] = [0]
        var edges: [WalkableGraph.Edge] = []
        for ways in ground.ways {
            let total = ways.reduce(0) { $0 + $1.weight }
            for way in ways {
                edges.append(
                    WalkableGraph.Edge(
                        target: way.target, share: Float(way.weight / total),
                        direction: way.direction))
            }
            start.append(Int32(edges.count))
        }
        return WalkableGraph(
            pitch: pitch, floors: map.floors, cells: cells, grids: grids, edgeStart: start,
            edges: edges, floorStart: floorStart, rooms: site.rooms.map(\.id))
    }

    // MARK: Cells

    private mutating func widenPitch() {
        let all = map.floors.indices.reduce(0) { $0 + area(corners(of: $1) + surveyed($1)) }
        pitch = max(pitch, (all / Self.mostSlots).squareRoot())
    }

    /// Leaves out surveys far from a floor's rooms and other surveys, if they alone would widen the
    /// whole site's pitch. One survey made in error must not cost all tracks their accuracy. A
    /// floor with many surveys far apart is taken to be that large.
    private mutating func leaveOutFarOff() {
        let share = Self.mostSlots * pitch * pitch / Double(max(1, map.floors.count))
        for floor in map.floors.indices {
            let known = corners(of: floor) + stated[floor]
            let members = surveysOfFloor[floor]
            guard !members.isEmpty, area(known + surveyed(floor)) > share, area(known) <= share
            else { continue }
            let points = members.map { map.fingerprints[$0].point }
            let middle = Point(
                x: points.map(\.x).sorted()[points.count / 2],
                y: points.map(\.y).sorted()[points.count / 2])
            let farthestFirst = members.sorted {
                map.fingerprints[$0].point.distance(to: middle)
                    > map.fingerprints[$1].point.distance(to: middle)
            }
            let most = min(max(Self.fewFarOff, members.count / 10), (members.count - 1) / 2)
            // The box shrinks with each survey that is left out, so a binary search finds the least
            // number that fits.
            func isEnough(_ count: Int) -> Bool {
                area(known + farthestFirst.dropFirst(count).map { map.fingerprints[$0].point })
                    <= share
            }
            guard isEnough(most) else { continue }
            var (low, high) = (1, most)
            while low < high {
                let middle = (low + high) / 2
                if isEnough(middle) { high = middle } else { low = middle + 1 }
            }
            // From that number on, the cut is at the widest gap to the rest of the floor.
            let distances = farthestFirst.map { map.fingerprints[$0].point.distance(to: middle) }
            let cut = (high...most).max { gap(distances, $0) < gap(distances, $1) } ?? high
            farOff.formUnion(farthestFirst.prefix(cut))
        }
    }

    /// Metres between the last survey that is left out and the first that stays.
    private func gap(_ distances: [Double], _ cut: Int) -> Double {
        distances[cut - 1] - distances[cut]
    }

    /// The area of the points and the walkable ground around them, in square metres.
    private func area(_ points: [Point]) -> Double {
        guard let box = BoundingBox(points) else { return 0 }
        let margin = 2 * Self.surveyedMetres
        return (box.width + margin) * (box.height + margin)
    }

    private func corners(of floor: Int) -> [Point] {
        roomsOfFloor[floor].flatMap {
            [$0.outline.boundingBox.minimum, $0.outline.boundingBox.maximum]
        }
    }

    /// The places around which people walk, all or only those outside of every room.
    private func surveyed(_ floor: Int, isOutside: Bool = false) -> [Point] {
        surveysOfFloor[floor].lazy.filter { index in
            !farOff.contains(index) && (!isOutside || map.fingerprints[index].room < 0)
        }.map { map.fingerprints[$0].point }
            + stated[floor].filter { !isOutside || room(at: $0, floor) == nil }
    }

    private func middle(_ slot: Slot) -> Point {
        Point(x: (Double(slot.column) + 0.5) * pitch, y: (Double(slot.row) + 0.5) * pitch)
    }

    private func slot(_ point: Point) -> Slot {
        Slot(
            row: Int((point.y / pitch).rounded(.down)),
            column: Int((point.x / pitch).rounded(.down)))
    }

    private func room(at point: Point, _ floor: Int) -> Int? {
        floors[floor].flatMap { site.room(at: point, on: $0) }?.value
    }

    private func cellsBySlot(_ floor: Int) -> [Slot: WalkableGraph.Cell] {
        var cells: [Slot: WalkableGraph.Cell] = [:]
        func add(_ slot: Slot, _ point: Point, _ room: Int?) {
            cells[slot] = WalkableGraph.Cell(
                point: point, floor: Int32(floor), room: Int32(room ?? -1),
                isLift: room.map { roles[$0] == .lift } ?? false,
                isPassage: room.map { roles[$0] == .passage } ?? false)
        }
        let rooms = roomsOfFloor[floor]
        for (_, outline) in rooms {
            let box = outline.boundingBox
            forEachSlot(from: box.minimum, to: box.maximum) { slot in
                let point = middle(slot)
                guard cells[slot] == nil, outline.contains(point) else { return }
                add(slot, point, self.room(at: point, floor))
            }
        }
        addSmallRooms(rooms, cells, add)
        for point in surveyed(floor, isOutside: true) {
            let reach = Self.surveyedMetres
            forEachSlot(
                from: Point(x: point.x - reach, y: point.y - reach),
                to: Point(x: point.x + reach, y: point.y + reach)
            ) { slot in
                guard cells[slot] == nil, middle(slot).distance(to: point) <= reach else { return }
                add(slot, middle(slot), nil)
            }
        }
        return cells
    }

    /// Gives each room without a cell the slot of its own middle. Small rooms may contain no slot's
    /// middle.
    private func addSmallRooms(
        _ rooms: [(room: Int, outline: Polygon)], _ cells: [Slot: WalkableGraph.Cell],
        _ add: (Slot, Point, Int?) -> Void
    ) {
        var counts: [Int32: Int] = [:]
        for cell in cells.values { counts[cell.room, default: 0] += 1 }
        for (room, outline) in rooms where counts[Int32(room)] == nil {
            let slot = slot(outline.centroid)
            if let owner = cells[slot]?.room, owner >= 0 {
                guard counts[owner, default: 0] > 1 else { continue }
                counts[owner, default: 0] -= 1
            }
            counts[Int32(room)] = 1
            add(slot, outline.centroid, room)
        }
    }

    private func forEachSlot(from low: Point, to high: Point, _ body: (Slot) -> Void) {
        let (first, last) = (slot(low), slot(high))
        for row in first.row...last.row {
            for column in first.column...last.column { body(Slot(row: row, column: column)) }
        }
    }

    private func grid(_ slots: [Slot], first: Int) -> WalkableGraph.FloorGrid {
        var grid = WalkableGraph.FloorGrid()
        guard let top = slots.first, let bottom = slots.last else { return grid }
        let columns = slots.map(\.column)
        grid.column = columns.min() ?? 0
        grid.columns = (columns.max() ?? 0) - grid.column + 1
        grid.row = top.row
        grid.rows = bottom.row - top.row + 1
        grid.cells = [Int32](repeating: -1, count: grid.columns * grid.rows)
        for (index, slot) in slots.enumerated() {
            let line = (slot.row - grid.row) * grid.columns
            grid.cells[line + slot.column - grid.column] = Int32(first + index)
        }
        return grid
    }

    // MARK: Ways

    /// Weighs the ways on a floor by what they lead through. Those through walls are gone.
    private func weigh(_ ground: inout GroundSketch) {
        let doorways = Doorways(&ground, floors: map.floors, site: site)
        let entered = roomsWithPassage(ground)
        let walls = GroundWalls(ground, doorways, floors: floors, site: site)
        ground.removeWays(through: walls, but: doorways)
        for cell in ground.cells.indices {
            let room = ground.cells[cell].room
            for way in ground.ways[cell].indices {
                let target = Int(ground.ways[cell][way].target)
                let other = ground.cells[target].room
                guard other != room, !doorways.isOpen(cell, target) else { continue }
                ground.ways[cell][way].weight *= crossing(room, other, entered)
            }
        }
    }

    private func isPassage(_ room: Int32) -> Bool { room < 0 || roles[Int(room)] != .room }

    /// The rooms that border on a passage.
    private func roomsWithPassage(_ ground: GroundSketch) -> Set<Int32> {
        var found: Set<Int32> = []
        for cell in ground.cells.indices where ground.cells[cell].room >= 0 {
            let isEntered = ground.ways[cell].contains { way in
                let room = ground.cells[Int(way.target)].room
                return room != ground.cells[cell].room && isPassage(room)
            }
            if isEntered { found.insert(ground.cells[cell].room) }
        }
        return found
    }

    /// The factor of ways between two rooms through a wall of which no doors are stated.
    private func crossing(_ from: Int32, _ to: Int32, _ entered: Set<Int32>) -> Double {
        if isPassage(from), isPassage(to) { return 1 }
        if isPassage(from) || isPassage(to) { return Self.doorShare }
        return entered.contains(from) && entered.contains(to) ? Self.wallShare : Self.doorShare
    }
}
