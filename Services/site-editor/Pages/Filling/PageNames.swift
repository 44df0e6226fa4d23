import Events
import Geometry
import Site
import Wire

/// The names of a site's things as a page shows them. The site is the part that its reader sees.
struct PageNames: Sendable {
    let index: SiteIndex
    let words: PageWords
    let language: String
    /// Whether more buildings than one have floors.
    private let hasStoreyedBuildings: Bool
    /// The kinds of all rooms, of the entries with a place, and of lifts and the like.
    private let kinds: Set<String>

    private var document: SiteDocument { index.document }

    init(index: SiteIndex, words: PageWords, language: String) {
        self.index = index
        self.words = words
        self.language = language
        let first = index.floors.first?.building
        hasStoreyedBuildings = index.floors.contains { $0.building != first }
        var kinds = Set(index.rooms.lazy.map(\.kind))
        for entry in index.document.directory where !entry.places.isEmpty {
            kinds.insert(entry.kind)
        }
        for connection in index.document.connections where PlaceKind(connection.kind) != nil {
            kinds.insert(connection.kind.rawValue)
        }
        self.kinds = kinds
    }

    // MARK: Rooms, entries and kinds

    /// A name in the reader's language; nil for things without one.
    private func name(_ names: Translations, _ plain: String?, id: String = "") -> String? {
        let name = (names.text(in: language) ?? plain ?? "").trimmed
        // Imports give an id to what the map has no name for.
        return name.isEmpty || name == id ? nil : name
    }

    /// The room's name, or else the word for its kind.
    func room(_ room: RoomRecord) -> String { ownName(room) ?? kind(room.kind) }

    func hasName(_ room: RoomRecord) -> Bool { ownName(room) != nil }

    func ownName(_ room: RoomRecord) -> String? {
        name(room.names, room.name, id: room.id.text)
    }

    func ownName(_ building: BuildingRecord) -> String? {
        name(building.names, building.name, id: building.id.text)
    }

    func entry(_ entry: DirectoryEntry) -> String {
        name(entry.names, entry.name, id: entry.id.text) ?? kind(entry.kind)
    }

    func building(_ id: BuildingID) -> String {
        guard let building = index.building(id) else { return id.text }
        return ownName(building) ?? building.address ?? kind("building")
    }

    /// A kind in the reader's words: its own, or those of the wider kind before a full stop, or the
    /// site's own word made readable. The first of several kinds counts, as in the app.
    func kind(_ kind: String) -> String {
        let first = kind.lowercased().prefix { $0 != ";" }
        var parts = first.split(separator: ".", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            if let text = words.text("kind.\(parts.joined(separator: "."))") { return text }
            parts.removeLast()
        }
        if let key = Self.otherWords[PlaceKind(kind).base], let text = words.text("kind.\(key)") {
            return text
        }
        let readable = kind.map { "_.-".contains($0) ? " " : String($0) }.joined().trimmed
        return readable.prefix(1).uppercased() + readable.dropFirst()
    }

    /// For kinds that have no word by their base: the form that has one.
    private static let otherWords = [
        "babychanging": "mothersroom", "drinkingwater": "drinking_water",
        "luggagelocker": "luggage_locker", "meetingroom": "meeting",
        "platformlift": "platform-lift",
    ]

    /// A kind in a form that has a word: its base, or else as the site writes it. Nil if the reader
    /// sees no place of the kind.
    func ownKind(_ asked: PlaceKind) -> String? {
        guard has(kind: asked.base) else { return nil }
        if words.text("kind.\(asked.base)") != nil { return asked.base }
        // An address has no spaces, and a qualifier would ask for less.
        let own = kinds.filter {
            SiteID(validating: $0) != nil && PlaceKind($0) == PlaceKind(asked.base)
        }
        return own.min {
            (words.text("kind.\($0.lowercased())") == nil ? 1 : 0, $0)
                < (words.text("kind.\($1.lowercased())") == nil ? 1 : 0, $1)
        }
    }

    /// Whether the reader sees a place of the kind, or a lift or the like that is a connection.
    func has(kind: String) -> Bool {
        let asked = PlaceKind(kind)
        return !asked.base.isEmpty && kinds.contains { PlaceKind($0).satisfies(asked) }
    }

    /// The name of a result of the search. One without a name is called by its kind.
    func name(_ found: FoundPlace) -> String {
        let name = found.name.trimmed
        guard name.isEmpty else { return name }
        let other: String? =
            switch found.kind {
            case "room": index.room(RoomID(found.id)).map(room)
            case "directory":
                document.directory.first { $0.id.text == found.id }.map(entry)
            case "building": building(BuildingID(found.id))
            case "floor": index.floor(FloorID(found.id)).map(level)
            default: nil
            }
        return other ?? kind(found.kind)
    }

    // MARK: Floors

    /// A floor as its sign reads, without its building.
    func level(_ floor: FloorRecord) -> String {
        if let name = name(floor.names, nil) { return name }
        // A level that is a word, such as "Ground", needs no word before it.
        return floor.level.count <= 3 ? words("page.level", ["level": floor.level]) : floor.level
    }

    /// A floor with its building where the site has several with floors; nil for none.
    func floor(_ id: String?) -> String? {
        guard let id, let floor = index.floor(FloorID(id)) else { return nil }
        let level = level(floor)
        guard hasStoreyedBuildings else { return level }
        return "\(building(floor.building)), \(level)"
    }

    /// The buildings that have floors, each with its floors from the highest down.
    var storeys: [(building: BuildingID, name: String, floors: [FloorRecord])] {
        Dictionary(grouping: index.floors, by: \.building)
            .map { ($0.key, building($0.key), $0.value.sorted { $0.ordinal > $1.ordinal }) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    // MARK: Places

    /// The point of a place for a map, and its floor.
    func spot(_ reference: PlaceReference) -> (point: Point, floor: FloorID?)? {
        switch reference {
        case .room(let id):
            guard let room = index.room(id), let shape = room.outline.polygon else { return nil }
            return (shape.centroid, room.floor)
        case .location(let id): return index.location(id).map { ($0.point, $0.floor) }
        case .building(let id):
            return index.building(id)?.outline.polygon.map { ($0.centroid, nil) }
        case .floor, .zone: return nil
        }
    }

    /// The point and the floor of an entry of the directory that has one place alone.
    func onlyPlace(ofEntry id: String) -> (point: Point, floor: FloorID?)? {
        guard let entry = document.directory.first(where: { $0.id.text == id }),
            entry.places.count == 1
        else { return nil }
        return spot(entry.places[0])
    }

    /// The room that is the only place of an entry, or that is around it.
    func onlyRoom(of entry: DirectoryEntry) -> RoomRecord? {
        guard entry.places.count == 1 else { return nil }
        switch entry.places[0] {
        case .room(let id): return index.room(id)
        case .location(let id): return index.location(id)?.room.flatMap { index.room($0) }
        case .building, .floor, .zone: return nil
        }
    }

    /// Where a thing is: its floor and building, or its address.
    func place(_ reference: PlaceReference) -> String? {
        switch reference {
        case .room(let id): return index.room(id).flatMap { floor($0.floor.text) }
        case .location(let id): return index.location(id).flatMap { floor($0.floor.text) }
        case .floor(let id): return floor(id.text)
        case .building(let id):
            guard let building = index.building(id) else { return nil }
            let parts = [ownName(building), building.address].compactMap(\.self)
            guard let first = parts.first, let last = parts.last else { return nil }
            return first == last ? first : "\(first), \(last)"
        case .zone: return nil
        }
    }

    /// The reference behind a result of the search.
    func reference(_ found: FoundPlace) -> PlaceReference? {
        switch found.kind {
        case "room": return .room(RoomID(found.id))
        case "location": return .location(LocationID(found.id))
        case "building": return .building(BuildingID(found.id))
        case "floor": return .floor(FloorID(found.id))
        case "directory":
            return document.directory.first { $0.id.text == found.id }?.places.first
        default: return nil
        }
    }
}
