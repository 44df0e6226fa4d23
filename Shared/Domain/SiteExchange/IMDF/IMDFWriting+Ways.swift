import Events
import Geometry
import Site

/// Writes openings, relationships and paths.
extension IMDFWriting {
    /// The width in metres of a door whose width is unknown: that of a usual doorway.
    private static let usualWidth = 0.9

    mutating func writeDoors() {
        var writing = self
        compare(
            \.connections,
            gone: { if writing.file(of: $0.id) == "opening" { writing.remove($0.id) } },
            changed: { old, new in
                if writing.file(of: new.id) == "opening" { writing.changeDoor(old, new) }
            },
            added: { if $0.kind == .door { writing.addDoor($0) } })
        self = writing
    }

    private mutating func changeDoor(_ old: ConnectionRecord, _ new: ConnectionRecord) {
        let label = labels(new.name, new.names)
        let isMoved =
            old.widthMetres != new.widthMetres
            || old.stops.map(\.point) != new.stops.map(\.point)
        let line = isMoved ? self.line(of: new) : nil
        let level = new.stops.compactMap(\.floor).first.map { featureID($0) }
        let wasOn = old.stops.compactMap(\.floor).first
        edit(new.id) { feature in
            if old.name != new.name || old.names != new.names { feature["name"] = label }
            if let line { feature.geometry = line }
            if old.accessible != new.accessible { feature.setAccessible(new.accessible) }
            if old.isAutomatic != new.isAutomatic { feature.setAutomatic(new.isAutomatic) }
            if old.doorKind != new.doorKind { feature.setKind(new.doorKind) }
            if old.isGlass != new.isGlass { feature.setGlass(new.isGlass) }
            if let level, wasOn != new.stops.compactMap(\.floor).first {
                feature["level_id"] = .text(level)
            }
            if (old.openingHours == "off") != (new.openingHours == "off") {
                feature["category"] = new.openingHours == "off" ? "emergencyexit" : "pedestrian"
            }
        }
    }

    private mutating func addDoor(_ door: ConnectionRecord) {
        guard let floor = door.stops.compactMap(\.floor).first, let line = line(of: door),
            let stop = door.stops.first
        else { return }
        let category: PropertyValue = door.openingHours == "off" ? "emergencyexit" : "pedestrian"
        var feature = IMDFFeature([
            "properties": [
                "category": category, "accessibility": nil, "access_control": nil, "door": nil,
                "name": labels(door.name, door.names), "alt_name": nil,
                "display_point": shapes.geometry(stop.point),
                "level_id": .text(featureID(floor)),
            ]
        ])
        feature.setAccessible(door.accessible)
        if door.isAutomatic != nil { feature.setAutomatic(door.isAutomatic) }
        if door.doorKind != nil { feature.setKind(door.doorKind) }
        if door.isGlass == true { feature.setGlass(true) }
        add("opening", door.id, geometry: line, feature.properties)
    }

    /// A line as wide as the door, along its wall.
    private func line(of door: ConnectionRecord) -> PropertyValue? {
        guard let stop = door.stops.first else { return nil }
        let middle = stop.point
        let ids = Set(door.stops.compactMap(\.room))
        let walls = after.rooms.filter { ids.contains($0.id) }.flatMap { room in
            zip(
                room.outline.corners,
                room.outline.corners.dropFirst() + room.outline.corners.prefix(1))
        }
        let wall = walls.min {
            middle.distance(toSegmentFrom: $0.0, to: $0.1)
                < middle.distance(toSegmentFrom: $1.0, to: $1.1)
        }
        let (from, to) = wall ?? (middle, Point(x: middle.x + 1, y: middle.y))
        let half = (door.widthMetres ?? Self.usualWidth) / 2 / max(from.distance(to: to), 1e-6)
        let (stepX, stepY) = ((to.x - from.x) * half, (to.y - from.y) * half)
        return shapes.geometry(line: [
            Point(x: middle.x - stepX, y: middle.y - stepY),
            Point(x: middle.x + stepX, y: middle.y + stepY),
        ])
    }

    mutating func writeClimbs() {
        var writing = self
        compare(
            \.connections,
            gone: {
                if writing.file(of: $0.id) == "relationship" { writing.remove($0.id) }
            },
            changed: { old, new in
                guard writing.file(of: new.id) == "relationship" else { return }
                writing.edit(new.id) { feature in
                    if old.isOneWay != new.isOneWay {
                        feature["direction"] = new.isOneWay ? "directed" : "undirected"
                    }
                    if old.openingHours != new.openingHours {
                        feature["hours"] = PropertyValue(new.openingHours)
                    }
                }
            },
            added: { writing.addClimb($0) })
        self = writing
    }

    private mutating func addClimb(_ connection: ConnectionRecord) {
        let category: PropertyValue
        switch connection.kind {
        case .lift, .platformLift: category = "elevator"
        case .stairs: category = "stairs"
        case .escalator: category = "escalator"
        case .ramp: category = "ramp"
        case .walk, .door: return
        }
        // A relationship joins features. A stop that is in no room has no feature.
        let rooms = connection.stops.compactMap(\.room)
        guard rooms.count == connection.stops.count, rooms.count >= 2, !has(connection.id)
        else { return }
        let units = rooms.map { room -> PropertyValue in
            ["id": .text(featureID(room)), "feature_type": "unit"]
        }
        guard rooms.allSatisfy(has) else { return }
        let between = units.dropFirst().dropLast()
        add(
            "relationship", connection.id, geometry: nil,
            [
                "category": category,
                "direction": connection.isOneWay ? "directed" : "undirected",
                "origin": units[0], "intermediary": between.isEmpty ? .null : .list(Array(between)),
                "destination": units[units.count - 1],
                "hours": PropertyValue(connection.openingHours),
            ])
    }

    /// Removed paths are removed from the lists of neighbours.
    mutating func writePaths() {
        var gone: Set<String> = []
        compare(
            \.connections, gone: { gone.insert($0.id.text) }, changed: { _, _ in },
            added: { _ in })
        guard !gone.isEmpty else { return }
        for point in features("navPath") {
            let neighbours = point["neighbours"].list
            let left = neighbours.filter {
                !gone.contains(joinedIdentifier(point.id, $0.text ?? ""))
            }
            if left.count < neighbours.count {
                edit(feature: point.id) { $0["neighbours"] = .list(left) }
            }
        }
    }
}

extension IMDFFeature {
    mutating func setAutomatic(_ isAutomatic: Bool?) {
        setDoor("automatic", isAutomatic.map(PropertyValue.bool) ?? .null)
    }

    mutating func setKind(_ kind: DoorKind?) {
        setDoor("type", .text(IMDFDoor.word(kind) ?? "unspecified"))
    }

    /// A door of another material keeps what is stated.
    mutating func setGlass(_ isGlass: Bool?) {
        if isGlass == true {
            setDoor("material", .text(IMDFDoor.glass))
        } else if self["door"]["material"].text == IMDFDoor.glass {
            setDoor("material", .null)
        }
    }

    private mutating func setDoor(_ member: String, _ value: PropertyValue) {
        var door = self["door"]
        if door.isNull { door = ["type": "unspecified", "automatic": nil, "material": nil] }
        door[member] = value
        self["door"] = door
    }
}
