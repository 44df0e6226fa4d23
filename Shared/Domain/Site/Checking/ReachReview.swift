import Events
import Geometry

/// Finds rooms that no connection joins to the rest of the site. One-way doors, steps and opening
/// hours count as open here.
struct ReachReview {
    /// Kinds of rooms that nobody can enter: importers keep walls and voids as rooms.
    private static let solidKinds: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood",
        "wall",
    ]
    /// Metres from the wall at which the end of a path counts as inside a room.
    private static let clearance = 0.05

    private(set) var findings: [ReviewFinding] = []

    private let site: SiteIndex
    private var parts: DisjointSets
    private var places: [Place: Int] = [:]
    /// For each room, the connections that name it or end in it.
    private var openings: [[ConnectionID]]
    /// The node of the first connection; the nodes before it are rooms.
    private let firstConnection: Int

    /// A point where connections meet, to the millimetre.
    private struct Place: Hashable {
        let floor: FloorID?
        let x: Int
        let y: Int
    }

    init(_ site: SiteIndex) {
        self.site = site
        firstConnection = site.rooms.count
        parts = DisjointSets(count: site.rooms.count + site.document.connections.count)
        openings = Array(repeating: [], count: site.rooms.count)
        guard !site.document.connections.isEmpty else {
            if site.rooms.count > 1 {
                findings = [
                    ReviewFinding(
                        .noConnections, .warning, [],
                        "The site has no doors, stairs or paths, so no way leads anywhere.")
                ]
            }
            return
        }
        joinAreas()
        for (index, connection) in site.document.connections.enumerated() {
            for stop in connection.stops { join(stop, of: connection, index) }
        }
        judge()
    }

    /// Joins each open area to the room that it lies in.
    private mutating func joinAreas() {
        for (index, room) in site.rooms.enumerated() where room.kind == "area" {
            guard let outline = site.outline(RoomIndex(index)),
                let floor = site.floorIndex(room.floor)
            else { continue }
            let around = site.rooms(at: outline.corners[0], on: floor).first { other in
                guard let polygon = site.outline(other), other.value != index else { return false }
                return polygon.area > outline.area
                    && outline.corners.allSatisfy { polygon.contains($0) }
            }
            if let around { parts.join(index, around.value) }
        }
    }

    private mutating func join(
        _ stop: ConnectionStop, of connection: ConnectionRecord, _ index: Int
    ) {
        let node = firstConnection + index
        if let room = stop.room.flatMap(site.roomIndex) ?? roomAround(stop, connection.kind) {
            parts.join(node, room.value)
            openings[room.value].append(connection.id)
            // The door ends in this room. Other connections at the same point may be on the other
            // side of the wall, so they are not joined.
            if connection.kind == .door { return }
        }
        let place = place(stop)
        if let known = places[place] {
            parts.join(node, known)
        } else {
            places[place] = node
        }
    }

    private func place(_ stop: ConnectionStop) -> Place {
        Place(
            floor: stop.floor, x: Int((stop.point.x * 1_000).rounded()),
            y: Int((stop.point.y * 1_000).rounded()))
    }

    private func roomAround(
        _ stop: ConnectionStop, _ kind: ConnectionRecord.Kind
    ) -> RoomIndex? {
        guard kind != .door, let floor = stop.floor.flatMap(site.floorIndex) else { return nil }
        let point = stop.point
        guard let room = site.room(at: point, on: floor), let outline = site.outline(room),
            outline.distanceToEdge(from: point) > Self.clearance
        else { return nil }
        return room
    }

    private mutating func judge() {
        var roomsOfPart: [Int: Int] = [:]
        var waysOfPart: [Int: Int] = [:]
        var outdoors: Set<Int> = []
        for index in site.rooms.indices { roomsOfPart[parts.root(index), default: 0] += 1 }
        for (index, connection) in site.document.connections.enumerated() {
            let part = parts.root(firstConnection + index)
            waysOfPart[part, default: 0] += 1
            if connection.stops.contains(where: { $0.floor == nil }) { outdoors.insert(part) }
        }
        let candidates = outdoors.isEmpty ? Set(waysOfPart.keys) : outdoors
        let main = candidates.max { one, other in
            let left = (roomsOfPart[one] ?? 0, waysOfPart[one] ?? 0, -one)
            let right = (roomsOfPart[other] ?? 0, waysOfPart[other] ?? 0, -other)
            return left < right
        }
        if outdoors.isEmpty, !site.rooms.isEmpty {
            findings.append(
                ReviewFinding(
                    .nothingLeadsOutdoors, .warning, [], "No door or path leads outdoors."))
        }
        for (index, room) in site.rooms.enumerated() {
            let part = parts.root(index)
            guard part != main, !Self.solidKinds.contains(room.kind) else { continue }
            findings.append(
                openings[index].isEmpty && roomsOfPart[part] == 1
                    ? closed(room)
                    : cutOff(room, index, rooms: roomsOfPart[part] ?? 1, outdoors.contains(part)))
        }
    }

    private func closed(_ room: RoomRecord) -> ReviewFinding {
        ReviewFinding(
            .roomWithoutOpening, .warning, [.room(room.id)],
            "\(Self.name(room)) has no door or other opening, so no way leads there.")
    }

    private func cutOff(
        _ room: RoomRecord, _ index: Int, rooms: Int, _ isOutdoors: Bool
    ) -> ReviewFinding {
        let others = rooms == 1 ? "" : " with \(rooms - 1) other rooms"
        let reason =
            isOutdoors
            ? "its doors lead outdoors, but no path leads on to the rest of the site"
            : "no way leads from there to the outdoors or to the rest of the site"
        let ways = openings[index].prefix(20).map(ReviewFinding.Subject.connection)
        return ReviewFinding(
            .roomCutOff, .warning, [.room(room.id)] + ways,
            "\(Self.name(room)) is cut off\(others): \(reason).")
    }

    static func name(_ room: RoomRecord) -> String {
        room.name.isEmpty ? "The \(room.kind) \(room.id)" : "\(room.name) (\(room.id))"
    }
}
