import Events
import Geometry
import Site

/// Turns openings into doors between the areas on their two sides.
extension IMDFAssembly {
    /// Metres from an opening at which a room is looked for, the nearest first, since walls are
    /// thick.
    private static let probes = [0.05, 0.2, 0.4, 0.7, 1.0]

    mutating func addOpenings() {
        for opening in features("opening") {
            guard let level = opening["level_id"].text, let floor = floorByID[level]?.id else {
                dangling(opening, "level_id")
                continue
            }
            guard let line = shapes.line(opening.geometry), let from = inBounds(line.first),
                let to = inBounds(line.last)
            else {
                report.note(opening.id, IMDFNote.malformedGeometry, "the opening has no line")
                continue
            }
            let middle = Self.middle(from, to)
            let sides = [1.0, -1].map { side(of: floor, from, to, middle, $0) }
            if sides[0] == sides[1], sides[0].room == nil {
                let detail = "there is no room on either side of the opening"
                report.note(opening.id, IMDFNote.doorLeadsNowhere, detail)
            }
            document.connections.append(door(opening, sides, width: from.distance(to: to)))
        }
    }

    static func middle(_ from: Point, _ to: Point) -> Point {
        func half(_ one: Double, _ other: Double) -> Double {
            ((one + other) * 5_000).rounded() / 10_000
        }
        return Point(x: half(from.x, to.x), y: half(from.y, to.y))
    }

    /// The stop on one side of an opening: in a room, on the rest of the floor, or outdoors.
    private func side(
        of floor: FloorID, _ from: Point, _ to: Point, _ middle: Point, _ sign: Double
    ) -> ConnectionStop {
        let length = max(from.distance(to: to), 1e-6)
        let (acrossX, acrossY) = (-(to.y - from.y) / length * sign, (to.x - from.x) / length * sign)
        func at(_ metres: Double) -> Point {
            Point(x: middle.x + acrossX * metres, y: middle.y + acrossY * metres)
        }
        for metres in Self.probes {
            guard let room = rooms.room(at: at(metres), on: floor) else { continue }
            return ConnectionStop(floor: floor, room: room.id, point: middle)
        }
        // Without an outline of the floor, everything outside its rooms counts as outdoors.
        let isInside = levelOutlines[floor]?.contains(at(1)) ?? false
        return ConnectionStop(floor: isInside ? floor : nil, point: middle)
    }

    private mutating func door(
        _ opening: IMDFFeature, _ sides: [ConnectionStop], width: Double
    ) -> ConnectionRecord {
        let named = labels(opening)
        var door = ConnectionRecord(
            id: ConnectionID(identifier(opening.id)), kind: .door, name: named?.name,
            names: named?.names ?? Translations(), stops: sides,
            accessible: accessible(opening), isAutomatic: opening["door"]["automatic"].bool,
            doorKind: opening["door"]["type"].text.flatMap(IMDFDoor.kind),
            isGlass: opening["door"]["material"].text == IMDFDoor.glass ? true : nil)
        let millimetres = (width * 1_000).rounded() / 1_000
        if SiteLimits.widthMetres.contains(millimetres) { door.widthMetres = millimetres }
        // An emergency exit opens only in an emergency, so no route may lead through it.
        if opening["category"].text == "emergencyexit" { door.openingHours = "off" }
        return door
    }
}

/// The words of IMDF for doors. The word `open` is not read: exporters write it for all doors.
enum IMDFDoor {
    static let glass = "glass"
    private static let words: [(word: String, kind: DoorKind)] = [
        ("swinging", .hinged), ("sliding", .sliding), ("revolving", .revolving),
    ]

    static func kind(_ word: String) -> DoorKind? { words.first { $0.word == word }?.kind }

    /// Nil for a kind that IMDF has no word for.
    static func word(_ kind: DoorKind?) -> String? { words.first { $0.kind == kind }?.word }
}
