public import Events
import Site
import Wayfinding

/// The names of rooms, buildings, floors and connections in one language, or else as their records
/// name them. Ids are never spoken: a thing without a name is called by its kind.
public struct DirectionNames: Sendable {
    let guide: RouteGuide
    /// The BCP 47 tag of the language that names are in.
    public let language: String

    /// The room's name; nil if it has none that people use.
    public func named(_ id: RoomID) -> String? {
        guard let room = guide.site.room(id) else { return nil }
        return spoken(room.names.text(in: language) ?? room.name, id.text)
    }

    /// The room's kind, for a room without a name. A room that the site lacks has the kind `room`.
    public func kind(_ id: RoomID) -> SpokenKind {
        SpokenKind(guide.site.room(id)?.kind ?? "")
    }

    /// The name of a place that is asked for by a name of its own: a location, an entry of the
    /// directory or a zone. Nil for other places, and for one without a name.
    func asked(_ place: RoutePlace?) -> String? {
        switch place {
        case .entry(let id): return entry(id)
        case .location(let id):
            guard let location = guide.site.location(id) else { return nil }
            return (location.names.text(in: language) ?? location.name).flatMap {
                spoken($0, id.text)
            }
        case .zone(let id):
            guard let zone = guide.site.document.zones.first(where: { $0.id == id }) else {
                return nil
            }
            return spoken(zone.names.text(in: language) ?? zone.name, id.text)
        default: return nil
        }
    }

    /// The name of an entry of the directory; nil if there is no such entry.
    public func entry(_ id: DirectoryID) -> String? {
        guard let entry = guide.site.document.directory.first(where: { $0.id == id }) else {
            return nil
        }
        return spoken(entry.names.text(in: language) ?? entry.name, id.text)
    }

    /// The number of steps of stairs, if it is stated.
    func steps(of id: ConnectionID) -> Int? { guide.connection(id)?.steps }

    /// The levels that a way between floors joins, the lowest first; empty on one floor and
    /// outdoors.
    func levels(of id: ConnectionID) -> [FloorID] {
        let floors = Set(guide.connection(id)?.stops.compactMap(\.floor) ?? [])
        guard floors.count > 1 else { return [] }
        return floors.sorted {
            (guide.site.floor($0)?.ordinal ?? 0, $0.text)
                < (guide.site.floor($1)?.ordinal ?? 0, $1.text)
        }
    }

    /// Nil for a building without a name.
    public func building(_ id: BuildingID) -> String? {
        guard let building = guide.site.building(id) else { return nil }
        return spoken(building.names.text(in: language) ?? building.name, id.text)
    }

    /// Nil for a connection without a name.
    public func connection(_ id: ConnectionID) -> String? {
        guard let connection = guide.connection(id) else { return nil }
        return (connection.names.text(in: language) ?? connection.name).flatMap {
            spoken($0, id.text)
        }
    }

    /// The level on the floor's sign, and the floor's full name if it adds something to the level.
    public func floor(_ id: FloorID) -> (level: String, name: String?) {
        guard let floor = guide.site.floor(id) else { return ("", nil) }
        let level = spoken(floor.level, id.text) ?? String(floor.ordinal)
        let name = floor.names.text(in: language).flatMap { spoken($0, id.text) }
        // The name "Level 2" adds nothing to a sign with 2 on it.
        let words = name?.lowercased().split { !$0.isLetter && !$0.isNumber } ?? []
        return (level, words.contains { $0 == level.lowercased() } ? nil : name)
    }

    private func spoken(_ name: String, _ id: String) -> String? {
        guard isSpoken(name, id: id) else { return nil }
        if let first = name.utf8.first, let last = name.utf8.last, isVisible(first), isVisible(last)
        {
            return name
        }
        let start = name.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// Whether people would use the name: it is not empty, and no program made it up. Files without
/// names have such ids in their place, for example a UUID or `w123456` of OpenStreetMap.
func isSpoken(_ name: String, id: String) -> Bool {
    guard name.utf8.contains(where: isVisible) || name.contains(where: { !$0.isWhitespace }) else {
        return false
    }
    if isUniversallyUnique(name) { return false }
    guard name == id, let first = name.first, "nwr".contains(first) else { return true }
    let digits = name.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return digits.count < 4
}

/// Whether a byte of UTF-8 is a visible ASCII character. Most names are recognised by such bytes.
private func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

/// Whether the text is a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12.
private func isUniversallyUnique(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
}
