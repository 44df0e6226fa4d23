import Events
import Geometry
import Glibc
import Site

/// Builds the site of UJIIndoorLoc, row by row.
struct UJIPlan {
    /// The radius of EPSG:3857's sphere, in metres.
    private static let sphereRadius = 6_378_137.0

    private struct Spot: Hashable {
        let room: RoomID
        let relativePosition: Int
        let longitude: Double
        let latitude: Double
    }

    private let origin: (x: Double, y: Double)
    private var buildings: Set<BuildingID> = []
    private var floors: [FloorID: FloorRecord] = [:]
    private var rooms: [RoomID: RoomRecord] = [:]
    private var locations: [LocationRecord] = []
    private var locationBySpot: [Spot: LocationID] = [:]
    private var spotsByName: [String: Int] = [:]

    /// - Parameter origin: the site's origin in metres of EPSG:3857.
    init(origin: (x: Double, y: Double)) { self.origin = origin }

    func point(of row: UJIIndoorLoc.Row) -> Point {
        let scale = UJIIndoorLoc.groundPerReportedMetre
        return Point(x: (row.longitude - origin.x) * scale, y: (row.latitude - origin.y) * scale)
    }

    mutating func addFloor(of row: UJIIndoorLoc.Row) {
        buildings.insert(row.buildingID)
        floors[row.floorID] = FloorRecord(
            id: row.floorID, building: row.buildingID, ordinal: row.floor, level: "\(row.floor)")
    }

    /// The location of the row, new or seen before. A few spaces were surveyed at two points with
    /// the same relative position; the second point gets a number of its own.
    mutating func location(of row: UJIIndoorLoc.Row) -> LocationID {
        let spot = Spot(
            room: row.roomID, relativePosition: row.relativePosition, longitude: row.longitude,
            latitude: row.latitude)
        if let known = locationBySpot[spot] { return known }
        addFloor(of: row)
        rooms[row.roomID] = RoomRecord(
            id: row.roomID, floor: row.floorID, name: "Space \(row.space)", kind: "room",
            outline: [])
        let name = "\(row.roomID)-r\(row.relativePosition)"
        let number = spotsByName[name, default: 0] + 1
        spotsByName[name] = number
        let id = LocationID(number == 1 ? name : "\(name)-\(number)")
        let point = point(of: row)
        locations.append(
            LocationRecord(id: id, floor: row.floorID, room: row.roomID, point: point))
        locationBySpot[spot] = id
        return id
    }

    var document: SiteDocument {
        let longitude = origin.x / Self.sphereRadius * 180 / .pi
        let latitude = (2 * atan(exp(origin.y / Self.sphereRadius)) - .pi / 2) * 180 / .pi
        return SiteDocument(
            name: "Universitat Jaume I", originLatitude: latitude, originLongitude: longitude,
            bearingDegrees: 0,
            buildings: buildings.sorted().map {
                BuildingRecord(id: $0, name: "Building \($0)", timeZone: "Europe/Madrid")
            }, floors: floors.values.sorted { $0.id < $1.id },
            rooms: rooms.values.sorted { $0.id < $1.id }, locations: locations)
    }
}
