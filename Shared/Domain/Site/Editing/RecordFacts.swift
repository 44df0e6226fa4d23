public import Events
import Geometry

/// The facts by which a record is found in a list.
public struct RecordFacts: Hashable, Sendable {
    public var building: BuildingID?
    public var floors: Set<FloorID> = []
    public var rooms: Set<RoomID> = []
    /// The locations that the record names, or where a connection stops.
    public var locations: Set<LocationID> = []
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
    private struct Spot: Hashable {
        var floor: FloorID?
        var point: Point
    }

    private let floorOfRoom: [RoomID: FloorID]
    private let locationsAt: [Spot: [LocationID]]
    private let locations: [LocationID: LocationRecord]

    public init(_ document: SiteDocument) {
        floorOfRoom = Dictionary(document.rooms.map { ($0.id, $0.floor) }) { first, _ in first }
        locations = Dictionary(document.locations.map { ($0.id, $0) }) { first, _ in first }
        locationsAt = Dictionary(grouping: document.locations) {
            Spot(floor: $0.floor, point: $0.point)
        }.mapValues { $0.map(\.id) }
    }

    public func facts(of record: some SiteRecord) -> RecordFacts {
        var facts = RecordFacts()
        facts.kind = record.category
        facts.names = record.allNames
        for thing in [record.thing] + record.references { add(thing, to: &facts) }
        // A connection between locations is linked by points, not by names.
        for stop in (record as? ConnectionRecord)?.stops ?? [] {
            let spot = Spot(floor: stop.floor, point: stop.point)
            facts.locations.formUnion(locationsAt[spot] ?? [])
        }
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
            facts.locations.insert(LocationID(thing.id))
            guard let location = locations[LocationID(thing.id)] else { return }
            facts.floors.insert(location.floor)
            if let room = location.room { facts.rooms.insert(room) }
        default: break
        }
    }
}
