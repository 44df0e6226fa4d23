public import Events
import Geometry
import Numbers

extension SiteDocument {
    /// Joins the locations of each room in pairs by walks, unless a walk joins them already. A walk
    /// stays in its room, so two locations with a wall between them are not joined.
    mutating func linkLocations() {
        var roomLocations: [RoomID: [LocationRecord]] = [:]
        for location in locations {
            if let room = location.room { roomLocations[room, default: []].append(location) }
        }
        var linked = Links(connections)
        for room in rooms {
            guard let locations = roomLocations[room.id], locations.count > 1 else { continue }
            let walls = RoomWalls(room)
            for (index, one) in locations.enumerated() {
                for other in locations[(index + 1)...] where one.point != other.point {
                    guard walls.canSee(one.point, other.point) else { continue }
                    if linked.insert(one, other) { connections.append(walk(one, other)) }
                }
            }
        }
    }

    mutating func link(_ one: LocationID, _ other: LocationID) throws(SiteRefusal) {
        let ends = [one, other].map { id in locations.first { $0.id == id } }
        guard let start = ends[0] else { throw .unknown(.location(one)) }
        guard let end = ends[1] else { throw .unknown(.location(other)) }
        guard start.floor == end.floor, one != other else { throw .notLinkable(one, other) }
        var linked = Links(connections)
        if linked.insert(start, end) { connections.append(walk(start, end)) }
    }

    private func walk(_ one: LocationRecord, _ other: LocationRecord) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(linking: one.id, other.id), kind: .walk,
            stops: [one, other].map {
                ConnectionStop(floor: $0.floor, room: $0.room, point: $0.point)
            })
    }
}

extension ConnectionID {
    /// The id of the walk between two locations, the same in either order: `link-` and a hash of
    /// the ids. The hash is FNV-1a in hexadecimal, since two ids may be too long for one.
    public init(linking one: LocationID, _ other: LocationID) {
        // No id contains a slash, so two different pairs never give the same text.
        let text = "\(min(one, other))/\(max(one, other))"
        let digits = String(FNV1a.hash(text.utf8), radix: 16)
        self.init("link-" + String(repeating: "0", count: 16 - digits.count) + digits)
    }
}

/// The pairs of points that a walk joins already.
private struct Links {
    private struct End: Hashable {
        var floor: FloorID?
        var point: Point
    }

    private var pairs: Set<Set<End>> = []

    init(_ connections: [ConnectionRecord]) {
        for connection in connections where connection.kind == .walk {
            guard let first = connection.stops.first, let last = connection.stops.last else {
                continue
            }
            pairs.insert([
                End(floor: first.floor, point: first.point),
                End(floor: last.floor, point: last.point),
            ])
        }
    }

    /// Returns false if the pair was joined before.
    mutating func insert(_ one: LocationRecord, _ other: LocationRecord) -> Bool {
        pairs.insert([
            End(floor: one.floor, point: one.point), End(floor: other.floor, point: other.point),
        ]).inserted
    }
}

/// The walls of a room, as obstacles within it.
private struct RoomWalls {
    private let edges: [(Point, Point)]
    private let outline: Polygon?
    private let holes: [Polygon]

    init(_ room: RoomRecord) {
        outline = room.outline.polygon
        holes = room.holes.compactMap(\.polygon)
        edges = ([outline].compactMap(\.self) + holes).flatMap { ring in
            zip(ring.corners, ring.corners.dropFirst() + ring.corners.prefix(1)).map { ($0, $1) }
        }
    }

    /// Whether the straight line between the points stays in the room. A room without an outline
    /// has no walls.
    func canSee(_ one: Point, _ other: Point) -> Bool {
        guard let outline else { return true }
        let middle = Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
        guard outline.contains(middle),
            !holes.contains(where: { $0.contains(middle) && $0.distanceToEdge(from: middle) > 0 })
        else { return false }
        return !edges.contains { crosses(one, other, $0.0, $0.1) }
    }

    /// Whether two segments cross inside both; touching does not count.
    private func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }

    /// The side of the line from `a` to `b` on which the point lies: 1, -1, or 0 on the line.
    private func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
        let cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        return abs(cross) < 1e-9 ? 0 : cross > 0 ? 1 : -1
    }
}
