public import Events
import Site

/// What things are called in one language, or else as their records name them. Ids are never
/// spoken: what has no name is called by what it is.
public struct DirectionNames: Sendable {
    let guide: RouteGuide
    /// A BCP 47 language tag.
    public let language: String

    /// What people call the room; nil where nobody has named it.
    public func named(_ id: RoomID) -> String? {
        guard let room = guide.site.room(id) else { return nil }
        return spoken(room.names.text(in: language) ?? room.name, id.text)
    }

    /// What the room is, where it has no name; one that the site lacks is a room.
    public func kind(_ id: RoomID) -> SpokenKind {
        SpokenKind(guide.site.room(id)?.kind ?? "")
    }

    /// Nil for a building that nobody has named.
    public func building(_ id: BuildingID) -> String? {
        guard let building = guide.site.building(id) else { return nil }
        return spoken(building.names.text(in: language) ?? building.name, id.text)
    }

    /// Nil for a connection that nobody has named.
    public func connection(_ id: ConnectionID) -> String? {
        guard let connection = guide.connection(id) else { return nil }
        return (connection.names.text(in: language) ?? connection.name).flatMap {
            spoken($0, id.text)
        }
    }

    /// What the sign says, and what the floor is called in full where that says more.
    public func floor(_ id: FloorID) -> (level: String, name: String?) {
        guard let floor = guide.site.floor(id) else { return ("", nil) }
        let level = spoken(floor.level, id.text) ?? String(floor.ordinal)
        let name = floor.names.text(in: language).flatMap { spoken($0, id.text) }
        // "Level 2" says no more than the 2 on the sign.
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

/// Whether a name is one that people say: not empty, and no id that a program has made up and a
/// file without names left in its place, such as a UUID or `w123456` of OpenStreetMap.
func isSpoken(_ name: String, id: String) -> Bool {
    guard name.utf8.contains(where: isVisible) || name.contains(where: { !$0.isWhitespace }) else {
        return false
    }
    if isUniversallyUnique(name) { return false }
    guard name == id, let first = name.first, "nwr".contains(first) else { return true }
    let digits = name.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return digits.count < 4
}

/// Whether a byte of UTF-8 is an ASCII letter, digit or sign: most names are told by looking at
/// these.
private func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

/// Whether the text is a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12.
private func isUniversallyUnique(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
}
