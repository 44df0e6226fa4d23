import Events
import Postgres
import Wire

/// A position as a row of `locator.positions`.
enum PositionRow {
    static let columns = [
        "id", "scan_id", "at", "located_at", "device", "site", "site_version", "building", "floor",
        "room", "rooms", "x", "y", "latitude", "longitude", "covariance", "radius68", "radius95",
        "state", "late", "positioner", "radio_map_version", "motion", "choice_version",
        "lost_because",
    ]

    /// Adds the row in the order of `columns`.
    static func append(_ position: PositionEstimated, to buffer: inout PostgresCopyBuffer)
        throws(PostgresError)
    {
        try buffer.appendRow(
            .uuid(position.id.bytes), .uuid(position.scan.bytes),
            .timestamp(microseconds: position.at.microseconds),
            .timestamp(microseconds: position.locatedAt.microseconds),
            .text(position.device.text), .text(position.site.text), .int(position.siteVersion),
            .optional(position.building?.text, PostgresValue.text),
            .optional(position.floor?.text, PostgresValue.text),
            .optional(position.room?.text, PostgresValue.text), .json(position.rooms.storedJSON),
            .optional(position.x, PostgresValue.double),
            .optional(position.y, PostgresValue.double),
            .optional(position.latitude, PostgresValue.double),
            .optional(position.longitude, PostgresValue.double),
            .optional(position.covariance, PostgresValue.doubleArray),
            .optional(position.radius68, PostgresValue.double),
            .optional(position.radius95, PostgresValue.double), .text(position.state.rawValue),
            .bool(position.late), .text(position.positioner),
            .optional(position.radioMapVersion, PostgresValue.int),
            .optional(position.motion?.rawValue, PostgresValue.text),
            .optional(position.choiceVersion, PostgresValue.int),
            .optional(position.lostBecause?.rawValue, PostgresValue.text))
    }

    /// Reads a row that has all of `columns`, with `rooms` as text.
    static func position(_ row: PostgresRow) throws -> PositionEstimated {
        let state: String = try row["state"]
        var position = PositionEstimated(
            id: try identifier(row["id"]), scan: try identifier(row["scan_id"]),
            at: Timestamp(microseconds: try row["at"]),
            locatedAt: Timestamp(microseconds: try row["located_at"]),
            device: DeviceID(try row["device"]), site: SiteID(try row["site"]),
            siteVersion: try row["site_version"], state: .init(rawValue: state) ?? .lost,
            late: try row["late"], positioner: try row["positioner"],
            radioMapVersion: try row["radio_map_version"])
        let building: String? = try row["building"]
        let floor: String? = try row["floor"]
        let room: String? = try row["room"]
        position.building = building.map(BuildingID.init)
        position.floor = floor.map(FloorID.init)
        position.room = room.map(RoomID.init)
        position.rooms = try .init(storedJSON: row["rooms"])
        position.x = try row["x"]
        position.y = try row["y"]
        position.latitude = try row["latitude"]
        position.longitude = try row["longitude"]
        position.covariance = try row["covariance"]
        position.radius68 = try row["radius68"]
        position.radius95 = try row["radius95"]
        let motion: String? = try row["motion"]
        position.motion = motion.flatMap(MotionPeriod.init(rawValue:))
        position.choiceVersion = try row["choice_version"]
        let lostBecause: String? = try row["lost_because"]
        position.lostBecause = lostBecause.flatMap(PositionEstimated.LostReason.init(rawValue:))
        return position
    }

    static func identifier(_ bytes: [UInt8]) throws -> EventID {
        guard let id = EventID(bytes: bytes) else {
            throw PostgresError(sqlState: "", reason: "a uuid column holds no UUID")
        }
        return id
    }
}
