import Events
import Geometry
import Site

extension SiteAssembly {
    /// Adds doors, entrances and gates that are nodes, and doors that are a piece of wall.
    mutating func addDoors() {
        for node in nodes.taggedIDs {
            let tags = nodes.tags(node)
            guard MapWords.isDoor(tags), !MapWords.isLift(tags), !contents.ownNodes.contains(node)
            else { continue }
            addDoor(node, TagFacts(tags))
        }
        for way in contents.doorWays { addDoor(way) }
    }

    private mutating func addDoor(_ node: Int64, _ facts: TagFacts) {
        let id = "n\(node)"
        var doors: [(suffix: String, stops: [ConnectionStop])] = []
        if let arms = cuts[node] {
            doors = [("", stops(ofGate: node, arms))]
        } else if rooms.isOnEdge(node) {
            let tagged = facts.tags["level"].flatMap(MapLevels.read)
            let found = rooms.levels(at: node).filter { tagged?.contains($0) ?? true }
            for level in found {
                for (number, stops) in stops(ofDoor: node, level).enumerated() {
                    let suffix = found.count == 1 ? "" : "-l\(level.text)"
                    doors.append((number == 0 ? suffix : "\(suffix)-\(number + 1)", stops))
                }
            }
        } else if let found = stops(ofDoorInWall: node, facts) {
            // If both sides are in one area, the door is a gap in a wall within it.
            guard found.contains(where: { $0.stops[0].room != $0.stops[1].room }) else {
                return count("doors", id)
            }
            doors = found
        } else if let places = stopLevels[node], places.count == 2, places.contains(nil),
            let level = places.compactMap({ $0 }).first
        {
            doors = [
                ("", [stop(at: node, nil, toward: nil), stop(at: node, level, toward: nil)])
            ]
        }
        for (suffix, stops) in doors { add(door(id + suffix, facts, stops)) }
        if doors.isEmpty {
            report.note(id, .doorLeadsNowhere, "one of its sides has no room and no path")
        } else {
            count("doors", id)
        }
    }

    private func door(
        _ id: String, _ facts: TagFacts, _ stops: [ConnectionStop]
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(id), kind: .door, name: facts.name, names: facts.names, stops: stops,
            accessible: facts.accessible, widthMetres: facts.widthMetres,
            kerbMetres: facts.kerbMetres, isAutomatic: facts.isAutomatic,
            doorKind: facts.doorKind, isGlass: facts.isGlass,
            hasTactilePaving: facts.hasTactilePaving, openingHours: facts.openingHours)
    }

    private mutating func stops(ofGate node: Int64, _ arms: [Int64]) -> [ConnectionStop] {
        let level = (levels.uses[node] ?? []).first.flatMap { levels.level($0) }
        return arms.compactMap { reach(node, toward: $0) }.map { stop(at: $0, level) }
    }

    /// The two sides of a door in the edge of rooms on a level. If there are several rooms, the
    /// most open one has a door to each of the others.
    private mutating func stops(ofDoor node: Int64, _ level: MapLevel) -> [[ConnectionStop]] {
        let onEdge = rooms.rooms(at: NodeOnLevel(node: node, level: level)).sorted { left, right in
            let (first, second) = (rooms.rooms[left], rooms.rooms[right])
            if first.isOpen != second.isOpen { return first.isOpen }
            return rooms.isSmaller(right, than: left)
        }
        guard let point = nodes.point(node), let main = onEdge.first else { return [] }
        if onEdge.count > 1 {
            for other in onEdge.dropFirst() { joined.insert([main, other].sorted()) }
            return onEdge.dropFirst().map { [stop(in: main, point), stop(in: $0, point)] }
        }
        if let other = roomBehind(main, point) {
            joined.insert([main, other].sorted())
            return [[stop(in: main, point), stop(in: other, point)]]
        }
        let inside = stop(in: main, point)
        let isOnPath = stopLevels[node]?.contains(level) ?? false
        if isOnPath {
            return [[inside, ConnectionStop(floor: inside.floor, point: point)]]
        }
        let leadsOut =
            stopLevels[node]?.contains(nil) ?? false || level == .ground
            || nodes.tags(node)["entrance"] != nil
        guard leadsOut else { return [] }
        return [[inside, ConnectionStop(floor: nil, point: point)]]
    }

    func stop(in room: Int, _ point: Point) -> ConnectionStop {
        let room = rooms.rooms[room]
        return ConnectionStop(floor: room.floor, room: room.id, point: point)
    }

    /// Another room around the door, such as the hall around a booth, or one whose wall is drawn
    /// within 30 cm of the door.
    private func roomBehind(_ room: Int, _ point: Point) -> Int? {
        let floor = rooms.rooms[room].floor
        let reach = 0.3
        let around = [
            (0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach),
        ].map { Point(x: point.x + $0.0, y: point.y + $0.1) }
        let found = around.flatMap { rooms.all(at: $0, on: floor) }.filter { $0 != room }
        return found.min { rooms.isSmaller($0, than: $1) }
    }

    /// Adds a door that is drawn as a piece of the wall between two rooms.
    private mutating func addDoor(_ way: MapPath) {
        let (first, last) = (way.nodes[0], way.nodes[way.nodes.count - 1])
        guard let from = nodes.point(first), let to = nodes.point(last) else { return }
        let middle = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2).roundedToMillimetres
        var isPlaced = false
        for level in way.levels {
            let here = Set(rooms.rooms(at: NodeOnLevel(node: first, level: level)))
            let both = rooms.rooms(at: NodeOnLevel(node: last, level: level)).filter(here.contains)
            guard both.count == 2 else { continue }
            var record = door(
                way.levels.count == 1 ? way.id : "\(way.id)-l\(level.text)", way.facts,
                both.map { stop(in: $0, middle) })
            record.widthMetres = way.facts.widthMetres ?? width(from, to)
            add(record)
            joined.insert(both.sorted())
            isPlaced = true
        }
        if isPlaced {
            count("doors", way.id)
        } else {
            report.note(way.id, .doorLeadsNowhere, "its wall is not between two rooms")
        }
    }

    func width(_ from: Point, _ to: Point) -> Double? {
        let length = (from.distance(to: to) * 100).rounded() / 100
        return SiteLimits.widthMetres.contains(length) ? length : nil
    }
}
