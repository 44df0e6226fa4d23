import Events
import Geometry
import Site

extension SiteAssembly {
    /// Half the width of a door whose width is not tagged, in metres.
    private static let halfDoorMetres = 0.45

    /// Adds walls within an open area as rooms of the kind `wall`, which no route crosses; doors in
    /// them are gaps. Walls along the edges of rooms belong to the rooms.
    mutating func addWalls() {
        for wall in contents.walls where wall.nodes.count < SiteLimits.cornersPerRoom / 2 {
            for level in wall.levels {
                var number = 0
                for piece in pieces(of: wall) {
                    guard let outline = WallShape.outline(piece),
                        let room = areaAround(outline, piece, level)
                    else { continue }
                    number += 1
                    let suffix =
                        (wall.levels.count == 1 ? "" : "-l\(level.text)")
                        + (number == 1 ? "" : "-\(number)")
                    let record = RoomRecord(
                        id: RoomID(wall.id + suffix), floor: rooms.rooms[room].floor, name: "",
                        kind: "wall", outline: outline.ring)
                    if add(record) { count("wallsWithinAreas", wall.id) }
                }
            }
        }
    }

    /// The wall cut at its doors.
    private func pieces(of wall: MapWall) -> [[Point]] {
        var pieces: [[Point]] = []
        var piece: [Point] = []
        for (position, node) in wall.nodes.enumerated() {
            guard let point = nodes.point(node) else { continue }
            let tags = nodes.tags(node)
            guard MapWords.isDoor(tags), !TagFacts(tags).isClosed else {
                piece.append(point)
                continue
            }
            let half = TagFacts(tags).widthMetres.map { $0 / 2 } ?? Self.halfDoorMetres
            if let before = piece.last { piece.append(point.moved(toward: before, by: half)) }
            pieces.append(piece)
            piece = []
            if position + 1 < wall.nodes.count, let after = nodes.point(wall.nodes[position + 1]) {
                piece = [point.moved(toward: after, by: half)]
            }
        }
        return pieces + [piece]
    }

    /// The smallest open area that contains the wall.
    private func areaAround(_ outline: Polygon, _ line: [Point], _ level: MapLevel) -> Int? {
        let (first, second) = (line[0], line[1])
        let middle = Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2)
        guard let floor = floors.knownFloor(level, at: middle) else { return nil }
        return rooms.all(at: middle, on: floor).filter { index in
            let room = rooms.rooms[index]
            // A wall on the edge belongs to the area itself.
            return room.isOpen && room.polygon.distanceToEdge(from: middle) > 0.1
                && outline.corners.allSatisfy { room.contains($0) }
        }.min { rooms.isSmaller($0, than: $1) }
    }

    /// The two sides of a door in a wall between areas or within one, on each level. Nil if no wall
    /// has an area on both sides.
    mutating func stops(
        ofDoorInWall node: Int64, _ facts: TagFacts
    ) -> [(suffix: String, stops: [ConnectionStop])]? {
        let tagged = facts.tags["level"].flatMap(MapLevels.read)
        let levels = walls.levels(at: node).filter { tagged?.contains($0) ?? true }
        let doors = levels.compactMap { level in
            stops(ofDoorInWall: node, level).map {
                (suffix: levels.count == 1 ? "" : "-l\(level.text)", stops: $0)
            }
        }
        return doors.isEmpty ? nil : doors
    }

    private mutating func stops(ofDoorInWall node: Int64, _ level: MapLevel) -> [ConnectionStop]? {
        guard let point = nodes.point(node), let floor = floors.knownFloor(level, at: point),
            let sides = walls.sides(of: node, level, metres: 0.3, nodes)
        else { return nil }
        let found = sides.compactMap { rooms.room(at: $0, on: floor) }
        guard found.count == 2 else { return nil }
        if found[0] != found[1] { joined.insert(found.sorted()) }
        return found.map { stop(in: $0, point) }
    }
}

extension Point {
    /// Moved at most as far as the other point.
    fileprivate func moved(toward other: Point, by metres: Double) -> Point {
        let length = distance(to: other)
        let share = length > 0 ? min(1, metres / length) : 0
        return Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
    }
}
