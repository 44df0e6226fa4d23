public import Events
public import Geometry

/// The index of a floor in `SiteIndex.floors`.
public struct FloorIndex: Hashable, Sendable, Comparable {
    public let value: Int
    public init(_ value: Int) { self.value = value }
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The index of a room in `SiteIndex.rooms`.
public struct RoomIndex: Hashable, Sendable, Comparable {
    public let value: Int
    public init(_ value: Int) { self.value = value }
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The floor, point and room of a survey's place.
public struct ResolvedPlace: Hashable, Sendable {
    public var floor: FloorIndex
    public var point: Point
    public var room: RoomIndex?
    /// The location, if the survey named one.
    public var location: LocationID?

    public init(floor: FloorIndex, point: Point, room: RoomIndex?, location: LocationID?) {
        self.floor = floor
        self.point = point
        self.room = room
        self.location = location
    }
}

/// The reason why a survey's place could not be found.
public enum PlaceFault: String, Error, Hashable, Sendable {
    case unknownLocation = "unknown-location"
    case unknownFloor = "unknown-floor"
    case coordinateOutOfRange = "coordinate-out-of-range"
}

/// A valid site, indexed to find places and names fast. It never changes. It is a class, so that
/// handing it on for each leg of a route copies nothing.
public final class SiteIndex: Sendable {
    public let document: SiteDocument
    public let frame: LocalFrame
    public let buildingShapes: BuildingShapes
    public let zoneShapes: ZoneShapes
    public let beacons: BeaconTable
    public let extent: SiteExtent
    /// The fields of the site's beacons, which module Positioning makes.
    public let derived = DerivedValue()
    /// The openings that are left out, in a part of a site for one kind of reader.
    public let unseenOpenings: UnseenOpenings
    public var floors: [FloorRecord] { document.floors }
    public var rooms: [RoomRecord] { document.rooms }
    private let buildingByID: [BuildingID: Int]
    private let floorByID: [FloorID: FloorIndex]
    private let roomByID: [RoomID: RoomIndex]
    private let locationByID: [LocationID: Int]
    private let polygonByRoom: [Polygon?]
    private let areaByRoom: [Double]
    private let gridByFloor: [PolygonGrid]
    /// For each floor, the room of each polygon in the floor's grid.
    private let roomsByFloor: [[RoomIndex]]

    /// - Throws: `SiteFaults` if the document breaks a rule.
    public convenience init(_ document: SiteDocument) throws(SiteFaults) {
        try self.init(document, without: UnseenOpenings())
    }

    init(_ document: SiteDocument, without unseen: UnseenOpenings) throws(SiteFaults) {
        let faults = SiteValidation.faults(in: document)
        guard faults.isEmpty else { throw SiteFaults(faults) }
        self.document = document
        unseenOpenings = unseen
        frame = document.frame
        buildingShapes = BuildingShapes(document.buildings)
        zoneShapes = ZoneShapes(document.zones)
        beacons = BeaconTable(document)
        extent = SiteExtent(document)
        buildingByID = numbered(document.buildings.map(\.id)) { $0 }
        floorByID = numbered(document.floors.map(\.id), FloorIndex.init)
        roomByID = numbered(document.rooms.map(\.id), RoomIndex.init)
        locationByID = numbered(document.locations.map(\.id)) { $0 }
        polygonByRoom = document.rooms.map(\.outline.polygon)
        areaByRoom = polygonByRoom.map { $0?.area ?? .infinity }
        var polygons = [[Polygon]](repeating: [], count: document.floors.count)
        var rooms = [[RoomIndex]](repeating: [], count: document.floors.count)
        for (index, room) in document.rooms.enumerated() {
            guard let polygon = polygonByRoom[index], let floor = floorByID[room.floor] else {
                continue
            }
            polygons[floor.value].append(polygon)
            rooms[floor.value].append(RoomIndex(index))
        }
        gridByFloor = polygons.map { PolygonGrid($0) }
        roomsByFloor = rooms
    }

    public func floorIndex(_ id: FloorID) -> FloorIndex? { floorByID[id] }
    public func roomIndex(_ id: RoomID) -> RoomIndex? { roomByID[id] }

    public func building(_ id: BuildingID) -> BuildingRecord? {
        buildingByID[id].map { document.buildings[$0] }
    }

    public func floor(_ id: FloorID) -> FloorRecord? { floorByID[id].map { floors[$0.value] } }
    public func floor(_ index: FloorIndex) -> FloorRecord { floors[index.value] }
    public func room(_ id: RoomID) -> RoomRecord? { roomByID[id].map { rooms[$0.value] } }
    public func room(_ index: RoomIndex) -> RoomRecord { rooms[index.value] }

    public func location(_ id: LocationID) -> LocationRecord? {
        locationByID[id].map { document.locations[$0] }
    }

    /// The room's outline; nil if the room has none.
    public func outline(_ room: RoomIndex) -> Polygon? { polygonByRoom[room.value] }

    /// The rooms that contain the point, edges included, smallest first.
    public func rooms(at point: Point, on floor: FloorIndex) -> [RoomIndex] {
        var found: [RoomIndex] = []
        gridByFloor[floor.value].forEachPolygon(containing: point) {
            found.append(roomsByFloor[floor.value][$0])
        }
        return found.sorted { isSmaller($0, than: $1) }
    }

    /// The smallest room that contains the point. Inside a booth within a hall, it is the booth.
    public func room(at point: Point, on floor: FloorIndex) -> RoomIndex? {
        var smallest: RoomIndex?
        gridByFloor[floor.value].forEachPolygon(containing: point) {
            let room = roomsByFloor[floor.value][$0]
            if let best = smallest, !isSmaller(room, than: best) { return }
            smallest = room
        }
        return smallest
    }

    /// The place of a survey. A location that names no room gets the room around it.
    public func resolve(_ place: SurveyPlace) throws(PlaceFault) -> ResolvedPlace {
        switch place {
        case .location(let id):
            guard let location = location(id), let floor = floorByID[location.floor] else {
                throw .unknownLocation
            }
            let point = location.point
            let room = location.room.flatMap { roomByID[$0] } ?? room(at: point, on: floor)
            return ResolvedPlace(floor: floor, point: point, room: room, location: id)
        case .metres(let id, let x, let y):
            return try resolve(id, Point(x: x, y: y))
        case .geographic(let id, let latitude, let longitude):
            guard abs(latitude) <= 90, abs(longitude) <= 180 else { throw .coordinateOutOfRange }
            let place = GeographicPoint(latitude: latitude, longitude: longitude)
            return try resolve(id, frame.point(place))
        }
    }

    private func resolve(_ id: FloorID, _ point: Point) throws(PlaceFault) -> ResolvedPlace {
        guard let floor = floorByID[id] else { throw .unknownFloor }
        guard abs(point.x) <= SiteLimits.coordinateMetres,
            abs(point.y) <= SiteLimits.coordinateMetres
        else { throw .coordinateOutOfRange }
        return ResolvedPlace(
            floor: floor, point: point, room: room(at: point, on: floor), location: nil)
    }

    private func isSmaller(_ left: RoomIndex, than right: RoomIndex) -> Bool {
        (areaByRoom[left.value], left) < (areaByRoom[right.value], right)
    }
}

/// Validation has made sure that ids are unique. Were they not, the first would win.
private func numbered<ID: Hashable, Index>(
    _ ids: [ID], _ make: (Int) -> Index
) -> [ID: Index] {
    Dictionary(
        ids.enumerated().map { ($0.element, make($0.offset)) },
        uniquingKeysWith: { first, _ in first })
}
