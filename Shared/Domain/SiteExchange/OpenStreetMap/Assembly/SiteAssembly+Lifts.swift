import Events
import Geometry
import Site

extension SiteAssembly {
    /// Adds lifts that are nodes.
    mutating func addLifts() {
        for node in nodes.taggedIDs
        where MapWords.isLift(nodes.tags(node)) && !contents.ownNodes.contains(node) {
            let id = "n\(node)"
            let facts = TagFacts(nodes.tags(node))
            guard let places = places(ofLift: node, id) else {
                report.note(
                    id, .liftWithoutLevels, "neither it nor the paths to it have two levels")
                continue
            }
            let stops = places.map { stop(at: node, $0, toward: nil) }
            roomsWithShafts.formUnion(stops.compactMap(\.room))
            add(lift(id, facts, stops))
            count("lifts", id)
        }
    }

    /// The levels of the lift or of the paths at it, ascending; a nil among them is outdoors. Nil
    /// if there are fewer than two.
    private mutating func places(ofLift node: Int64, _ id: String) -> [MapLevel?]? {
        let uses = levels.uses[node] ?? []
        let own = Set(levels.levels(at: node))
        let used = Set(uses.map { levels.level($0) })
        var places: [MapLevel?] = Array(own.union(used.compactMap { $0 }).sorted())
        if used.contains(nil) { places.insert(nil, at: 0) }
        if places.count == 1, !uses.isEmpty, places[0] != .ground, places[0] != nil {
            places.insert(nil, at: 0)
            report.note(id, .guessedLevel, "its lower end is guessed to be outdoors")
        }
        return places.count < 2 ? nil : Array(places.prefix(SiteLimits.stopsPerConnection))
    }

    func lift(_ id: String, _ facts: TagFacts, _ stops: [ConnectionStop]) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(id), kind: .lift, name: facts.name, names: facts.names, stops: stops,
            accessible: facts.accessible, widthMetres: facts.widthMetres,
            isAutomatic: facts.isAutomatic, openingHours: facts.openingHours)
    }

    /// Adds lifts and stairs that are areas, as connections through their rooms, unless one is
    /// drawn within.
    mutating func addShafts() {
        var roomsOfArea: [String: [MapRoom]] = [:]
        for room in rooms.rooms
        where !room.area.isOwn && (room.area.kind == "lift" || room.area.kind == "stairs") {
            roomsOfArea[room.area.id, default: []].append(room)
        }
        for (id, rooms) in roomsOfArea.sorted(by: { $0.key < $1.key }) {
            guard rooms.allSatisfy({ !roomsWithShafts.contains($0.id) }) else { continue }
            let facts = rooms[0].area.facts
            let point = rooms[0].polygon.innerPoint.roundedToMillimetres
            let stops = rooms.sorted { $0.level < $1.level }.map { room in
                ConnectionStop(floor: room.floor, room: room.id, point: point)
            }
            guard Set(stops.map(\.floor)).count > 1 else {
                if rooms[0].area.kind == "lift" {
                    report.note(id, .liftWithoutLevels, "it is on one floor only")
                }
                continue
            }
            if rooms[0].area.kind == "lift" {
                add(lift(id, facts, Array(stops.prefix(SiteLimits.stopsPerConnection))))
                count("lifts", id)
            } else {
                for (lower, upper) in zip(stops, stops.dropFirst()) {
                    guard let floor = lower.floor else { continue }
                    add(
                        ConnectionRecord(
                            id: ConnectionID("\(id)-\(floor)"), kind: .stairs, name: facts.name,
                            names: facts.names, stops: [lower, upper],
                            accessible: facts.accessible, widthMetres: facts.widthMetres,
                            openingHours: facts.openingHours))
                }
                count("stairs", id)
            }
        }
    }
}
