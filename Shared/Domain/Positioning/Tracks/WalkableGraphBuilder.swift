import Events
import Geometry
import Glibc
import Site

/// Makes the walkable graph from a site's rooms and the surveyed places.
///
/// Cells lie within the outlines of rooms, and near fingerprints that are in no room. Where little
/// was surveyed, stated beacons count as well, and access points where nothing was. The doors that
/// a site may state are not used here. A way from a room into a passage is as wide as an average
/// door in its wall. A way through the wall between two rooms is improbable, unless one of the
/// rooms borders on no passage.
struct WalkableGraphBuilder {
    /// People are assumed to walk within this distance of a fingerprint outside of every room.
    static let surveyedMetres = 8.0
    /// The share of a wall between room and passage that is a door, about a quarter.
    static let doorShare = 0.25
    /// The share of a wall between two rooms that is a door, which is rare.
    static let wallShare = 0.02
    static let diagonalShare = 0.5
    /// The weight of ways to the floor above or below, from a cell of stairs or of a lift.
    static let connectorShare = 0.5
    /// The weight of such ways from any cell, where no stairs and lifts are stated.
    static let unknownConnectorShare = 0.005
    /// The largest distance between the ends of a flight of stairs on two floors. The outlines of
    /// both floors may differ.
    static let connectorMetres = 6.0
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
    /// The map's fingerprints that are too far off for anybody to walk there.
    private var farOff: Set<Int> = []
    /// By the map's floor: the stated places of transmitters, where little was surveyed.
    private let stated: [[Point]]

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
        var ways = neighbours(cells, grids)
        addConnectors(cells, grids, to: &ways)
        var start: [Int32] = [0]
        var edges: [WalkableGraph.Edge] = []
        for ways in ways {
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
            let members = map.fingerprints.indices.filter {
                Int(map.fingerprints[$0].floor) == floor
            }
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
        rooms(on: floor).flatMap {
            [$0.outline.boundingBox.minimum, $0.outline.boundingBox.maximum]
        }
    }

    /// The places around which people walk, all or only those outside of every room.
    private func surveyed(_ floor: Int, isOutside: Bool = false) -> [Point] {
        map.fingerprints.indices.lazy.filter { index in
            let fingerprint = map.fingerprints[index]
            return Int(fingerprint.floor) == floor && !farOff.contains(index)
                && (!isOutside || fingerprint.room < 0)
        }.map { map.fingerprints[$0].point }
            + stated[floor].filter { !isOutside || room(at: $0, floor) == nil }
    }

    private func rooms(on floor: Int) -> [(room: Int, outline: Polygon)] {
        site.rooms.indices.compactMap { index in
            guard site.rooms[index].floor == map.floors[floor],
                let outline = site.outline(RoomIndex(index))
            else { return nil }
            return (index, outline)
        }
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
        let rooms = rooms(on: floor)
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

    private struct Way {
        let target: Int32
        var weight: Double
        let direction: UInt8
    }

    /// Clockwise from the y axis.
    private static let directions: [(x: Int, y: Int)] = [
        (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1),
    ]

    private func neighbours(
        _ cells: [WalkableGraph.Cell], _ grids: [WalkableGraph.FloorGrid]
    ) -> [[Way]] {
        var ways = cells.map { cell in
            let own = slot(cell.point)
            return Self.directions.enumerated().compactMap { direction, offset -> Way? in
                let target = grids[Int(cell.floor)].cell(
                    column: own.column + offset.x, row: own.row + offset.y)
                guard let target else { return nil }
                let weight = offset.x != 0 && offset.y != 0 ? Self.diagonalShare : 1
                return Way(target: target, weight: weight, direction: UInt8(direction))
            }
        }
        let entered = roomsWithPassage(cells, ways)
        for cell in cells.indices {
            for way in ways[cell].indices {
                let target = Int(ways[cell][way].target)
                ways[cell][way].weight *= crossing(cells[cell].room, cells[target].room, entered)
            }
        }
        return ways
    }

    private func isPassage(_ room: Int32) -> Bool { room < 0 || roles[Int(room)] != .room }

    /// The rooms that border on a passage.
    private func roomsWithPassage(_ cells: [WalkableGraph.Cell], _ ways: [[Way]]) -> Set<Int32> {
        var found: Set<Int32> = []
        for cell in cells.indices where cells[cell].room >= 0 {
            let isEntered = ways[cell].contains { way in
                let room = cells[Int(way.target)].room
                return room != cells[cell].room && isPassage(room)
            }
            if isEntered { found.insert(cells[cell].room) }
        }
        return found
    }

    private func crossing(_ from: Int32, _ to: Int32, _ entered: Set<Int32>) -> Double {
        if from == to { return 1 }
        if isPassage(from), isPassage(to) { return 1 }
        if isPassage(from) || isPassage(to) { return Self.doorShare }
        return entered.contains(from) && entered.contains(to) ? Self.wallShare : Self.doorShare
    }

    private func addConnectors(
        _ cells: [WalkableGraph.Cell], _ grids: [WalkableGraph.FloorGrid],
        to ways: inout [[Way]]
    ) {
        for (lower, upper) in adjoiningFloors() {
            let below = cells.indices.filter { cells[$0].floor == lower }
            let above = cells.indices.filter { cells[$0].floor == upper }
            let exits = below.filter { changesFloors(cells[$0]) }
            let entrances = above.filter { changesFloors(cells[$0]) }
            let isKnown = !exits.isEmpty && !entrances.isEmpty
            let share = isKnown ? Self.connectorShare : Self.unknownConnectorShare
            for cell in isKnown ? exits : below {
                let point = cells[cell].point
                let target =
                    isKnown
                    ? nearest(entrances, to: point, cells)
                    : grids[Int(upper)].cell(column: slot(point).column, row: slot(point).row)
                        .map(Int.init)
                guard let target else { continue }
                link(cell, target, share, &ways)
                link(target, cell, share, &ways)
            }
        }
    }

    private func changesFloors(_ cell: WalkableGraph.Cell) -> Bool {
        cell.room >= 0 && roles[Int(cell.room)].changesFloors
    }

    private func nearest(
        _ candidates: [Int], to point: Point, _ cells: [WalkableGraph.Cell]
    ) -> Int? {
        let nearest = candidates.min {
            (cells[$0].point.distance(to: point), $0) < (cells[$1].point.distance(to: point), $1)
        }
        return nearest.flatMap {
            cells[$0].point.distance(to: point) <= Self.connectorMetres ? $0 : nil
        }
    }

    /// Adds a way between floors once. Several cells of stairs may lead to one cell of another
    /// floor.
    private func link(_ from: Int, _ to: Int, _ weight: Double, _ ways: inout [[Way]]) {
        guard !ways[from].contains(where: { Int($0.target) == to }) else { return }
        ways[from].append(
            Way(target: Int32(to), weight: weight, direction: WalkableGraph.Edge.vertical))
    }

    /// Neighbouring surveyed floors of one building, as pairs.
    private func adjoiningFloors() -> [(lower: Int32, upper: Int32)] {
        let known = map.floors.indices.compactMap { index in
            site.floor(map.floors[index]).map { (index: index, record: $0) }
        }
        let sorted = known.sorted {
            ($0.record.building.text, $0.record.ordinal)
                < ($1.record.building.text, $1.record.ordinal)
        }
        return zip(sorted, sorted.dropFirst()).compactMap { lower, upper in
            guard lower.record.building == upper.record.building else { return nil }
            return (Int32(lower.index), Int32(upper.index))
        }
    }
}
