import Events
import Postgres

extension KnownNames {
    /// The id that stands for no room.
    static let noRoom = RoomID("")

    /// A table of names.
    enum Table: String {
        case sites = "position_sites"
        case rooms = "position_rooms"
        case places = "position_places"
        case kinds = "position_kinds"
    }

    /// Finds or makes the numbers of all names in the positions.
    mutating func complete(
        _ positions: [PositionEstimated], places: [NarrowPlace], schema: String,
        connection: isolated PostgresConnection
    ) throws {
        var missing = Missing()
        for (position, place) in zip(positions, places) { missing.add(position, place, self) }
        guard !missing.isEmpty else { return }
        let lookUp = NameLookUp(schema: schema)
        for (name, number) in try lookUp.numbers(
            .sites, missing.sites.map(\.text), connection: connection)
        {
            sites[SiteID(name), default: Site()].number = Int16(number)
        }
        let rooms = try lookUp.numbers(.rooms, Array(missing.rooms.keys), connection: connection)
        for (name, number) in rooms {
            guard let room = missing.rooms[name] else { continue }
            sites[room.site, default: Site()].rooms[room.room] = number
        }
        let places = try lookUp.numbers(.places, Array(missing.places.keys), connection: connection)
        for (name, number) in places {
            guard let place = missing.places[name] else { continue }
            sites[place.site, default: Site()].places[place.place] = number
        }
        let kinds = try lookUp.numbers(.kinds, Array(missing.kinds.keys), connection: connection)
        for (name, number) in kinds {
            if let kind = missing.kinds[name] { self.kinds[kind] = number }
        }
        for (device, found) in try lookUp.devices(missing.devices, connection: connection) {
            sites[device.site, default: Site()].devices[device.device] = found
        }
    }

    private struct Missing {
        var sites: Set<SiteID> = []
        var rooms: [String: (site: SiteID, room: RoomID)] = [:]
        var places: [String: (site: SiteID, place: NarrowPlace)] = [:]
        var kinds: [String: PositionKind] = [:]
        /// Each with the newest day of its positions.
        var devices: [DeviceKey: Int64] = [:]

        var isEmpty: Bool {
            sites.isEmpty && rooms.isEmpty && places.isEmpty && kinds.isEmpty && devices.isEmpty
        }

        mutating func add(
            _ position: PositionEstimated, _ place: NarrowPlace, _ known: KnownNames
        ) {
            let site = known.sites[position.site]
            if site?.number == nil { sites.insert(position.site) }
            let day = position.locatedAt.day
            if (site?.devices[position.device]?.lastDay ?? .min) < day {
                let key = DeviceKey(position.site, position.device)
                devices[key] = max(devices[key] ?? day, day)
            }
            if site?.places[place] == nil {
                places[place.name(at: position.site)] = (position.site, place)
            }
            let kind = PositionKind(position)
            if known.kinds[kind] == nil { kinds[kind.name] = kind }
            add(position.room ?? KnownNames.noRoom, position.site, site)
            for room in position.rooms { add(room.id, position.site, site) }
        }

        private mutating func add(_ room: RoomID, _ site: SiteID, _ known: Site?) {
            if known?.rooms[room] == nil { rooms["\(site)/\(room)"] = (site, room) }
        }
    }
}

/// Finds the numbers of names in the tables, and makes those that are missing. Several members may
/// do so at once.
struct NameLookUp {
    /// Another member that makes a name at the same time commits before ours is refused. So a
    /// second look finds it; more are for members that roll back.
    private static let attempts = 5

    let schema: String

    func numbers(
        _ table: KnownNames.Table, _ names: [String], connection: isolated PostgresConnection
    ) throws -> [String: Int32] {
        // One order for all writers, so that two can't deadlock.
        try numbers(names.sorted()) { missing in
            try connection.query(
                "SELECT name, number FROM \(schema).\(table.rawValue) WHERE name = ANY ($1)",
                [.textArray(missing)])
        } make: { missing in
            try connection.query(
                """
                INSERT INTO \(schema).\(table.rawValue) (name) SELECT * FROM unnest($1::text[])
                ON CONFLICT (name) DO NOTHING RETURNING name, number
                """, [.textArray(missing)])
        }
    }

    /// - Parameter devices: each with the newest day of its rows, which is noted.
    func devices(
        _ devices: [DeviceKey: Int64], connection: isolated PostgresConnection
    ) throws -> [DeviceKey: KnownNames.Device] {
        let keys = Dictionary(
            devices.keys.map { ("\($0.site)/\($0.device)", $0) }, uniquingKeysWith: { $1 })
        func days(_ names: [String]) -> PostgresValue {
            .int64Array(names.map { keys[$0].flatMap { devices[$0] } ?? 0 })
        }
        let numbers = try numbers(keys.keys.sorted()) { missing in
            // Rows that were used before get the new day; a lock on each in one order.
            try connection.query(
                """
                UPDATE \(schema).position_devices known
                SET last_day = greatest(known.last_day, '1970-01-01'::date + new.day::int)
                FROM (SELECT number, day FROM \(schema).position_devices
                    JOIN unnest($1::text[], $2::bigint[]) AS wanted (name, day) USING (name)
                    ORDER BY name FOR UPDATE) new
                WHERE known.number = new.number RETURNING known.name, known.number
                """, [.textArray(missing), days(missing)])
        } make: { missing in
            try connection.query(
                """
                INSERT INTO \(schema).position_devices (name, last_day)
                SELECT name, '1970-01-01'::date + day::int
                FROM unnest($1::text[], $2::bigint[]) AS new (name, day)
                ON CONFLICT (name) DO NOTHING RETURNING name, number
                """, [.textArray(missing), days(missing)])
        }
        var found: [DeviceKey: KnownNames.Device] = [:]
        for (name, number) in numbers {
            guard let key = keys[name], let day = devices[key] else { continue }
            found[key] = KnownNames.Device(number: number, lastDay: day)
        }
        return found
    }

    private func numbers(
        _ names: [String], find: ([String]) throws -> PostgresRows,
        make: ([String]) throws -> PostgresRows
    ) throws -> [String: Int32] {
        var numbers: [String: Int32] = [:]
        var missing = names
        func note(_ rows: PostgresRows) throws {
            for row in rows { numbers[try row["name"]] = try row["number"] as Int32 }
            missing.removeAll { numbers[$0] != nil }
        }
        for _ in 0..<Self.attempts where !missing.isEmpty {
            try note(find(missing))
            if !missing.isEmpty { try note(make(missing)) }
        }
        guard missing.isEmpty else {
            // The state of a deadlock, after which the transaction is tried again.
            throw PostgresError(
                sqlState: "40P01", reason: "names of positions were made and removed by others")
        }
        return numbers
    }
}
