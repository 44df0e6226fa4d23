public import Events
public import Geometry
public import Site

/// The probability of each zone by one position.
public struct ZoneSighting: Sendable {
    /// The time at which the scan was made.
    public var at: Timestamp
    /// Each zone once; the others have probability 0.
    public var probabilities: [Zone: Double]
    private let point: Point?
    private let floor: FloorID?
    private let site: SiteIndex?

    /// - Parameters:
    ///   - point: the place of the device. With floor and site it is used for tolerances in metres.
    public init(
        at: Timestamp, probabilities: [Zone: Double], point: Point? = nil, floor: FloorID? = nil,
        site: SiteIndex? = nil
    ) {
        self.at = at
        self.probabilities = probabilities
        self.point = point
        self.floor = floor
        self.site = site
    }

    /// Nil for a lost device, which gives no probability of any zone.
    public init?(_ position: PositionEstimated, at: Timestamp, site: SiteIndex?) {
        guard position.state != .lost else { return nil }
        var probabilities: [Zone: Double] = [:]
        if let building = position.building {
            probabilities[Zone(.building, ZoneID(building.text))] = 1
        }
        for room in position.rooms {
            probabilities[Zone(.room, ZoneID(room.id.text))] = room.probability
        }
        // A positioner may give no probabilities of rooms, only the room that contains the place.
        if position.rooms.isEmpty, let room = position.room {
            probabilities[Zone(.room, ZoneID(room.text))] = 1
        }
        var point: Point?
        if let x = position.x, let y = position.y { point = Point(x: x, y: y) }
        if let shapes = site?.zoneShapes, !shapes.isEmpty {
            let floor = position.floor.flatMap { site?.floor($0) }?.id
            Self.add(shapes, point, floor, to: &probabilities)
        }
        self.init(
            at: at, probabilities: probabilities, point: point, floor: position.floor, site: site)
    }

    /// Adds the zones. A zone's probability is the sum of its rooms'. A zone whose outline contains
    /// the place is certain, like a building.
    ///
    /// - Parameter floor: nil outdoors.
    private static func add(
        _ shapes: ZoneShapes, _ point: Point?, _ floor: FloorID?,
        to probabilities: inout [Zone: Double]
    ) {
        var zones: [Zone: Double] = [:]
        for (room, probability) in probabilities where room.kind == .room {
            for zone in shapes.zones(of: RoomID(room.id.text)) {
                zones[Zone(.zone, zone), default: 0] += probability
            }
        }
        for zone in point.map({ shapes.zones(at: $0, on: floor) }) ?? [] {
            zones[Zone(.zone, zone)] = 1
        }
        probabilities.merge(zones.mapValues { min($0, 1) }) { _, new in new }
    }

    /// Metres from the position to the zone, 0 inside. Infinite for a room on another floor, and
    /// for zones without an outline.
    func distance(to zone: Zone) -> Double {
        guard let site, let point else { return .infinity }
        switch zone.kind {
        case .building:
            return site.buildingShapes.distance(to: BuildingID(zone.id.text), from: point)
        case .room:
            guard let floor, let index = site.roomIndex(RoomID(zone.id.text)),
                site.room(index).floor == floor, let outline = site.outline(index)
            else { return .infinity }
            return outline.distance(from: point)
        case .zone:
            let floor = floor.flatMap { site.floor($0) }?.id
            return site.zoneShapes.distance(to: zone.id, from: point, on: floor)
        }
    }
}
