public import Events
import Geometry
public import Site

/// A museum of two floors and 16 rooms in English, Welsh and German, for tests of what visitors
/// read and hear.
///
/// Ground floor, 30 m by 24 m, with y to the north; the upper floor has the same walls in the
/// north:
///
///     y 24  +---------+---------+------+--+     1 Egypt      2 Greece
///           | 1       | 2       | store|  |     store        only for staff
///     y 18  |         |         +---+--+ s|     s            stairs
///           |         |         | t | l|  |     t, l         toilets, lift
///     y 13  +---------+---------+---+--+--+
///           | long gallery                |
///     y 10  +---------+-----+---+---------+
///           | café    | foyer   | shop    |
///     y 0   +---------+--==-----+---------+     == the two doors to the street
///
/// Upstairs are the upper gallery, paintings over 1, clocks over 2, the lift, the stairs and a
/// lecture theatre over foyer and shop. Lift and stairs have no names, as in most maps. Five steps
/// and a ramp lead from the street to the main door. Doors, handrails and floors are described for
/// those who can't see.
public enum SampleMuseum {
    public static let ground = FloorID("museum.0")
    public static let upper = FloorID("museum.1")
    private static let building = BuildingID("museum")

    public static let document: SiteDocument = {
        SiteDocument(
            name: "Museum of the Coast", names: names("Amgueddfa'r Arfordir", "Küstenmuseum"),
            originLatitude: 52.4153, originLongitude: -4.0829, bearingDegrees: 12,
            buildings: [
                BuildingRecord(
                    id: building, name: "Museum of the Coast",
                    names: names("Amgueddfa'r Arfordir", "Küstenmuseum"),
                    timeZone: "Europe/London", outline: box(0, 0, 30, 24))
            ],
            floors: [
                FloorRecord(
                    id: ground, building: building, ordinal: 0, level: "G",
                    names: names("Llawr gwaelod", "Erdgeschoss", english: "Ground floor"),
                    heightMetres: 0),
                FloorRecord(
                    id: upper, building: building, ordinal: 1, level: "1",
                    names: names("Llawr cyntaf", "Erster Stock", english: "First floor"),
                    heightMetres: 4.2),
            ],
            rooms: rooms, locations: locations,
            connections: doors + ways, directory: directory)
    }()

    private static func names(
        _ welsh: String, _ german: String, english: String? = nil
    ) -> Translations {
        var names = ["cy": welsh, "de": german]
        names["en"] = english
        return Translations(names)
    }

    private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double)
        -> Ring
    {
        [[west, south], [east, south], [east, north], [west, north]]
    }

    // MARK: Rooms

    private static func room(
        _ id: String, _ floor: FloorID, _ name: String, _ welsh: String, _ german: String,
        kind: String = "exhibition", _ outline: Ring, hours: String? = nil,
        isRestricted: Bool = false, surface: String? = nil, hasTactilePaving: Bool? = nil
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: name,
            names: name.isEmpty ? Translations() : names(welsh, german), kind: kind,
            outline: outline, isRestricted: isRestricted, openingHours: hours,
            surface: surface, hasTactilePaving: hasTactilePaving)
    }

    private static let rooms: [RoomRecord] = [
        room(
            "foyer", ground, "Foyer", "Cyntedd", "Foyer", kind: "lobby", box(10, 0, 20, 10),
            surface: "stone"),
        room(
            "shop", ground, "Museum Shop", "Siop yr Amgueddfa", "Museumsladen", kind: "shop",
            box(20, 0, 30, 10), hours: "Tu-Su 10:00-17:00"),
        room(
            "cafe", ground, "Harbour Café", "Caffi'r Harbwr", "Hafencafé", kind: "cafe",
            box(0, 0, 10, 10), surface: "wood"),
        room(
            "gallery", ground, "Long Gallery", "Oriel Hir", "Lange Galerie", kind: "corridor",
            box(0, 10, 30, 13), surface: "stone", hasTactilePaving: true),
        room(
            "egypt", ground, "Egypt", "Yr Aifft", "Ägypten", box(0, 13, 10, 24),
            surface: "carpet"),
        room(
            "greece", ground, "Greece and Rome", "Groeg a Rhufain", "Griechenland und Rom",
            box(10, 13, 20, 24)),
        room(
            "toilets", ground, "Toilets", "Toiledau", "Toiletten", kind: "toilet",
            box(20, 13, 24, 18), surface: "tiles"),
        room("lift.0", ground, "", "", "", kind: "lift", box(24, 13, 27, 16)),
        room("stairs.0", ground, "", "", "", kind: "stairs", box(27, 13, 30, 24)),
        room(
            "store", ground, "Store", "Storfa", "Lager", kind: "storage", box(20, 18, 27, 24),
            isRestricted: true),
        room(
            "upper", upper, "Upper Gallery", "Oriel Uchaf", "Obere Galerie", kind: "corridor",
            box(0, 10, 30, 13), surface: "parquet"),
        room(
            "paintings", upper, "Paintings", "Paentiadau", "Gemälde", box(0, 13, 10, 24),
            surface: "parquet"),
        room("clocks", upper, "Clocks", "Clociau", "Uhren", box(10, 13, 20, 24)),
        room("lift.1", upper, "", "", "", kind: "lift", box(24, 13, 27, 16)),
        room("stairs.1", upper, "", "", "", kind: "stairs", box(27, 13, 30, 24)),
        room(
            "theatre", upper, "Lecture Theatre", "Darlithfa", "Hörsaal", kind: "auditorium",
            box(10, 0, 30, 10), hours: "Th 18:00-20:00", surface: "carpet"),
    ]

    private static let locations: [LocationRecord] = [
        LocationRecord(
            id: LocationID("desk"), name: "Ticket desk",
            names: names("Desg docynnau", "Kasse"), floor: ground, room: RoomID("foyer"),
            point: [12, 6]),
        LocationRecord(
            id: LocationID("mummy"), name: "Mummy", names: names("Mymi", "Mumie"), floor: ground,
            room: RoomID("egypt"), point: [3, 20]),
    ]

    private static let directory: [DirectoryEntry] = [
        DirectoryEntry(
            id: DirectoryID("learning"), kind: "department", name: "Learning",
            names: names("Dysgu", "Bildung"), places: [.room(RoomID("theatre"))]),
        DirectoryEntry(
            id: DirectoryID("tea"), kind: "cafe", name: "Tea and cake",
            names: names("Te a chacen", "Tee und Kuchen"), places: [.room(RoomID("cafe"))]),
    ]

    // MARK: Ways

    private static func door(
        _ id: String, _ floor: FloorID, _ first: String?, _ second: String, _ point: Point,
        name: String? = nil, names: Translations = Translations(), isAutomatic: Bool? = false,
        width: Double = 0.9, kind: DoorKind? = nil, opens: DoorSwing? = nil,
        isGlass: Bool? = nil, hours: String? = nil
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("door.\(id)"), kind: .door, name: name, names: names,
            stops: [
                ConnectionStop(
                    floor: first == nil ? nil : floor, room: first.map { RoomID($0) },
                    point: point),
                ConnectionStop(floor: floor, room: RoomID(second), point: point),
            ], accessible: .yes, widthMetres: width, isAutomatic: isAutomatic, doorKind: kind,
            opens: opens, isGlass: isGlass, openingHours: hours)
    }

    private static let doors: [ConnectionRecord] = [
        door(
            "main", ground, nil, "foyer", [15, 0], name: "Main door",
            names: names("Prif ddrws", "Haupteingang"), isAutomatic: true, width: 1.6,
            kind: .sliding, isGlass: true, hours: "Tu-Su 10:00-17:30"),
        door("side", ground, nil, "shop", [26, 0], width: 0.7, hours: "Tu-Su 10:00-17:00"),
        door(
            "shop", ground, "foyer", "shop", [20, 5], kind: .hinged, opens: .first, isGlass: true),
        door("cafe", ground, "foyer", "cafe", [10, 5], kind: .revolving, isGlass: true),
        door("gallery", ground, "foyer", "gallery", [15, 10], isAutomatic: nil, width: 3),
        door("egypt", ground, "gallery", "egypt", [5, 13], isAutomatic: true, kind: .sliding),
        door("greece", ground, "gallery", "greece", [15, 13], isAutomatic: true, opens: .last),
        door("between", ground, "egypt", "greece", [10, 20], width: 0.75),
        door("toilets", ground, "gallery", "toilets", [22, 13], opens: .last),
        door("store", ground, "greece", "store", [20, 21]),
        door("lift.0", ground, "gallery", "lift.0", [25.5, 13], isAutomatic: true),
        door(
            "stairs.0", ground, "gallery", "stairs.0", [28.5, 13], kind: .hinged, opens: .first,
            isGlass: true),
        door("paintings", upper, "upper", "paintings", [5, 13]),
        door("clocks", upper, "upper", "clocks", [15, 13]),
        door("pair", upper, "paintings", "clocks", [10, 20], kind: .folding),
        door(
            "theatre", upper, "upper", "theatre", [20, 10], isAutomatic: true, width: 1.6,
            opens: .both),
        door("lift.1", upper, "upper", "lift.1", [25.5, 13], isAutomatic: true),
        door("stairs.1", upper, "upper", "stairs.1", [28.5, 13]),
    ]

    private static func stop(
        _ floor: FloorID?, _ point: Point, in room: String? = nil
    ) -> ConnectionStop {
        ConnectionStop(floor: floor, room: room.map { RoomID($0) }, point: point)
    }

    private static let ways: [ConnectionRecord] = [
        ConnectionRecord(
            id: ConnectionID("stairs"), kind: .stairs,
            stops: [
                stop(ground, [27.8, 15], in: "stairs.0"), stop(upper, [29.2, 15], in: "stairs.1"),
            ],
            line: [[27.8, 22], [29.2, 22]], accessible: .no, widthMetres: 1.3, steps: 26,
            handrail: .right),
        ConnectionRecord(
            id: ConnectionID("lift"), kind: .lift,
            stops: [
                stop(ground, [25.5, 14.8], in: "lift.0"), stop(upper, [25.5, 14.8], in: "lift.1"),
            ],
            accessible: .yes, widthMetres: 1.2),
        ConnectionRecord(
            id: ConnectionID("steps"), kind: .stairs,
            stops: [stop(nil, [15, -7]), stop(nil, [15, -4])], accessible: .no, steps: 5,
            leads: .up, handrail: .both, hasTactilePaving: true),
        ConnectionRecord(
            id: ConnectionID("ramp"), kind: .ramp,
            stops: [stop(nil, [15, -7]), stop(nil, [15, -4])],
            line: [[9, -7], [9, -4]], accessible: .yes, widthMetres: 1.5, slope: 0.05,
            handrail: .left),
        walk("forecourt", [15, -4], [15, 0]),
        walk(
            "west", [-25, -7], [15, -7], name: "Shore Road", names("Heol y Traeth", "Uferstraße")),
        walk(
            "middle", [15, -7], [26, -7], name: "Shore Road", names("Heol y Traeth", "Uferstraße")),
        walk(
            "east", [26, -7], [60, -7], name: "Shore Road", names("Heol y Traeth", "Uferstraße")),
        walk("shop", [26, -7], [26, 0]),
    ]

    private static func walk(
        _ id: String, _ start: Point, _ end: Point, name: String? = nil,
        _ names: Translations = Translations()
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("walk.\(id)"), kind: .walk, name: name, names: names,
            stops: [stop(nil, start), stop(nil, end)], accessible: .yes, widthMetres: 2.5)
    }
}
