public import Events

/// What a record is found by in a list.
public struct RecordFacts: Hashable, Sendable {
    public var building: BuildingID?
    public var floors: Set<FloorID> = []
    public var rooms: Set<RoomID> = []
    public var kind: String?
    /// Its name or title in every language.
    public var names: [String] = []

    /// Whether one of the names begins with the text, whatever the case.
    public func hasName(startingWith prefix: String) -> Bool {
        let prefix = prefix.lowercased()
        return names.contains { $0.lowercased().hasPrefix(prefix) }
    }
}

/// Finds the facts of a document's records.
public struct RecordFactFinder {
    private let floorOfRoom: [RoomID: FloorID]
    private let locations: [LocationID: LocationRecord]

    public init(_ document: SiteDocument) {
        floorOfRoom = Dictionary(document.rooms.map { ($0.id, $0.floor) }) { first, _ in first }
        locations = Dictionary(document.locations.map { ($0.id, $0) }) { first, _ in first }
    }

    public func facts(of record: any SiteRecord) -> RecordFacts {
        var facts = RecordFacts()
        switch record {
        case let building as BuildingRecord:
            facts.building = building.id
            facts.names = [building.name] + building.names.byLanguage.values
        case let floor as FloorRecord:
            facts.building = floor.building
            facts.floors = [floor.id]
            facts.names = [floor.level] + floor.names.byLanguage.values
        case let plan as FloorPlanRecord: facts.floors = [plan.floor]
        case let room as RoomRecord:
            facts.floors = [room.floor]
            facts.rooms = [room.id]
            facts.kind = room.kind
            facts.names = [room.name] + room.names.byLanguage.values
        case let location as LocationRecord:
            facts.floors = [location.floor]
            facts.rooms = Set([location.room].compactMap(\.self))
            facts.names = [location.name].compactMap(\.self) + location.names.byLanguage.values
        case let connection as ConnectionRecord:
            facts.floors = Set(connection.stops.compactMap(\.floor))
            facts.rooms = Set(connection.stops.compactMap(\.room))
            facts.kind = connection.kind.rawValue
            facts.names =
                [connection.name].compactMap(\.self) + connection.names.byLanguage.values
        default: addRest(of: record, to: &facts)
        }
        return facts
    }

    private func addRest(of record: any SiteRecord, to facts: inout RecordFacts) {
        switch record {
        case let zone as ZoneRecord:
            facts.kind = zone.kind
            facts.rooms = Set(zone.rooms)
            facts.floors = Set(zone.rooms.compactMap { floorOfRoom[$0] })
            if let floor = zone.floor { facts.floors.insert(floor) }
            facts.names = [zone.name] + zone.names.byLanguage.values
        case let beacon as SiteBeacon:
            facts.floors = [beacon.floor]
            facts.names = [beacon.name].compactMap(\.self)
        case let place as AccessPointPlace: facts.floors = [place.floor]
        case let content as ContentRecord:
            add(content.place, to: &facts)
            facts.names = [content.title] + content.titles.byLanguage.values
        case let entry as DirectoryEntry:
            for place in entry.places { add(place, to: &facts) }
            facts.kind = entry.kind
            facts.names = [entry.name] + entry.names.byLanguage.values
        default: break
        }
    }

    private func add(_ place: PlaceReference, to facts: inout RecordFacts) {
        switch place {
        case .building(let id): facts.building = id
        case .floor(let id): facts.floors.insert(id)
        case .room(let id):
            facts.rooms.insert(id)
            if let floor = floorOfRoom[id] { facts.floors.insert(floor) }
        case .location(let id):
            guard let location = locations[id] else { return }
            facts.floors.insert(location.floor)
            if let room = location.room { facts.rooms.insert(room) }
        case .zone: break
        }
    }
}
