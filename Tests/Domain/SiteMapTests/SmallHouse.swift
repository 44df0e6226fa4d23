import Events
import Geometry
import Glibc
import Site

func cosine(_ angle: Double) -> Double { cos(angle) }

/// Two floors: a hall with two rooms off it, a lift, stairs, an entrance and a street.
enum SmallHouse {
    static func site(
        _ change: (inout SiteDocument) -> Void = { _ in }
    ) throws -> SiteIndex {
        var document = document
        change(&document)
        return try SiteIndex(document)
    }

    static func stop(
        _ floor: String?, _ x: Double, _ y: Double, room: String? = nil
    ) -> ConnectionStop {
        ConnectionStop(floor: floor.map(FloorID.init), room: room.map(RoomID.init), point: [x, y])
    }

    private static func room(
        _ id: String, _ name: String, _ kind: String, _ x: Double, _ y: Double, _ width: Double,
        _ height: Double, _ names: [String: String] = [:]
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: FloorID("g"), name: name, names: Translations(names),
            kind: kind,
            outline: [[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    }

    private static let document = SiteDocument(
        name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 30,
        buildings: [
            BuildingRecord(
                id: BuildingID("house"), name: "House", names: Translations(["cy": "Tŷ"]),
                timeZone: "Europe/London", outline: [[0, 0], [20, 0], [20, 10], [0, 10]]),
            BuildingRecord(
                id: BuildingID("annexe"), name: "Annexe", timeZone: "Europe/London",
                outline: [[25, 0], [35, 0], [35, 10], [25, 10]]),
        ],
        floors: [
            FloorRecord(
                id: FloorID("g"), building: BuildingID("house"), ordinal: 0, level: "G",
                names: Translations(["en": "Ground floor"])),
            FloorRecord(id: FloorID("1"), building: BuildingID("house"), ordinal: 1, level: "1"),
        ],
        rooms: [
            room("hall", "Hall", "corridor", 0, 0, 20, 4),
            room("a", "Exhibition (S)6.01", "room", 0, 4, 10, 6, ["cy": "Arddangosfa (S)6.01"]),
            room("wc", "Toilet", "toilet", 10, 4, 5, 6),
            room("plant", "Plant", "nonpublic", 15, 4, 5, 6),
        ],
        locations: [
            LocationRecord(
                id: LocationID("meet"), name: "Meeting point", floor: FloorID("g"), room: nil,
                point: [3, 2])
        ],
        connections: [
            ConnectionRecord(
                id: ConnectionID("door-a"), kind: .door,
                stops: [stop("g", 5, 4, room: "hall"), stop("g", 5, 4, room: "a")],
                widthMetres: 2, isAutomatic: true),
            ConnectionRecord(
                id: ConnectionID("front"), kind: .door,
                stops: [stop(nil, 9, 0), stop("g", 9, 0, room: "hall")], accessible: .yes),
            ConnectionRecord(
                id: ConnectionID("lift"), kind: .lift, name: "Lift A",
                stops: [stop("g", 18, 2), stop("1", 18, 2)], accessible: .yes),
            ConnectionRecord(
                id: ConnectionID("stairs"), kind: .stairs,
                stops: [stop("1", 15, 1), stop("g", 12, 1)]),
            ConnectionRecord(
                id: ConnectionID("street"), kind: .walk, name: "High <Street>",
                stops: [stop(nil, -50, -1.5), stop(nil, 70, -1.5)]),
            ConnectionRecord(
                id: ConnectionID("far"), kind: .walk,
                stops: [stop(nil, 500, 0), stop(nil, 600, 0)]),
        ],
        zones: [
            ZoneRecord(
                id: ZoneID("quiet"), name: "Quiet", kind: "study", floor: FloorID("g"),
                outline: [[1, 5], [4, 5], [4, 9]])
        ])
}
