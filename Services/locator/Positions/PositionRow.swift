import Events
import Postgres
import Wire

/// A position as a row of `locator.wide_positions`.
enum PositionRow {
    /// One column: its name, its value of a position, and the way back.
    private struct Column: Sendable {
        typealias Read = @Sendable (PostgresRow, inout PositionEstimated) throws -> Void

        var name: String
        /// The column as a query selects it.
        var selected: String
        var value: @Sendable (PositionEstimated) -> PostgresValue
        var read: Read

        init(
            _ name: String, selected: String? = nil,
            _ value: @escaping @Sendable (PositionEstimated) -> PostgresValue,
            _ read: @escaping Read
        ) {
            self.name = name
            self.selected = selected ?? name
            self.value = value
            self.read = read
        }
    }

    private static let table: [Column] = [
        Column("id", { .uuid($0.id.bytes) }, { $1.id = try identifier($0["id"]) }),
        Column(
            "scan_id", { .uuid($0.scan.bytes) }, { $1.scan = try identifier($0["scan_id"]) }),
        Column("at", { time($0.at) }, { $1.at = Timestamp(microseconds: try $0["at"]) }),
        Column(
            "located_at", { time($0.locatedAt) },
            { $1.locatedAt = Timestamp(microseconds: try $0["located_at"]) }),
        Column(
            "device", { .text($0.device.text) }, { $1.device = DeviceID(try $0["device"]) }),
        Column("site", { .text($0.site.text) }, { $1.site = SiteID(try $0["site"]) }),
        Column(
            "site_version", { .int($0.siteVersion) },
            { $1.siteVersion = try $0["site_version"] }),
        Column(
            "building", { text($0.building?.text) },
            { $1.building = try optional($0["building"], BuildingID.init) }),
        Column(
            "floor", { text($0.floor?.text) },
            { $1.floor = try optional($0["floor"], FloorID.init) }),
        Column(
            "room", { text($0.room?.text) }, { $1.room = try optional($0["room"], RoomID.init) }),
        Column(
            "rooms", selected: "rooms::text AS rooms", { .json($0.rooms.storedJSON) },
            { $1.rooms = try .init(storedJSON: $0["rooms"]) }),
        Column("x", { number($0.x) }, { $1.x = try $0["x"] }),
        Column("y", { number($0.y) }, { $1.y = try $0["y"] }),
        Column("latitude", { number($0.latitude) }, { $1.latitude = try $0["latitude"] }),
        Column("longitude", { number($0.longitude) }, { $1.longitude = try $0["longitude"] }),
        Column(
            "covariance", { .optional($0.covariance, PostgresValue.doubleArray) },
            { $1.covariance = try $0["covariance"] }),
        Column("radius68", { number($0.radius68) }, { $1.radius68 = try $0["radius68"] }),
        Column("radius95", { number($0.radius95) }, { $1.radius95 = try $0["radius95"] }),
        Column(
            "state", { .text($0.state.rawValue) },
            { $1.state = .init(rawValue: try $0["state"]) ?? .lost }),
        Column("late", { .bool($0.late) }, { $1.late = try $0["late"] }),
        Column(
            "positioner", { .text($0.positioner) }, { $1.positioner = try $0["positioner"] }),
        Column(
            "radio_map_version", { .optional($0.radioMapVersion, PostgresValue.int) },
            { $1.radioMapVersion = try $0["radio_map_version"] }),
        Column(
            "motion", { text($0.motion?.rawValue) },
            { $1.motion = try optional($0["motion"], MotionPeriod.init(rawValue:)) }),
        Column(
            "choice_version", { .optional($0.choiceVersion, PostgresValue.int) },
            { $1.choiceVersion = try $0["choice_version"] }),
        Column(
            "lost_because", { text($0.lostBecause?.rawValue) },
            {
                $1.lostBecause = try optional(
                    $0["lost_because"], PositionEstimated.LostReason.init(rawValue:))
            }),
    ]

    /// The columns' names, for COPY.
    static let columns = table.map(\.name).joined(separator: ", ")
    /// The columns as `position` reads them, for SELECT.
    static let selection = table.map(\.selected).joined(separator: ", ")

    /// Adds the row in the order of `columns`.
    static func append(_ position: PositionEstimated, to buffer: inout PostgresCopyBuffer)
        throws(PostgresError)
    {
        try buffer.appendRow(table.map { $0.value(position) })
    }

    /// - Parameter row: must have all of `selection`.
    static func position(_ row: PostgresRow) throws -> PositionEstimated {
        let none = EventID(high: 0, low: 0)
        let start = Timestamp(microseconds: 0)
        var position = PositionEstimated(
            id: none, scan: none, at: start, locatedAt: start, device: DeviceID(""),
            site: SiteID(""), siteVersion: 0, state: .lost, late: false, positioner: "",
            radioMapVersion: nil)
        for column in table { try column.read(row, &position) }
        return position
    }

    static func identifier(_ bytes: [UInt8]) throws -> EventID {
        guard let id = EventID(bytes: bytes) else {
            throw PostgresError(sqlState: "", reason: "a uuid column holds no UUID")
        }
        return id
    }

    private static func time(_ time: Timestamp) -> PostgresValue {
        .timestamp(microseconds: time.microseconds)
    }
    private static func text(_ text: String?) -> PostgresValue {
        .optional(text, PostgresValue.text)
    }
    private static func number(_ number: Double?) -> PostgresValue {
        .optional(number, PostgresValue.double)
    }
    private static func optional<Value>(_ text: String?, _ make: (String) -> Value?) -> Value? {
        text.flatMap(make)
    }
}
