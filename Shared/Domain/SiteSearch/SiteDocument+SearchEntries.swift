import Events
public import Site

extension SiteDocument {
    /// All things that can be searched for in the site. Connections and locations without names are
    /// left out: nobody looks for one of many doors.
    public var searchEntries: [SearchEntry] { SiteEntries(self).all }
}

/// Collects the names of a site's things. A room is also found by its category, floor and building,
/// so that `bush house 601` finds it. A department is also found by its place.
private struct SiteEntries {
    private let document: SiteDocument
    private let buildingTexts: [BuildingID: [String]]
    private let floorTexts: [FloorID: [String]]
    private let rooms: [RoomID: RoomRecord]
    private let locations: [LocationID: LocationRecord]
    private let zones: [ZoneID: ZoneRecord]
    private let directory: [DirectoryID: DirectoryEntry]

    init(_ document: SiteDocument) {
        self.document = document
        let buildingTexts = byID(document.buildings, \.id).mapValues { [$0.name] + $0.names.texts }
        self.buildingTexts = buildingTexts
        floorTexts = byID(document.floors, \.id).mapValues {
            [$0.level] + $0.names.texts + (buildingTexts[$0.building] ?? [])
        }
        rooms = byID(document.rooms, \.id)
        locations = byID(document.locations, \.id)
        zones = byID(document.zones, \.id)
        directory = byID(document.directory, \.id)
    }

    var all: [SearchEntry] {
        document.buildings.map(entry) + document.directory.map(entry) + document.zones.map(entry)
            + document.rooms.map(entry) + document.floors.map(entry)
            + connectionEntries + document.locations.compactMap(entry)
    }

    /// A street has many pieces, each a connection. The first piece with a name on the same floors
    /// stands for all, and is found by the id of each.
    private var connectionEntries: [SearchEntry] {
        struct Name: Hashable {
            var name: String
            var names: Translations
            var floors: [FloorID]
        }
        var entries: [SearchEntry] = []
        var first: [Name: Int] = [:]
        for connection in document.connections {
            guard let entry = entry(connection) else { continue }
            let name = Name(name: entry.name, names: entry.names, floors: entry.floors)
            if connection.kind == .walk, let known = first[name] {
                entries[known].extraTexts.append(entry.id)
                continue
            }
            if connection.kind == .walk { first[name] = entries.count }
            entries.append(entry)
        }
        return entries
    }

    private func entry(_ building: BuildingRecord) -> SearchEntry {
        SearchEntry(
            kind: .building, id: building.id.text, name: building.name, names: building.names,
            extraTexts: [building.id.text] + (building.address.map { [$0] } ?? []))
    }

    private func entry(_ entry: DirectoryEntry) -> SearchEntry {
        let parent = entry.parent.flatMap { directory[$0] }
        let parentTexts = parent.map { [$0.name] + $0.names.texts } ?? []
        let floors = distinct(entry.places.flatMap(floors))
        return SearchEntry(
            kind: .directory, category: entry.kind, id: entry.id.text, floors: floors,
            name: entry.name, names: entry.names,
            extraTexts: [entry.id.text, entry.kind] + PlaceKind(entry.kind).saidWords
                + parentTexts + entry.places.flatMap(texts))
    }

    private func entry(_ zone: ZoneRecord) -> SearchEntry {
        let floors = floors(of: zone)
        return SearchEntry(
            kind: .zone, category: zone.kind, id: zone.id.text, floors: floors, name: zone.name,
            names: zone.names, extraTexts: [zone.id.text, zone.kind] + texts(of: floors))
    }

    private func entry(_ room: RoomRecord) -> SearchEntry {
        SearchEntry(
            kind: .room, category: room.kind, id: room.id.text, floors: [room.floor],
            name: room.name, names: room.names,
            extraTexts: [room.id.text, room.kind] + PlaceKind(room.kind).saidWords
                + texts(of: [room.floor]))
    }

    private func entry(_ floor: FloorRecord) -> SearchEntry {
        SearchEntry(
            kind: .floor, id: floor.id.text, floors: [floor.id], name: floor.level,
            names: floor.names,
            extraTexts: [floor.id.text] + (buildingTexts[floor.building] ?? []))
    }

    private func entry(_ connection: ConnectionRecord) -> SearchEntry? {
        guard let name = connection.name ?? connection.names.plainest else { return nil }
        let kind = connection.kind.rawValue
        let floors = distinct(connection.stops.compactMap(\.floor))
        return SearchEntry(
            kind: .connection, category: kind, id: connection.id.text, floors: floors, name: name,
            names: connection.names,
            extraTexts: [connection.id.text, kind] + PlaceKind(kind).saidWords + texts(of: floors))
    }

    private func entry(_ location: LocationRecord) -> SearchEntry? {
        guard let name = location.name ?? location.names.plainest else { return nil }
        return SearchEntry(
            kind: .location, id: location.id.text, floors: [location.floor], name: name,
            names: location.names, extraTexts: [location.id.text] + texts(of: [location.floor]))
    }

    private func texts(of floors: [FloorID]) -> [String] { floors.flatMap { floorTexts[$0] ?? [] } }

    private func floors(of zone: ZoneRecord) -> [FloorID] {
        distinct((zone.floor.map { [$0] } ?? []) + zone.rooms.compactMap { rooms[$0]?.floor })
    }

    private func floors(_ place: PlaceReference) -> [FloorID] {
        switch place {
        case .building: []
        case .floor(let id): [id]
        case .room(let id): rooms[id].map { [$0.floor] } ?? []
        case .location(let id): locations[id].map { [$0.floor] } ?? []
        case .zone(let id): zones[id].map(floors) ?? []
        }
    }

    /// The name of the place, with its floor and building.
    private func texts(_ place: PlaceReference) -> [String] {
        let own: [String]
        switch place {
        case .building(let id): own = buildingTexts[id] ?? []
        case .floor: own = []
        case .room(let id): own = rooms[id].map { [$0.name] + $0.names.texts } ?? []
        case .location(let id): own = locations[id]?.names.texts ?? []
        case .zone(let id): own = zones[id].map { [$0.name] + $0.names.texts } ?? []
        }
        return own + texts(of: floors(place))
    }
}

/// Ids are unique in a valid site.
private func byID<ID: Hashable, Record>(_ records: [Record], _ id: KeyPath<Record, ID>)
    -> [ID: Record]
{
    Dictionary(records.map { ($0[keyPath: id], $0) }, uniquingKeysWith: { first, _ in first })
}

private func distinct(_ floors: [FloorID]) -> [FloorID] {
    floors.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}

extension Translations {
    fileprivate var texts: [String] {
        byLanguage.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A name for a thing that has names in languages only.
    fileprivate var plainest: String? {
        byLanguage["en"] ?? byLanguage.min { $0.key < $1.key }?.value
    }
}
