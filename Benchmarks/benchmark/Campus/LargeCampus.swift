import Events
import Geometry
import Site

/// A campus as large as those of big universities: 40 buildings with 200 floors, 12,000 rooms with
/// names in two languages, and 20,000 doors.
///
/// Each floor has a corridor with rooms on both sides. A path leads past the buildings.
enum LargeCampus {
    static let buildings = 40
    private static let columns = 8
    static let floors = 5
    /// Rooms north of the corridor, and south of it. The stairs are where the last one would be.
    private static let north = 30
    private static let south = 29
    private static let roomWidth = 3.0
    private static let roomDepth = 8.0
    /// Doors between neighbouring rooms of a floor, besides those to the corridor.
    private static let betweenNeighbours = 41

    static let document = SiteDocument(
        name: "Large campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
        buildings: (0..<buildings).map(building),
        floors: (0..<buildings).flatMap { building in
            (0..<floors).map { floor(building, $0) }
        },
        rooms: (0..<buildings).flatMap { building in
            (0..<floors).flatMap { rooms(building, $0) }
        },
        connections: paths
            + (0..<buildings).flatMap { building in
                ways(building) + (0..<floors).flatMap { doors(building, $0) }
            })

    /// A room in the middle of a building, and one of another building.
    static let changed = room(20, 2, 7)
    static let far = room(3, 4, 50)

    private static func room(_ building: Int, _ floor: Int, _ number: Int) -> RoomID {
        RoomID("b\(building).\(floor).\(number)")
    }

    private static func corridor(_ building: Int, _ floor: Int) -> RoomID {
        RoomID("b\(building).\(floor).c")
    }

    static func origin(_ building: Int) -> Point {
        Point(x: Double(building % columns) * 130, y: Double(building / columns) * 80)
    }

    static func buildingID(_ number: Int) -> BuildingID { BuildingID("b\(number)") }

    private static func building(_ number: Int) -> BuildingRecord {
        BuildingRecord(
            id: buildingID(number), name: "Building \(number)",
            names: Translations(["cy": "Adeilad \(number)"]), timeZone: "Europe/London")
    }

    static func floorID(_ building: Int, _ floor: Int) -> FloorID {
        FloorID("b\(building).\(floor)")
    }

    private static func floor(_ building: Int, _ floor: Int) -> FloorRecord {
        FloorRecord(
            id: floorID(building, floor), building: buildingID(building), ordinal: floor,
            level: "\(floor)", heightMetres: 4)
    }

    private static func rectangle(
        _ from: Point, width: Double, depth: Double
    ) -> Ring {
        Ring([
            from, Point(x: from.x + width, y: from.y),
            Point(x: from.x + width, y: from.y + depth), Point(x: from.x, y: from.y + depth),
        ])
    }

    private static func rooms(_ building: Int, _ floor: Int) -> [RoomRecord] {
        let origin = origin(building)
        let whole = RoomRecord(
            id: corridor(building, floor), floor: floorID(building, floor),
            name: "Corridor \(building).\(floor)",
            names: Translations(["cy": "Coridor \(building).\(floor)"]), kind: "corridor",
            outline: rectangle(
                Point(x: origin.x, y: origin.y + roomDepth), width: Double(north) * roomWidth,
                depth: 3))
        return [whole]
            + (0..<north + south).map { number in
                let place = place(number, origin)
                return RoomRecord(
                    id: room(building, floor, number), floor: floorID(building, floor),
                    name: "Seminar room \(building).\(floor).\(number)",
                    names: Translations(["cy": "Ystafell seminar \(building).\(floor).\(number)"]),
                    kind: "classroom",
                    outline: rectangle(place, width: roomWidth, depth: roomDepth))
            }
    }

    /// The south-west corner of a room.
    private static func place(_ number: Int, _ origin: Point) -> Point {
        let isNorth = number < north
        return Point(
            x: origin.x + Double(isNorth ? number : number - north) * roomWidth,
            y: origin.y + (isNorth ? roomDepth + 3 : 0))
    }

    private static func doors(_ building: Int, _ floor: Int) -> [ConnectionRecord] {
        let origin = origin(building)
        func door(_ id: String, _ first: RoomID, _ second: RoomID, at point: Point)
            -> ConnectionRecord
        {
            ConnectionRecord(
                id: ConnectionID("b\(building).\(floor).\(id)"), kind: .door,
                stops: [first, second].map {
                    ConnectionStop(floor: floorID(building, floor), room: $0, point: point)
                }, accessible: .yes, widthMetres: 0.9, isAutomatic: false)
        }
        let toCorridor = (0..<north + south).map { number in
            let place = place(number, origin)
            return door(
                "d\(number)", room(building, floor, number), corridor(building, floor),
                at: Point(
                    x: place.x + roomWidth / 2,
                    y: number < north ? place.y : place.y + roomDepth))
        }
        let neighbours = (0..<north + south - 1).filter { $0 != north - 1 }
            .prefix(betweenNeighbours)
        return toCorridor
            + neighbours.map { number in
                let place = place(number, origin)
                return door(
                    "n\(number)", room(building, floor, number), room(building, floor, number + 1),
                    at: Point(x: place.x + roomWidth, y: place.y + roomDepth / 2))
            }
    }

    /// Two stairs and a lift between the floors, and the front door.
    private static func ways(_ building: Int) -> [ConnectionRecord] {
        let origin = origin(building)
        func stop(_ floor: Int, _ x: Double, _ y: Double) -> ConnectionStop {
            ConnectionStop(
                floor: floorID(building, floor), room: corridor(building, floor),
                point: Point(x: origin.x + x, y: origin.y + roomDepth + y))
        }
        let stairs = (1..<floors).flatMap { floor in
            [4.0, 80.0].map { x in
                ConnectionRecord(
                    id: ConnectionID("b\(building).s\(floor).\(Int(x))"), kind: .stairs,
                    stops: [stop(floor - 1, x, 1), stop(floor, x, 2)], accessible: .no,
                    widthMetres: 1.5, steps: 24)
            }
        }
        let lift = ConnectionRecord(
            id: ConnectionID("b\(building).lift"), kind: .lift,
            stops: (0..<floors).map { stop($0, 45, 1.5) }, accessible: .yes, widthMetres: 1.1)
        let front = Point(x: origin.x, y: origin.y + roomDepth + 1.5)
        return stairs + [
            lift,
            ConnectionRecord(
                id: ConnectionID("b\(building).front"), kind: .door,
                stops: [
                    ConnectionStop(floor: nil, point: front),
                    ConnectionStop(
                        floor: floorID(building, 0), room: corridor(building, 0), point: front),
                ], accessible: .yes, widthMetres: 1.8, isAutomatic: true),
        ]
    }

    /// Walks from each front door to that of the next building, and to that of the next row.
    private static var paths: [ConnectionRecord] {
        func front(_ building: Int) -> ConnectionStop {
            let origin = origin(building)
            return ConnectionStop(
                floor: nil, point: Point(x: origin.x, y: origin.y + roomDepth + 1.5))
        }
        return (0..<buildings).flatMap { building in
            [building + 1, building + columns].filter {
                $0 < buildings && ($0 != building + 1 || $0 % columns != 0)
            }.map { next in
                ConnectionRecord(
                    id: ConnectionID("path-\(building)-\(next)"), kind: .walk,
                    stops: [front(building), front(next)], accessible: .yes, surface: "asphalt")
            }
        }
    }
}
