public import Events

/// The facts by which a record is found in a list.
public struct RecordFacts: Hashable, Sendable {
    public var building: BuildingID?
    public var floors: Set<FloorID> = []
    public var rooms: Set<RoomID> = []
    public var kind: String?
    /// The record's name or title in every language.
    public var names: [String] = []

    /// Whether one of the names begins with the text; small letters and capitals are the same.
    public func hasName(startingWith prefix: String) -> Bool {
        let prefix = prefix.lowercased()
        return names.contains { $0.lowercased().hasPrefix(prefix) }
    }
}

/// Finds the facts of a document's records. A record's building and floor come from the records
/// that it names.
public struct RecordFactFinder {
    private let floorOfRoom: [RoomID: FloorID]
    private let locations: [LocationID: LocationRecord]

    public init(_ document: SiteDocument) {
        floorOfRoom = Dictionary(document.rooms.map { ($0.id, $0.floor) }) { first, _ in first }
        locations = Dictionary(document.locations.map { ($0.id, $0) }) { first, _ in first }
    }

    public func facts(of record: some SiteRecord) -> RecordFacts {
        var facts = RecordFacts()
        facts.kind = record.category
        facts.names = record.allNames
        for thing in [record.thing] + record.references { add(thing, to: &facts) }
        return facts
    }

    private func add(_ thing: SiteThing, to facts: inout RecordFacts) {
        switch thing.kind {
        case BuildingRecord.kind.name: facts.building = BuildingID(thing.id)
        case FloorRecord.kind.name: facts.floors.insert(FloorID(thing.id))
        case RoomRecord.kind.name:
            facts.rooms.insert(RoomID(thing.id))
            if let floor = floorOfRoom[RoomID(thing.id)] { facts.floors.insert(floor) }
        case LocationRecord.kind.name:
            guard let location = locations[LocationID(thing.id)] else { return }
            facts.floors.insert(location.floor)
            if let room = location.room { facts.rooms.insert(room) }
        default: break
        }
    }
}
