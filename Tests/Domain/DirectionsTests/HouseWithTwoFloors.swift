import Directions
import Events
import Geometry
import Site
import Wayfinding

/// Two floors, and a street in the south. North is up, a letter is a metre wide.
///
///     ground   LLLLL..........CCCCC     first   .....LLLLLLLLLL
///              LLLLL..........CCCCC             .....LLLLLLLLLL
///              ====================             ===============
///              s------- hall ----->             s--- gallery --
///              ====================             ===============
///                       d   (to the street)
enum HouseWithTwoFloors {
    static let ground = FloorID("g")
    static let first = FloorID("1")

    static let guide: RouteGuide = {
        guard let site = try? SiteIndex(document) else { preconditionFailure("the house is valid") }
        return RouteGuide(site)
    }()

    private static func room(
        _ id: String, _ floor: FloorID, _ name: String, _ names: [String: String] = [:],
        _ x: ClosedRange<Double>, _ y: ClosedRange<Double>
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: name, names: Translations(names), kind: "room",
            outline: [
                [x.lowerBound, y.lowerBound], [x.upperBound, y.lowerBound],
                [x.upperBound, y.upperBound], [x.lowerBound, y.upperBound],
            ])
    }

    private static func connection(
        _ id: String, _ kind: ConnectionRecord.Kind, _ names: [String: String] = [:],
        _ stops: (FloorID?, String?, Double, Double)...
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(id), kind: kind, name: names["en"], names: Translations(names),
            stops: stops.map { floor, room, x, y in
                ConnectionStop(floor: floor, room: room.map { RoomID($0) }, point: [x, y])
            })
    }

    static var document: SiteDocument {
        SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(
                    id: BuildingID("house"), name: "Bush House",
                    names: Translations(["cy": "Tŷ Bush"]), timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: ground, building: BuildingID("house"), ordinal: 0, level: "G",
                    names: Translations(["cy": "Llawr Gwaelod", "de": "Erdgeschoss"])),
                FloorRecord(id: first, building: BuildingID("house"), ordinal: 1, level: "1"),
            ],
            rooms: [
                room("cafe", ground, "Café", ["cy": "Caffi"], 0...5, 3...8),
                room("shop", ground, "Shop", ["cy": "Siop", "de": "Laden"], 15...20, 3...8),
                room("hall", ground, "Hall", ["cy": "Neuadd", "de": "Halle"], 0...20, 0...3),
                room(
                    "library", first, "Library", ["cy": "Llyfrgell", "de-DE": "Bibliothek"],
                    5...15, 3...8),
                room("gallery", first, "Gallery", ["cy": "Oriel", "de": "Galerie"], 0...15, 0...3),
            ],
            connections: [
                connection("door-cafe", .door, [:], (ground, "cafe", 2, 3), (ground, "hall", 2, 3)),
                connection(
                    "door-shop", .door, [:], (ground, "shop", 17, 3), (ground, "hall", 17, 3)),
                connection(
                    "door-library", .door, [:], (first, "library", 7, 3), (first, "gallery", 7, 3)),
                connection("front", .door, [:], (ground, "hall", 10, 0), (nil, nil, 10, 0)),
                connection(
                    "stairs", .stairs, [:], (ground, "hall", 20, 1), (first, "gallery", 15, 1)),
                connection(
                    "lift-b", .lift, ["en": "Lift B", "cy": "Lifft B", "de": "Aufzug B"],
                    (ground, "hall", 0, 1), (first, "gallery", 0, 1)),
                connection(
                    "street", .walk, ["en": "Kingsway"], (nil, nil, 10, 0), (nil, nil, 1_300, 0)),
            ])
    }

    // MARK: Legs

    static func walk(
        _ room: String, _ floor: FloorID?, _ points: [(Double, Double)], passing: [PassedRoom] = []
    ) -> RouteLeg {
        leg(.room(RoomID(room)), floor, floor, [path(floor, points)], passed: passing)
    }

    static func door(_ id: String, _ x: Double, _ y: Double, automatic: Bool? = nil) -> RouteLeg {
        let stops = guide.connection(ConnectionID(id))?.stops ?? []
        return leg(
            .connection(ConnectionID(id), .door), stops[0].floor, stops[1].floor,
            [path(stops[0].floor, [(x, y)])], automatic: automatic)
    }

    static func climb(
        _ id: String, _ kind: ConnectionRecord.Kind, rise: Double?,
        _ start: (Double, Double), _ end: (Double, Double)
    ) -> RouteLeg {
        leg(
            .connection(ConnectionID(id), kind), ground, first,
            [path(ground, [start, end]), path(first, [start, end])], rise: rise)
    }

    static func street(_ points: [(Double, Double)]) -> RouteLeg {
        leg(.connection(ConnectionID("street"), .walk), nil, nil, [path(nil, points)])
    }

    static func route(_ legs: [RouteLeg], to room: String?) -> IndoorRoute {
        IndoorRoute(
            distanceMetres: legs.reduce(0) { $0 + $1.distanceMetres }, seconds: 60,
            arriveAt: Timestamp(milliseconds: 0), legs: legs, destination: 0,
            endRoom: room.map { RoomID($0) }, costMilliseconds: 60_000)
    }

    private static func path(_ floor: FloorID?, _ points: [(Double, Double)]) -> FloorPath {
        FloorPath(floor: floor, points: points.map { Point(x: $0.0, y: $0.1) })
    }

    private static func leg(
        _ passage: RouteLeg.Passage, _ start: FloorID?, _ end: FloorID?, _ paths: [FloorPath],
        rise: Double? = nil, automatic: Bool? = nil, passed: [PassedRoom] = []
    ) -> RouteLeg {
        let points = paths[0].points
        let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return RouteLeg(
            passage: passage, startFloor: start, endFloor: end, paths: paths,
            distanceMetres: metres, seconds: 1, riseMetres: rise, isAutomatic: automatic,
            passed: passed)
    }
}
