public import Events
public import Geometry

/// Finds the zones of the site's document that contain a point or a room.
public struct ZoneShapes: Sendable {
    private struct Shape {
        let zone: ZoneID
        let outline: Polygon
    }

    /// The zones by floor; the key nil stands for outdoors.
    private let shapesByFloor: [FloorID?: [Shape]]
    private let zonesByRoom: [RoomID: [ZoneID]]
    private let floorsByZone: [ZoneID: FloorID?]

    init(_ zones: [ZoneRecord]) {
        var shapes: [FloorID?: [Shape]] = [:]
        var rooms: [RoomID: [ZoneID]] = [:]
        for zone in zones {
            for room in zone.rooms { rooms[room, default: []].append(zone.id) }
            guard let outline = zone.outline.polygon else { continue }
            shapes[zone.floor, default: []].append(Shape(zone: zone.id, outline: outline))
        }
        shapesByFloor = shapes
        zonesByRoom = rooms
        floorsByZone = Dictionary(
            zones.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
    }

    public var isEmpty: Bool { shapesByFloor.isEmpty && zonesByRoom.isEmpty }

    /// The zones whose outline contains the point, edges included.
    ///
    /// - Parameter floor: nil outdoors.
    public func zones(at point: Point, on floor: FloorID?) -> [ZoneID] {
        (shapesByFloor[floor] ?? []).filter { $0.outline.contains(point) }.map(\.zone)
    }

    /// The zones that list the room.
    public func zones(of room: RoomID) -> [ZoneID] { zonesByRoom[room] ?? [] }

    /// Metres from the point to the zone's outline, 0 inside; infinite on another floor, and for a
    /// zone without an outline.
    public func distance(to zone: ZoneID, from point: Point, on floor: FloorID?) -> Double {
        guard let own = floorsByZone[zone], own == floor else { return .infinity }
        return shapesByFloor[floor]?.first { $0.zone == zone }?.outline.distance(from: point)
            ?? .infinity
    }
}
