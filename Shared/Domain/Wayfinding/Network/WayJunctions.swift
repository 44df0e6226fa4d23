import Events
import Geometry
import Site

/// The nodes where connections meet: stops on one floor at one point, to the millimetre.
///
/// A door separates what is on its two sides, although all of it is at one point. So each room that
/// the door joins has its own node there.
struct WayJunctions {
    struct Node {
        var level: Level
        var point: Point
    }

    private(set) var nodes: [Node] = []
    /// The node of each stop, by connection and then by stop.
    private(set) var nodeOfStop: [[NodeIndex]]
    /// The nodes in each room, each once.
    private(set) var stopsOfRoom: [RoomIndex: [NodeIndex]] = [:]
    /// For each door, the two nodes that it joins at one point; `first` is on the side of its first
    /// stop.
    private(set) var doorways: [(connection: Int, first: NodeIndex, second: NodeIndex)] = []

    private let site: SiteIndex
    private var groups: [Place: [Stop]] = [:]

    private struct Place: Hashable {
        var level: Level
        var x: Int
        var y: Int
    }
    private struct Stop {
        var connection: Int
        var stop: Int
        var room: RoomIndex?
    }
    /// One of the parts that a door separates.
    private enum Side: Hashable {
        case room(RoomIndex)
        /// Not in a room: outdoors, or in a part of the floor without rooms.
        case open
    }

    init(_ site: SiteIndex) {
        self.site = site
        nodeOfStop = site.document.connections.map {
            Array(repeating: NodeIndex(0), count: $0.stops.count)
        }
        var places: [Place] = []
        for (index, connection) in site.document.connections.enumerated() {
            for (number, stop) in connection.stops.enumerated() {
                let level = stop.floor.flatMap { site.floorIndex($0) }
                let place = Place(
                    level: level, x: Int((stop.point.x * 1_000).rounded()),
                    y: Int((stop.point.y * 1_000).rounded()))
                let room = room(of: stop, connection.kind, on: level)
                let found = Stop(connection: index, stop: number, room: room)
                if groups[place] == nil { places.append(place) }
                groups[place, default: []].append(found)
            }
        }
        for place in places { join(groups[place] ?? [], at: place.level) }
        groups = [:]
    }

    mutating func makeNode(_ level: Level, _ point: Point) -> NodeIndex {
        nodes.append(Node(level: level, point: point))
        return NodeIndex(nodes.count - 1)
    }

    /// The room that the stop names. A connection other than a door that ends well inside a room is
    /// in that room too.
    private func room(
        of stop: ConnectionStop, _ kind: ConnectionRecord.Kind, on level: Level
    ) -> RoomIndex? {
        if let room = stop.room { return site.roomIndex(room) }
        guard let level, kind != .door else { return nil }
        let point = stop.point
        guard let room = site.room(at: point, on: level), let outline = site.outline(room),
            outline.distanceToEdge(from: point) > 0.05
        else { return nil }
        return room
    }

    private mutating func join(_ stops: [Stop], at level: Level) {
        let point = point(of: stops[0])
        let doors = Set(stops.map(\.connection)).filter { connection in
            site.document.connections[connection].kind == .door
                && stops.count(where: { $0.connection == connection }) > 1
        }
        guard !doors.isEmpty else {
            let node = makeNode(level, point)
            for stop in stops { place(stop, at: node) }
            return
        }
        var nodeOfSide: [Side: NodeIndex] = [:]
        var sidesOfDoor: [Int: [NodeIndex]] = [:]
        for stop in stops where doors.contains(stop.connection) {
            let side = stop.room.map { Side.room($0) } ?? .open
            let node = nodeOfSide[side] ?? makeNode(level, point)
            nodeOfSide[side] = node
            place(stop, at: node)
            if sidesOfDoor[stop.connection]?.contains(node) != true {
                sidesOfDoor[stop.connection, default: []].append(node)
            }
        }
        // If a door does not name both rooms, each connection at its point gets its own node, as if
        // each were on another side.
        let isVague = sidesOfDoor.values.contains { $0.count < 2 }
        for stop in stops where !doors.contains(stop.connection) {
            let side = stop.room.map { Side.room($0) } ?? drawnSide(of: stop, nodeOfSide)
            let known = side ?? (isVague ? nil : .open)
            if let known, let node = nodeOfSide[known] {
                place(stop, at: node)
                continue
            }
            let node = makeNode(level, point)
            place(stop, at: node)
            for door in doors { sidesOfDoor[door]?.append(node) }
        }
        for (door, sides) in sidesOfDoor.sorted(by: { $0.key < $1.key }) {
            for (index, first) in sides.enumerated() {
                for second in sides[(index + 1)...] { doorways.append((door, first, second)) }
            }
        }
    }

    private mutating func place(_ stop: Stop, at node: NodeIndex) {
        nodeOfStop[stop.connection][stop.stop] = node
        if let room = stop.room, stopsOfRoom[room]?.contains(node) != true {
            stopsOfRoom[room, default: []].append(node)
        }
    }

    /// The side on which the connection is, from the direction in which its line leaves the stop.
    private func drawnSide(of stop: Stop, _ sides: [Side: NodeIndex]) -> Side? {
        let record = site.document.connections[stop.connection]
        let here = point(of: stop)
        let isFirst = stop.stop == 0
        let bend = isFirst ? record.line.first : record.line.last
        let next = record.stops[isFirst ? 1 : stop.stop - 1]
        let towards = bend ?? next.point
        let length = here.distance(to: towards)
        guard length > 0 else { return nil }
        let reach = min(0.1, length) / length
        let probe = Point(
            x: here.x + reach * (towards.x - here.x), y: here.y + reach * (towards.y - here.y))
        let rooms = sides.keys.compactMap { side in
            if case .room(let room) = side { room } else { nil }
        }
        return rooms.sorted().first { site.outline($0)?.contains(probe) == true }.map { .room($0) }
    }

    private func point(of stop: Stop) -> Point {
        site.document.connections[stop.connection].stops[stop.stop].point
    }
}
