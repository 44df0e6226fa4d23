public import Events
public import Geometry
public import Site

/// Campuses of any size, for benchmarks and tests of large sites. The same numbers give the same
/// site.
///
/// Buildings stand in rows of eight, and a street leads along each row. Each floor has a corridor
/// with rooms on both sides, two stairs and a lift:
///
///     +--+--+--+--+--+--+     rooms in the north
///     +--+--+--+--+--+--+
///     =  s  corridor  l s     = the front door, from which a path leads to the street
///     +--+--+--+--+--+--+
///     +--+--+--+--+--+wc+     rooms in the south, the last with toilets
///     -------------------     the street
///
/// With stalls there is one more building, a hall: its ground floor has aisles with stalls on both
/// sides. Names are in English and Welsh. Every third building numbers its rooms without its own
/// number, as many do: so rooms of several buildings have the same name.
public struct SampleCampus: Sendable {
    /// 12,000 rooms in 60 buildings of four floors and in a hall, whose ground floor has 2,000 of
    /// them, and 20,000 doors.
    public static let large = SampleCampus(
        name: "Large campus", welsh: "Campws mawr", buildings: 60, floors: 4, rooms: 42,
        stalls: 2_000)
    /// 500 rooms in three buildings.
    public static let small = SampleCampus(
        name: "Small campus", welsh: "Campws bach", buildings: 3, floors: 4, rooms: 41, stalls: 0)

    public let name: String
    let welsh: String
    /// The buildings, without the hall.
    public let buildings: Int
    public let floors: Int
    /// The rooms of each floor, besides its corridor.
    let rooms: Int
    /// The rooms of the hall's ground floor, besides its aisles.
    let stalls: Int

    static let columns = 8
    static let roomWidth = 3.0
    static let roomDepth = 8.0
    static let corridorWidth = 3.0
    /// The distances between the corners of neighbouring buildings.
    static let across = 100.0
    static let along = 70.0

    public var document: SiteDocument {
        let all = 0..<buildings
        return SiteDocument(
            name: name, names: Translations(["cy": welsh]), originLatitude: 51.5,
            originLongitude: -0.1, bearingDegrees: 8,
            buildings: all.map(building) + hall.buildings,
            floors: all.flatMap { building in (0..<floors).map { floor(building, $0) } }
                + hall.floors,
            rooms: all.flatMap { building in (0..<floors).flatMap { rooms(building, $0) } }
                + hall.rooms,
            connections: streets
                + all.flatMap { building in
                    ways(building) + (0..<floors).flatMap { doors(building, $0) }
                } + hall.connections,
            directory: departments + services)
    }

    /// The hall stands north of all rows.
    var hall: SampleHall {
        SampleHall(stalls: stalls, corner: Point(x: 0, y: Double(rows) * Self.along + 10))
    }

    var rows: Int { (buildings + Self.columns - 1) / Self.columns }
    var north: Int { (rooms + 1) / 2 }
    var width: Double { Double(north) * Self.roomWidth }

    // MARK: Ids

    public func room(_ building: Int, _ floor: Int, _ number: Int) -> RoomID {
        RoomID("b\(building).\(floor).\(number)")
    }

    func corridor(_ building: Int, _ floor: Int) -> RoomID { RoomID("b\(building).\(floor).c") }

    public func buildingID(_ number: Int) -> BuildingID { BuildingID("b\(number)") }

    public func floorID(_ building: Int, _ floor: Int) -> FloorID {
        FloorID("b\(building).\(floor)")
    }

    /// The south-western corner of a building.
    public func corner(_ building: Int) -> Point {
        Point(
            x: Double(building % Self.columns) * Self.across,
            y: Double(building / Self.columns) * Self.along)
    }

    // MARK: Buildings, floors and rooms

    private func building(_ number: Int) -> BuildingRecord {
        let depth = 2 * Self.roomDepth + Self.corridorWidth
        let (name, welsh) = Self.buildingName(number)
        return BuildingRecord(
            id: buildingID(number), name: name, names: Translations(["cy": welsh]),
            timeZone: "Europe/London",
            outline: Self.rectangle(corner(number), width: width, depth: depth))
    }

    static func buildingName(_ number: Int) -> (english: String, welsh: String) {
        let person = people[number % people.count]
        switch number / people.count {
        case 0: return ("\(person) Building", "Adeilad \(person)")
        case 1: return ("\(person) Hall", "Neuadd \(person)")
        case 2: return ("\(person) Laboratory", "Labordy \(person)")
        default: return ("Building \(number)", "Adeilad \(number)")
        }
    }

    private static let people = [
        "Abbott", "Bevan", "Carys", "Dunstan", "Ellery", "Fenwick", "Gower", "Hartnell", "Ithell",
        "Jessop", "Kendrick", "Llewelyn", "Marlow", "Nightingale", "Ormond", "Penrose", "Quentin",
        "Rhydderch", "Stanhope", "Tremayne",
    ]

    private func floor(_ building: Int, _ floor: Int) -> FloorRecord {
        FloorRecord(
            id: floorID(building, floor), building: buildingID(building), ordinal: floor,
            level: floor == 0 ? "G" : "\(floor)", heightMetres: 4 * Double(floor))
    }

    static func rectangle(_ from: Point, width: Double, depth: Double) -> Ring {
        Ring([
            from, Point(x: from.x + width, y: from.y),
            Point(x: from.x + width, y: from.y + depth), Point(x: from.x, y: from.y + depth),
        ])
    }

    private func rooms(_ building: Int, _ floor: Int) -> [RoomRecord] {
        let origin = corner(building)
        let number = Self.ownNumber(building)
        let whole = RoomRecord(
            id: corridor(building, floor), floor: floorID(building, floor),
            name: "Corridor \(number)\(floor)",
            names: Translations(["cy": "Coridor \(number)\(floor)"]), kind: "corridor",
            outline: Self.rectangle(
                Point(x: origin.x, y: origin.y + Self.roomDepth), width: width,
                depth: Self.corridorWidth))
        return [whole]
            + (0..<rooms).map { room in
                let use = use(room)
                let sign =
                    use.isNumbered ? " \(number)\(floor).\(room < 9 ? "0" : "")\(room + 1)" : ""
                return RoomRecord(
                    id: self.room(building, floor, room), floor: floorID(building, floor),
                    name: use.english + sign, names: Translations(["cy": use.welsh + sign]),
                    kind: use.kind,
                    outline: Self.rectangle(
                        place(room, origin), width: Self.roomWidth, depth: Self.roomDepth),
                    isRestricted: use.kind == "storage")
            }
    }

    /// How a building begins the numbers of its rooms.
    private static func ownNumber(_ building: Int) -> String {
        building % 3 == 2 ? "" : "\(building + 1)."
    }

    private typealias Use = (kind: String, english: String, welsh: String, isNumbered: Bool)

    private func use(_ room: Int) -> Use {
        if room == rooms - 1 { return ("toilet", "Toilets", "Toiledau", false) }
        switch room % 8 {
        case 0: return ("classroom", "Seminar room", "Ystafell seminar", true)
        case 4: return ("laboratory", "Laboratory", "Labordy", true)
        case 7 where room % 16 == 7: return ("storage", "Store", "Storfa", true)
        default: return ("office", "Office", "Swyddfa", true)
        }
    }

    /// The south-west corner of a room.
    func place(_ number: Int, _ origin: Point) -> Point {
        let isNorth = number < north
        return Point(
            x: origin.x + Double(isNorth ? number : number - north) * Self.roomWidth,
            y: origin.y + (isNorth ? Self.roomDepth + Self.corridorWidth : 0))
    }
}
