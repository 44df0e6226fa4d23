import Events
import Geometry
import Site

extension SiteAssembly {
    /// Adds areas as rooms, one on each of their levels.
    mutating func addRooms() {
        var shaped: [(area: MapArea, polygon: Polygon, holes: [Polygon])] = []
        for area in contents.areas {
            do throws(OutlineFault) {
                let polygon = try nodes.outline(area.outer)
                let holes = holes(of: area, in: polygon)
                shaped.append((area, polygon, holes))
            } catch {
                report.note(area.id, error.what, error.detail)
            }
        }
        // Only areas that are tagged as indoor add floors to a building. A platform below the
        // street is no floor of the houses above.
        for (area, polygon, _) in shaped
        where area.facts.tags["indoor"] != nil && !area.isOwn {
            for level in area.levels { floors.addStorey(level, at: polygon.innerPoint) }
        }
        var made: [MapRoom] = []
        for (area, polygon, holes) in shaped {
            let levels = area.levels.isEmpty ? levelsOfTouchingPaths(area) : area.levels
            if levels.isEmpty {
                report.note(
                    area.id, .liftWithoutLevels, "neither it nor the paths to it have levels")
            }
            for level in levels.sorted() {
                let id = levels.count == 1 ? area.id : "\(area.id)-l\(level.text)"
                let room = MapRoom(
                    id: RoomID(id), area: area, level: level,
                    floor: area.floor ?? floors.floor(level, at: polygon.innerPoint),
                    polygon: polygon,
                    holes: holes)
                if add(record(room)), !MapWords.isSolid(area.kind) { made.append(room) }
            }
            let kinds = [
                "corridor": "corridors", "area": "areas", "platform": "platforms",
                "wall": "walls", "column": "columns",
            ]
            if !levels.isEmpty { count(kinds[area.kind] ?? "rooms", area.id) }
        }
        rooms = MapRooms(made)
        levels = PathLevels(contents, rings: rooms.openLevelsByNode)
        // These notes begin with those of the contents, which the report has already.
        report.append(notesOf: levels.report, after: contents.report)
    }

    private func record(_ room: MapRoom) -> RoomRecord {
        let facts = room.area.facts
        let sign = room.area.kind == "platform" ? PlatformSign(facts) : nil
        return RoomRecord(
            id: room.id, floor: room.floor, name: sign?.name ?? facts.name ?? "",
            names: sign?.names ?? facts.names,
            kind: kind(room.area.kind), outline: room.polygon.ring,
            holes: room.holes.map(\.ring), accessible: facts.accessible,
            isRestricted: facts.isClosed, openingHours: facts.text("opening_hours"),
            surface: facts.text("surface"), hasTactilePaving: facts.hasTactilePaving)
    }

    /// The inner edges that are valid and within the outline.
    private mutating func holes(of area: MapArea, in outline: Polygon) -> [Polygon] {
        var holes: [Polygon] = []
        for ring in area.inner {
            guard let hole = try? nodes.outline(ring), holes.count < SiteLimits.holesPerRoom,
                hole.corners.allSatisfy({ outline.distance(from: $0) < 0.001 })
            else {
                report.note(area.id, .holeNotKept, "an inner edge is not a hole within its outline")
                continue
            }
            holes.append(hole)
        }
        return holes
    }

    private func kind(_ word: String) -> String {
        word.utf8.count > SiteLimits.textBytes || hasControlCharacter(word) ? "room" : word
    }

    private func levelsOfTouchingPaths(_ area: MapArea) -> [MapLevel] {
        var found: Set<MapLevel> = []
        for node in area.outer {
            for use in levels.uses[node] ?? [] {
                if let level = levels.level(use) { found.insert(level) }
            }
        }
        return found.sorted()
    }

    /// The room that a path is in or leads into, at a node on its way to `neighbour`.
    func room(
        at node: Int64, _ level: MapLevel, _ floor: FloorID, toward neighbour: Int64?
    ) -> Int? {
        guard let point = nodes.point(node) else { return nil }
        let onEdge = rooms.rooms(at: NodeOnLevel(node: node, level: level))
        guard !onEdge.isEmpty else { return rooms.room(at: point, on: floor) }
        if let next = neighbour.flatMap(nodes.point) {
            let middle = Point(x: (point.x + next.x) / 2, y: (point.y + next.y) / 2)
            if let room = rooms.room(at: middle, on: floor) { return room }
        }
        let isDoor = MapWords.isDoor(nodes.tags(node))
        return onEdge.filter { rooms.rooms[$0].isOpen || !isDoor && rooms.rooms[$0].isEntered }
            .min { rooms.isSmaller($0, than: $1) }
    }

    /// The stop of a thing at a node.
    mutating func stop(
        at node: Int64, _ level: MapLevel?, toward neighbour: Int64?
    ) -> ConnectionStop {
        let point = nodes.point(node) ?? Point(x: 0, y: 0)
        stopLevels[node, default: []].insert(level)
        guard let level else { return ConnectionStop(floor: nil, point: point) }
        let floor = floors.floor(level, at: point)
        let room = room(at: node, level, floor, toward: neighbour)
        // A node on the edge of two buildings may be on a floor of the other one.
        if let room, rooms.rooms[room].floor != floor {
            return ConnectionStop(
                floor: rooms.rooms[room].floor, room: rooms.rooms[room].id, point: point)
        }
        return ConnectionStop(
            floor: floor, room: room.map { rooms.rooms[$0].id }, point: point)
    }
}
