import Events
import Geometry
import Site

/// A site with each fact that the format can say, and kinds of room that it has no word for.
enum RichSite {
    private static let house = BuildingID("house")
    private static let annexe = BuildingID("annexe")
    private static let low = FloorID("low")
    private static let high = FloorID("high")
    private static let side = FloorID("side")

    private static func box(_ x: Double, _ y: Double, _ width: Double, _ depth: Double) -> Ring {
        [[x, y], [x + width, y], [x + width, y + depth], [x, y + depth]]
    }

    private static func room(
        _ id: String, _ floor: FloorID, _ kind: String, _ outline: Ring, holes: [Ring] = []
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: "Room \(id)",
            names: Translations(["cy": "Ystafell \(id)", "de-CH": "Raum \(id)"]), kind: kind,
            outline: outline, holes: holes)
    }

    private static func stop(_ floor: FloorID?, _ room: String?, _ point: Point) -> ConnectionStop {
        ConnectionStop(floor: floor, room: room.map { RoomID($0) }, point: point)
    }

    private static let rooms: [RoomRecord] = {
        var hall = room("hall", low, "area", box(0, 0, 20, 10), holes: [box(4, 4, 2, 2)])
        hall.accessible = .yes
        hall.surface = "stone"
        hall.hasTactilePaving = false
        var office = room("office", low, "Büro & more", box(20, 0, 5, 5))
        office.isRestricted = true
        office.accessible = .no
        office.openingHours = "Mo-Fr 09:00-17:00; PH off"
        return [
            hall, office, room("lobby", low, "area", box(20, 5, 5, 5)),
            room("column", low, "column", box(8, 8, 1, 1)),
            room("wall", low, "wall", box(12, 2, 0.3, 4)),
            room("track", low, "platform", box(0, 10, 25, 3)),
            room("wc", low, "toilet", box(25, 0, 3, 3)),
            room("shaft.0", low, "lift", box(25, 3, 2, 2)),
            room("shaft.1", high, "lift", box(25, 3, 2, 2)),
            room("flight", high, "stairs", box(20, 0, 5, 3)),
            room("bank", side, "bank", box(0, 0, 4, 4)),
        ]
    }()

    private static let ways: [ConnectionRecord] = [
        ConnectionRecord(
            id: ConnectionID("door"), kind: .door, name: "Main door",
            names: Translations(["cy": "Prif ddrws"]),
            stops: [stop(nil, nil, [10, 0]), stop(low, "hall", [10, 0])], accessible: .no,
            widthMetres: 1.25, kerbMetres: 0.02, isAutomatic: false, doorKind: .revolving,
            isGlass: true, hasTactilePaving: true, openingHours: "off"),
        ConnectionRecord(
            id: ConnectionID("thick"), kind: .door,
            stops: [stop(low, "hall", [20, 2]), stop(low, "office", [20.4, 2])],
            widthMetres: 0.9, doorKind: .sliding),
        ConnectionRecord(
            id: ConnectionID("second"), kind: .door,
            stops: [stop(low, "hall", [20, 7]), stop(low, "lobby", [20, 7])]),
        ConnectionRecord(
            id: ConnectionID("again"), kind: .door,
            stops: [stop(low, "hall", [20, 7]), stop(low, "office", [20, 7])]),
        ConnectionRecord(
            id: ConnectionID("lift"), kind: .lift,
            stops: [stop(low, "shaft.0", [26, 4]), stop(high, "shaft.1", [26, 4])],
            accessible: .yes, openingHours: "Mo-Su 06:00-22:00"),
        ConnectionRecord(
            id: ConnectionID("platform"), kind: .platformLift,
            stops: [
                stop(nil, nil, [3, -1]), stop(low, "hall", [3, -1]), stop(high, nil, [3, -1]),
            ]),
        ConnectionRecord(
            id: ConnectionID("stairs"), kind: .stairs,
            stops: [stop(high, "flight", [21, 1]), stop(low, "hall", [18, 1])],
            line: [[20, 2], [19, 2]], widthMetres: 1.4, steps: 18, handrail: .left),
        ConnectionRecord(
            id: ConnectionID("few"), kind: .stairs,
            stops: [stop(low, "hall", [1, 1]), stop(low, "track", [1, 11])], steps: 3,
            leads: .down, handrail: .missing),
        ConnectionRecord(
            id: ConnectionID("escalator"), kind: .escalator,
            stops: [stop(low, "hall", [2, 5]), stop(high, nil, [6, 5])], isOneWay: true),
        ConnectionRecord(
            id: ConnectionID("ramp"), kind: .ramp,
            stops: [stop(nil, nil, [10, -9]), stop(nil, nil, [10, 0])], line: [[12, -5]],
            widthMetres: 2, slope: 0.07, isOffGround: true, surface: "asphalt",
            handrail: .both),
        ConnectionRecord(
            id: ConnectionID("way"), kind: .walk, name: "Lane",
            stops: [stop(nil, nil, [10, -9]), stop(nil, nil, [60, -9])], isOneWay: true,
            slope: -0.031, kerbMetres: 0, handrail: .unstated),
        ConnectionRecord(
            id: ConnectionID("bridge"), kind: .walk,
            stops: [stop(low, "hall", [0, 5]), stop(side, "bank", [3, 3])], handrail: .right),
    ]

    static let document: SiteDocument = {
        var site = SiteDocument(
            name: "Rich", names: Translations(["de": "Reich"]), attribution: "© Somebody",
            originLatitude: -33.4569, originLongitude: 179.99, bearingDegrees: -12.5,
            buildings: [
                BuildingRecord(
                    id: house, name: "House", names: Translations(["cy": "Tŷ"]),
                    timeZone: "Europe/Berlin", outline: box(-1, -1, 30, 16),
                    address: "12 Long Street, Town"),
                BuildingRecord(id: annexe, name: "Annexe", timeZone: "Europe/London"),
            ],
            floors: [
                FloorRecord(id: low, building: house, ordinal: -1, level: "LG"),
                FloorRecord(
                    id: high, building: house, ordinal: 2, level: "2",
                    names: Translations(["en": "Second floor"])),
                FloorRecord(id: side, building: annexe, ordinal: -1, level: "Souterrain"),
            ], rooms: rooms, connections: ways)
        site.directory = [
            DirectoryEntry(
                id: DirectoryID("desk"), kind: "service", name: "Desk",
                names: Translations(["cy": "Desg"]),
                places: [.room(RoomID("office")), .building(house), .floor(high)],
                openingHours: "Mo 10:00-12:00", website: "https://example.org/?a=1&b=2",
                telephone: "+44 20 1234"),
            DirectoryEntry(
                id: DirectoryID("till"), kind: "shop", name: "Till",
                places: [.building(house)]),
        ]
        return site
    }()
}
