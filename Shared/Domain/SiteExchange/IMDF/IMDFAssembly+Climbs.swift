import Events
import Geometry
import Site

/// Adds connections between levels: those of relationships, or else between units above each other.
extension IMDFAssembly {
    mutating func addRelationships() {
        for relationship in features("relationship") {
            let category = relationship["category"].text ?? ""
            if let climb = IMDFClimb(relationship: category) {
                add(relationship, climb)
            } else if category.hasPrefix("traversal") {
                addTraversal(relationship)
            } else {
                let detail = "its category \(cleaned(category).prefix(40)) is not supported"
                report.note(relationship.id, IMDFNote.factNotKept, detail)
            }
        }
    }

    private func references(_ relationship: IMDFFeature) -> [PropertyValue] {
        [relationship["origin"]] + relationship["intermediary"].list
            + [relationship["destination"]]
    }

    private mutating func add(_ relationship: IMDFFeature, _ climb: IMDFClimb) {
        let named = references(relationship).compactMap { $0["id"].text }
        let found = named.compactMap { rooms[identifier($0)] }
        if found.count < named.count { dangling(relationship, "origin or destination") }
        let stops = found.map(stop)
        guard Set(stops.compactMap(\.floor)).count >= 2 else {
            let detail = "it has fewer than two known levels, so it is left out"
            report.note(relationship.id, IMDFNote.liftWithoutLevels, detail)
            return
        }
        for room in found { climbed.insert(room.id) }
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID(identifier(relationship.id)), kind: climb.kind,
                stops: Array(stops.prefix(SiteLimits.stopsPerConnection)),
                isOneWay: relationship["direction"].text == "directed",
                openingHours: text(relationship["hours"], of: relationship)))
    }

    /// Adds a connection between two rooms of a level. It often leads through an opening, which may
    /// be one-way.
    private mutating func addTraversal(_ relationship: IMDFFeature) {
        let ends = [relationship["origin"], relationship["destination"]]
            .compactMap { $0["id"].text }
        let found = ends.compactMap { rooms[identifier($0)] }
        guard found.count == 2, found[0].id != found[1].id else {
            return dangling(relationship, "origin or destination")
        }
        let isOneWay = relationship["direction"].text == "directed"
        for opening in relationship["intermediary"].list.compactMap({ $0["id"].text }) {
            guard
                let index = document.connections.firstIndex(where: {
                    $0.id.text == identifier(opening)
                })
            else { continue }
            // The opening is a door already; the relationship only adds facts to it.
            for (side, room) in found.enumerated() {
                document.connections[index].stops[side].room = room.id
                document.connections[index].stops[side].floor = room.floor
            }
            document.connections[index].isOneWay = isOneWay
            return
        }
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID(identifier(relationship.id)), kind: .walk, stops: found.map(stop),
                isOneWay: isOneWay, openingHours: text(relationship["hours"], of: relationship)))
    }

    /// A stop in the middle of a room.
    func stop(_ room: RoomRecord) -> ConnectionStop {
        let point = middle(of: room)
        return ConnectionStop(floor: room.floor, room: room.id, point: point)
    }

    private func middle(of room: RoomRecord) -> Point {
        guard let polygon = room.outline.polygon else { return Point(x: 0, y: 0) }
        let centre = polygon.centroid
        func round(_ metres: Double) -> Double { (metres * 10_000).rounded() / 10_000 }
        let point = Point(x: round(centre.x), y: round(centre.y))
        // The centre of an L-shaped room may be outside it. A corner is better than a point in
        // another room.
        return polygon.contains(point) ? point : polygon.corners[0]
    }

    /// Adds lifts and stairs without relationships: each is joined to the unit of the same kind
    /// above it on the next level of its building.
    mutating func addStacks() {
        let ordinals = Dictionary(
            document.floors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (kind, climb) in IMDFCategories.climbOfKind.sorted(by: { $0.key < $1.key }) {
            let candidates = document.rooms.filter {
                $0.kind == kind && !$0.outline.isEmpty && !climbed.contains($0.id)
            }
            var byStorey: [BuildingID: [Int: [RoomRecord]]] = [:]
            for room in candidates {
                guard let floor = ordinals[room.floor] else { continue }
                byStorey[floor.building, default: [:]][floor.ordinal, default: []].append(room)
            }
            for (_, storeys) in byStorey.sorted(by: { $0.key < $1.key }) {
                stack(storeys, climb)
            }
        }
    }

    private mutating func stack(_ storeys: [Int: [RoomRecord]], _ climb: IMDFClimb) {
        var above: [RoomID: [RoomRecord]] = [:]
        var isAbove: Set<RoomID> = []
        for (ordinal, rooms) in storeys.sorted(by: { $0.key < $1.key }) {
            for room in rooms {
                let over = (storeys[ordinal + 1] ?? []).filter { overlap($0, room) }
                above[room.id] = over
                for other in over { isAbove.insert(other.id) }
            }
        }
        for (_, rooms) in storeys.sorted(by: { $0.key < $1.key }) {
            for room in rooms {
                if climb == .lift {
                    if !isAbove.contains(room.id) { addShaft(from: room, above) }
                } else {
                    for other in above[room.id] ?? [] {
                        guess([room, other], joinedIdentifier(room.id.text, other.id.text), climb)
                    }
                }
            }
        }
    }

    /// Adds a lift from its lowest level upwards, through all units above it.
    private mutating func addShaft(from lowest: RoomRecord, _ above: [RoomID: [RoomRecord]]) {
        var shaft = [lowest]
        while let next = above[shaft[shaft.count - 1].id]?.first,
            shaft.count < SiteLimits.stopsPerConnection
        {
            shaft.append(next)
        }
        guard shaft.count >= 2 else {
            let detail = "this lift has no other level"
            report.note(lowest.id.text, IMDFNote.liftWithoutLevels, detail)
            return
        }
        guess(shaft, lowest.id.text, .lift)
    }

    private mutating func guess(_ rooms: [RoomRecord], _ id: String, _ climb: IMDFClimb) {
        report.note(
            rooms[0].id.text, IMDFNote.guessedConnection,
            "it is guessed to lead to \(rooms[rooms.count - 1].id) above it")
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID(id), kind: climb.kind, stops: rooms.map(stop)))
    }

    private func overlap(_ one: RoomRecord, _ other: RoomRecord) -> Bool {
        guard let first = one.outline.polygon, let second = other.outline.polygon else {
            return false
        }
        return first.contains(second.centroid) || second.contains(first.centroid)
    }
}

/// An id for two features together: their 32 digits each, which is the longest allowed id.
func joinedIdentifier(_ one: String, _ other: String) -> String {
    [one, other].sorted().map { $0.filter { $0 != "-" } }.joined()
}
