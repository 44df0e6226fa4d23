public import Events
import Geometry

/// For whom the rooms, floors and entries of a document are. A record that says nothing follows
/// from others: a restricted room is the staff's, and so is an entry whose places are.
public struct SiteVisibility: Sendable {
    private let floors: [FloorID: Visibility]
    private let rooms: [RoomID: Visibility]
    private let locations: [LocationID: Visibility]
    private let zones: [ZoneID: Visibility]
    private let entries: [DirectoryID: Visibility]

    public init(_ document: SiteDocument) {
        let floors = Dictionary(document.floors.map { ($0.id, $0.visibility ?? .everybody) }) {
            first, _ in first
        }
        let rooms = Dictionary(
            document.rooms.map { room in
                let own = room.visibility ?? (room.isRestricted ? .staff : .everybody)
                return (room.id, max(own, floors[room.floor] ?? .everybody))
            }, uniquingKeysWith: { first, _ in first })
        let ground = RoomGround(document) { rooms[$0] != .everybody }
        let locations = Dictionary(
            document.locations.map { location in
                let (point, floor) = (location.point, location.floor)
                // It may say one room and stand in another.
                let standing =
                    location.room == nil
                    ? ground.room(at: point, on: floor) : ground.room(inside: point, on: floor)
                let around = [location.room, standing].compactMap { $0.flatMap { rooms[$0] } }
                return (location.id, around.reduce(floors[floor] ?? .everybody, max))
            }, uniquingKeysWith: { first, _ in first })
        let zones = Dictionary(
            document.zones.map { ($0.id, Self.zone($0, floors, rooms, ground)) },
            uniquingKeysWith: { first, _ in first })
        (self.floors, self.rooms, self.locations, self.zones) = (floors, rooms, locations, zones)
        entries = Dictionary(
            document.directory.map { entry in
                // An entry with a place that strangers see is for them.
                let ofPlaces = entry.places.map { place in
                    switch place {
                    case .floor(let id): floors[id] ?? .everybody
                    case .room(let id): rooms[id] ?? .everybody
                    case .location(let id): locations[id] ?? .everybody
                    case .zone(let id): zones[id] ?? .everybody
                    case .building: Visibility.everybody
                    }
                }.min()
                return (entry.id, entry.visibility ?? ofPlaces ?? .everybody)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A zone of rooms is for those who see one of them. One with an outline only is for those who
    /// see one of its corners, or its middle.
    private static func zone(
        _ zone: ZoneRecord, _ floors: [FloorID: Visibility], _ rooms: [RoomID: Visibility],
        _ ground: RoomGround
    ) -> Visibility {
        let ofFloor = zone.floor.flatMap { floors[$0] } ?? .everybody
        if let ofRooms = zone.rooms.map({ rooms[$0] ?? .everybody }).min() {
            return max(ofFloor, ofRooms)
        }
        guard let floor = zone.floor, ground.covers(floor), let polygon = zone.outline.polygon
        else { return ofFloor }
        let ofPoints = (polygon.corners + [polygon.centroid]).map { point in
            ground.rooms(at: point, on: floor).map { rooms[$0] ?? .everybody }.max() ?? .everybody
        }
        return max(ofFloor, ofPoints.min() ?? .everybody)
    }

    public func floor(_ id: FloorID) -> Visibility { floors[id] ?? .everybody }
    /// A room is never for more readers than its floor.
    public func room(_ id: RoomID) -> Visibility { rooms[id] ?? .everybody }
    public func entry(_ id: DirectoryID) -> Visibility { entries[id] ?? .everybody }
    func zone(_ id: ZoneID) -> Visibility { zones[id] ?? .everybody }
    /// A location is for those who see the room around it and the one that it names.
    public func location(_ id: LocationID) -> Visibility { locations[id] ?? .everybody }

    /// A timetable is never for more readers than its room.
    public func timetable(of room: RoomRecord) -> Visibility {
        max(self.room(room.id), room.timetableVisibility ?? .everybody)
    }

    /// Whether the reader sees every room, floor and entry.
    func isWhole(for reader: Reader) -> Bool {
        floors.values.allSatisfy(reader.sees) && rooms.values.allSatisfy(reader.sees)
            && entries.values.allSatisfy(reader.sees)
    }
}
