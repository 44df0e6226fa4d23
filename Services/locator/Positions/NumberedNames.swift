import Events
import Postgres

/// The names behind numbers of `locator.position_rows`, for reading.
struct NumberedNames: Sendable {
    /// The most names that are kept in memory.
    private static let most = 400_000

    struct Place: Sendable {
        var building: BuildingID?
        var floor: FloorID?
        var room: RoomID?
        var latitude: Int64
        var longitude: Int64
    }

    /// Numbers without a name yet.
    struct Missing: Sendable {
        var sites: Set<Int32> = []
        var devices: Set<Int32> = []
        var places: Set<Int32> = []
        var kinds: Set<Int32> = []
        var rooms: Set<Int32> = []

        var isEmpty: Bool {
            sites.isEmpty && devices.isEmpty && places.isEmpty && kinds.isEmpty && rooms.isEmpty
        }
    }

    private(set) var generation: NamesGeneration?
    private(set) var sites: [Int32: SiteID] = [:]
    /// Nil for a device that was removed.
    private(set) var devices: [Int32: DeviceID?] = [:]
    private(set) var places: [Int32: Place] = [:]
    private(set) var kinds: [Int32: PositionKind] = [:]
    private(set) var rooms: [Int32: RoomID] = [:]

    /// Forgets the names of other tables, or too many.
    mutating func begin(_ generation: NamesGeneration) {
        if self.generation != generation || devices.count + places.count > Self.most {
            self = NumberedNames()
        }
        self.generation = generation
    }

    static func statements(_ missing: Missing, schema: String) -> [PostgresStatement] {
        func statement(_ columns: String, _ table: String, _ numbers: Set<Int32>)
            -> PostgresStatement
        {
            PostgresStatement(
                "SELECT number, \(columns) FROM \(schema).\(table) WHERE number = ANY ($1)",
                [.int32Array(numbers.sorted())])
        }
        return [
            statement("name", "position_sites", missing.sites),
            statement("device", "position_devices", missing.devices),
            statement(
                "building, floor, room, latitude, longitude", "position_places", missing.places),
            statement(
                "site_version, radio_map_version, choice_version, state, late, motion, "
                    + "lost_because, positioner", "position_kinds", missing.kinds),
            statement("room", "position_rooms", missing.rooms),
        ]
    }

    /// - Parameter answers: those of `statements`.
    mutating func add(_ answers: ArraySlice<PostgresRows>, _ missing: Missing) throws {
        let answers = Array(answers)
        for row in answers[0] { sites[try row[0]] = SiteID(try row[1]) }
        for number in missing.devices { devices[number] = .some(nil) }
        for row in answers[1] { devices[try row[0]] = DeviceID(try row[1]) }
        for row in answers[2] {
            let texts: [String] = [try row[1], try row[2], try row[3]]
            places[try row[0]] = Place(
                building: texts[0].isEmpty ? nil : BuildingID(texts[0]),
                floor: texts[1].isEmpty ? nil : FloorID(texts[1]),
                room: texts[2].isEmpty ? nil : RoomID(texts[2]), latitude: try row[4],
                longitude: try row[5])
        }
        for row in answers[3] { kinds[try row[0]] = try PositionKind(row) }
        for row in answers[4] { rooms[try row[0]] = RoomID(try row[1]) }
    }
}

extension PositionKind {
    /// - Parameter row: as `NumberedNames.statements` selects it.
    fileprivate init(_ row: PostgresRow) throws {
        siteVersion = try row[1]
        radioMapVersion = try row[2]
        choiceVersion = try row[3]
        state = PositionEstimated.State(rawValue: try row[4]) ?? .lost
        late = try row[5]
        let motion: String? = try row[6]
        self.motion = motion.flatMap { MotionPeriod(rawValue: $0) }
        let reason: String? = try row[7]
        lostBecause = reason.flatMap { PositionEstimated.LostReason(rawValue: $0) }
        positioner = try row[8]
    }
}
