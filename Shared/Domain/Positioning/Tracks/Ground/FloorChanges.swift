import Events
import Geometry
import Site

/// The ways from floor to floor.
///
/// They are those of the connections that the site states: stairs, ramps, lifts and escalators, and
/// doors and paths to another building's floor. For neighbouring floors without any, all rooms of
/// stairs and lifts count that lie above each other, and where there are none, any place does.
struct FloorChanges {
    /// The weight of a way to the floor above or below, from a cell of stairs or of a lift.
    static let connectorShare = 0.5
    /// The weight of such a way from any cell, where no stairs and lifts are stated.
    static let unknownConnectorShare = 0.005
    /// The largest distance between the ends of a flight of stairs on two floors, where only their
    /// rooms are known. The outlines of both floors may differ.
    static let connectorMetres = 6.0
    /// People change floors within this distance of a connection's stop. Only in halls that are
    /// called stairs is there more of the room.
    static let landingMetres = 20.0

    private let site: SiteIndex
    private let floors: [FloorID]
    private let roles: [RoomRole]
    private let numbers: [FloorID: Int32]
    /// The number of cells of each room of stairs or of a lift.
    private let cellsOfRoom: [Int32: Int]
    /// The cells of each floor. A site may have thousands of floors.
    private let cellsOfFloor: [[Int]]
    /// The rooms that connections lead to.
    private var named: Set<Int32> = []
    /// The pairs of floors that connections join, the lower number first.
    private var joined: Set<[Int32]> = []
    /// The pairs of rooms that are done, and whether one-way. Many connections may name the same
    /// rooms. For large rooms it has the pairs of cells at the stops.
    private var done: Set<[Int]> = []

    /// An end of a connection on a floor: the cells from which people go, and the one at its stop.
    private struct Landing {
        var cells: [Int]
        var foot: Int
        /// The room of the cells, if it is one of stairs or of a lift.
        var room: Int32?
        var floor: Int32
        /// Whether these are all cells of the room.
        var isWhole = true
    }

    private init(_ ground: GroundSketch, floors: [FloorID], roles: [RoomRole], site: SiteIndex) {
        self.site = site
        self.floors = floors
        self.roles = roles
        numbers = Dictionary(zip(floors, Int32(0)...), uniquingKeysWith: { first, _ in first })
        var counts: [Int32: Int] = [:]
        for cell in ground.cells where cell.room >= 0 && roles[Int(cell.room)].changesFloors {
            counts[cell.room, default: 0] += 1
        }
        cellsOfRoom = counts
        var cells = [[Int]](repeating: [], count: floors.count)
        for (index, cell) in ground.cells.enumerated() { cells[Int(cell.floor)].append(index) }
        cellsOfFloor = cells
    }

    static func add(
        to ground: inout GroundSketch, floors: [FloorID], roles: [RoomRole], site: SiteIndex
    ) {
        var changes = FloorChanges(ground, floors: floors, roles: roles, site: site)
        for connection in site.document.connections {
            guard connection.stops.contains(where: { $0.floor != connection.stops[0].floor })
            else { continue }
            changes.add(connection, to: &ground)
        }
        for (lower, upper) in changes.adjoiningFloors() {
            changes.addRooms(lower, upper, to: &ground)
        }
    }

    // MARK: Connections

    private mutating func add(_ connection: ConnectionRecord, to ground: inout GroundSketch) {
        var stops = connection.stops.filter { stop in
            stop.floor.map { numbers[$0] != nil } ?? false
        }
        if connection.kind == .lift || connection.kind == .platformLift {
            stops.sort { ordinal($0) < ordinal($1) }
        }
        for (one, other) in zip(stops, stops.dropFirst()) where one.floor != other.floor {
            guard let from = landing(one, ground), let to = landing(other, ground) else { continue }
            for room in [from.room, to.room].compactMap({ $0 }) { named.insert(room) }
            joined.insert([min(from.floor, to.floor), max(from.floor, to.floor)])
            // People use doors and stairs against their stated direction, but not escalators.
            let isOneWay = connection.kind == .escalator && connection.isOneWay
            if let room = from.room, let next = to.room {
                let isWhole = from.isWhole && to.isWhole
                let ends = isWhole ? [Int(room), Int(next)] : [from.foot, to.foot]
                let key = ends + [isOneWay ? 1 : 0, isWhole ? 1 : 0]
                guard done.insert(key).inserted else { continue }
            }
            link(from, to, isOneWay: isOneWay, &ground)
        }
    }

    private func ordinal(_ stop: ConnectionStop) -> Int {
        stop.floor.flatMap { site.floor($0) }?.ordinal ?? 0
    }

    private func landing(_ stop: ConnectionStop, _ ground: GroundSketch) -> Landing? {
        guard let id = stop.floor, let floor = numbers[id], let index = site.floorIndex(id) else {
            return nil
        }
        let known = stop.room.flatMap { site.roomIndex($0) } ?? site.room(at: stop.point, on: index)
        let room = known.map { Int32($0.value) } ?? -1
        let farthest = max(Doorways.farthestMetres, 3 * ground.pitch)
        func nearest(_ isWanted: (WalkableGraph.Cell) -> Bool) -> Int? {
            ground.nearest(to: stop.point, on: floor, within: farthest, where: isWanted)
        }
        guard let foot = nearest({ $0.room == room }) ?? nearest({ _ in true }) else { return nil }
        guard let count = cellsOfRoom[room], ground.cells[foot].room == room else {
            return Landing(cells: [foot], foot: foot, room: nil, floor: floor)
        }
        var cells: [Int] = []
        let middle = ground.cells[foot].point
        let reach = max(Self.landingMetres, 3 * ground.pitch)
        ground.forEachCell(within: reach, of: middle, on: floor) { cell in
            let known = ground.cells[cell]
            guard known.room == room, known.point.distance(to: middle) <= reach else { return }
            cells.append(cell)
        }
        return Landing(
            cells: cells, foot: foot, room: room, floor: floor, isWhole: cells.count == count)
    }

    private func link(
        _ from: Landing, _ to: Landing, isOneWay: Bool, _ ground: inout GroundSketch
    ) {
        for cell in from.cells {
            let above = to.room.flatMap { room in
                ground.nearest(
                    to: ground.cells[cell].point, on: to.floor, within: Self.connectorMetres
                ) { $0.room == room }
            }
            let target = above ?? to.foot
            ground.climb(cell, target, weight: Self.connectorShare)
            if !isOneWay { ground.climb(target, cell, weight: Self.connectorShare) }
        }
    }

    // MARK: Rooms

    /// Neighbouring surveyed floors of one building, as pairs.
    private func adjoiningFloors() -> [(lower: Int32, upper: Int32)] {
        let known = floors.indices.compactMap { index in
            site.floor(floors[index]).map { (index: index, record: $0) }
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

    /// Joins floors by their rooms of stairs and lifts. Where connections join the floors, only
    /// rooms count that no connection names.
    private func addRooms(_ lower: Int32, _ upper: Int32, to ground: inout GroundSketch) {
        let isJoined = joined.contains([min(lower, upper), max(lower, upper)])
        func changesFloors(_ cell: WalkableGraph.Cell) -> Bool {
            cell.room >= 0 && roles[Int(cell.room)].changesFloors
                && !(isJoined && named.contains(cell.room))
        }
        var isKnown = isJoined
        let below = cellsOfFloor[Int(lower)]
        for cell in below where changesFloors(ground.cells[cell]) {
            let target = ground.nearest(
                to: ground.cells[cell].point, on: upper, within: Self.connectorMetres,
                where: changesFloors)
            guard let target else { continue }
            isKnown = true
            ground.climb(cell, target, weight: Self.connectorShare)
            ground.climb(target, cell, weight: Self.connectorShare)
        }
        guard !isKnown else { return }
        for cell in below {
            let point = ground.cells[cell].point
            let target = ground.grids[Int(upper)].cell(
                column: ground.slot(point.x), row: ground.slot(point.y))
            guard let target else { continue }
            ground.climb(cell, Int(target), weight: Self.unknownConnectorShare)
            ground.climb(Int(target), cell, weight: Self.unknownConnectorShare)
        }
    }
}
