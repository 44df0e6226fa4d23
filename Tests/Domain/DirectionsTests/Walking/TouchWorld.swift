import Events
import Foundation
import Geometry
import Site

/// A site as a foot and a cane find it: walls, doors, openings, edges of paths, stairs and lifts.
///
/// It is made of the site's records alone, with a geometry of its own, and knows no route.
struct TouchWorld {
    struct Stop: Hashable {
        var connection: Int
        var stop: Int
    }

    struct Key: Hashable {
        var floor: FloorID?
        var x: Int
        var y: Int

        init(_ floor: FloorID?, _ point: Point) {
            (self.floor, x, y) = (
                floor, Int((point.x * 100).rounded()), Int((point.y * 100).rounded())
            )
        }
    }

    /// A way that leaves a point.
    struct Way {
        var stop: Stop
        var degrees: Double
        var isForward: Bool
    }

    let connections: [ConnectionRecord]
    private let rooms: [RoomID: RoomRecord]
    private let levels: [FloorID: String]
    private let ordinals: [FloorID: Int]
    private let atPlace: [Key: [Stop]]
    private let inRoom: [RoomID: [Stop]]

    init(_ document: SiteDocument) {
        connections = document.connections
        rooms = Dictionary(uniqueKeysWithValues: document.rooms.map { ($0.id, $0) })
        levels = Dictionary(uniqueKeysWithValues: document.floors.map { ($0.id, $0.level) })
        ordinals = Dictionary(uniqueKeysWithValues: document.floors.map { ($0.id, $0.ordinal) })
        var atPlace: [Key: [Stop]] = [:]
        var inRoom: [RoomID: [Stop]] = [:]
        for (number, connection) in connections.enumerated() {
            for (index, stop) in connection.stops.enumerated() {
                let place = Stop(connection: number, stop: index)
                atPlace[Key(stop.floor, stop.point), default: []].append(place)
                if let room = stop.room { inRoom[room, default: []].append(place) }
            }
        }
        (self.atPlace, self.inRoom) = (atPlace, inRoom)
    }

    func record(_ stop: Stop) -> ConnectionRecord { connections[stop.connection] }
    func end(_ stop: Stop) -> ConnectionStop { connections[stop.connection].stops[stop.stop] }
    func stops(in room: RoomID) -> [Stop] { inRoom[room] ?? [] }
    func stops(at point: Point, on floor: FloorID?) -> [Stop] { atPlace[Key(floor, point)] ?? [] }
    func level(_ floor: FloorID?) -> String? { floor.flatMap { levels[$0] } }
    func ordinal(_ floor: FloorID?) -> Int { floor.flatMap { ordinals[$0] } ?? 0 }
    func kind(of room: RoomID) -> String { rooms[room]?.kind ?? "" }
    func floor(of room: RoomID) -> FloorID? { rooms[room]?.floor }

    /// The word for what a cane finds there.
    func touch(_ stop: Stop) -> String {
        let record = record(stop)
        switch record.kind {
        case .door:
            let isStated =
                record.isAutomatic != nil || record.doorKind != nil || record.opens != nil
                || record.isGlass == true
            let isGap = !isStated && record.widthMetres ?? 0 >= 2
            return isGap ? "opening" : "door"
        case .walk: return "opening"
        case .lift, .platformLift: return "lift"
        case .stairs: return "stairs"
        case .escalator: return "escalator"
        case .ramp: return "ramp"
        }
    }

    static func degrees(_ start: Point, _ end: Point) -> Double {
        let degrees = atan2(end.x - start.x, end.y - start.y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// The difference of two directions without its sign, at most 180.
    static func difference(_ one: Double, _ other: Double) -> Double {
        let rest = abs(one - other).truncatingRemainder(dividingBy: 360)
        return min(rest, 360 - rest)
    }

    // MARK: Paths

    /// The points of a connection in the order of its stops.
    func line(_ record: ConnectionRecord) -> [Point] {
        record.stops.count == 2
            ? [record.stops[0].point] + record.line + [record.stops[1].point]
            : record.stops.map(\.point)
    }

    /// All ways on foot that leave a point.
    func ways(at point: Point, on floor: FloorID?, withDoors: Bool = false) -> [Way] {
        stops(at: point, on: floor).flatMap { stop -> [Way] in
            let record = record(stop)
            guard record.kind != .lift, record.kind != .platformLift,
                record.kind != .door || withDoors
            else { return [] }
            let line = line(record)
            let place = record.stops.count == 2 && stop.stop == 1 ? line.count - 1 : stop.stop
            var ways: [Way] = []
            if place > 0, line[place].distance(to: line[place - 1]) > 0.01 {
                ways.append(
                    Way(
                        stop: stop, degrees: Self.degrees(line[place], line[place - 1]),
                        isForward: false))
            }
            if place + 1 < line.count, line[place].distance(to: line[place + 1]) > 0.01 {
                ways.append(
                    Way(
                        stop: stop, degrees: Self.degrees(line[place], line[place + 1]),
                        isForward: true))
            }
            return ways
        }
    }

    /// Goes along a way to the next stop: its metres, the stop, and the direction there.
    func along(_ way: Way) -> (metres: Double, stop: Stop, degrees: Double)? {
        let record = record(way.stop)
        let next = way.stop.stop + (way.isForward ? 1 : -1)
        guard record.stops.indices.contains(next) else { return nil }
        var points =
            record.stops.count == 2
            ? line(record) : [record.stops[way.stop.stop].point, record.stops[next].point]
        if record.stops.count == 2, !way.isForward { points.reverse() }
        let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        let last = Array(zip(points, points.dropFirst())).last { $0.distance(to: $1) > 0.01 }
        return (
            metres, Stop(connection: way.stop.connection, stop: next),
            last.map { Self.degrees($0, $1) } ?? way.degrees
        )
    }

    // MARK: Walls

    /// The corners of a room, anticlockwise.
    private func corners(_ room: RoomID) -> [Point] {
        guard let corners = rooms[room]?.outline.corners, corners.count > 2 else { return [] }
        let area = zip(corners, corners.dropFirst() + [corners[0]]).reduce(0) {
            $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
        }
        return area < 0 ? corners.reversed() : corners
    }

    private func edges(_ room: RoomID) -> [(start: Point, end: Point, before: Double)] {
        let corners = corners(room)
        var before = 0.0
        return corners.indices.map { index in
            let (start, end) = (corners[index], corners[(index + 1) % corners.count])
            defer { before += start.distance(to: end) }
            return (start, end, before)
        }
    }

    func circumference(_ room: RoomID) -> Double {
        edges(room).reduce(0) { $0 + $1.start.distance(to: $1.end) }
    }

    /// The nearest place of a room's wall: metres along it, the distance, and the way inwards.
    func touch(_ room: RoomID, from point: Point) -> (
        at: Double, metres: Double, inward: Double
    )? {
        edges(room).map { start, end, before in
            let length = start.distance(to: end)
            var share = 0.0
            if length > 0 {
                let dot =
                    (point.x - start.x) * (end.x - start.x)
                    + (point.y - start.y) * (end.y - start.y)
                share = min(1, max(0, dot / (length * length)))
            }
            let foot = Point(
                x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
            return (
                before + share * length, foot.distance(to: point),
                Self.degrees(start, end) - 90
            )
        }.min { $0.metres < $1.metres }
    }

    /// Walks straight on in a room, by small steps, until the metres are over or a wall is there.
    func straight(
        in room: RoomID, from point: Point, degrees: Double, metres: Double
    ) -> (point: Point, metres: Double, isWall: Bool) {
        guard let outline = Polygon(corners(room)) else { return (point, 0, true) }
        let (dx, dy) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        var (place, walked) = (point, 0.0)
        let step = 0.1
        while walked < metres {
            let next = Point(x: place.x + dx * step, y: place.y + dy * step)
            // At the start the traveller may stand in a doorway, in the line of the wall.
            if walked > 0.6, !outline.contains(next) { return (place, walked, true) }
            (place, walked) = (next, walked + step)
        }
        return (place, walked, false)
    }
}
