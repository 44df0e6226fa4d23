import Events
import Postgres
import Site

/// A device in a room during an hour.
struct RoomHourDevice: Hashable, Sendable {
    /// Hours since 1970.
    var hour: Int32
    var room: Int32
    var device: Int32
}

/// Counts positions and devices by room and hour of event time: the view `locator.room_hours`.
///
/// `room_hour_devices` has each device once for a room and hour, with the quarters of the hour in
/// which it was there. So a device is counted once, however often and however late its positions
/// come, and a zone's devices in a quarter can be counted too.
struct RoomHours {
    private static let microsecondsPerHour: Int64 = 3_600_000_000
    private static let quartersPerHour: Int64 = 4

    private struct RoomHour: Hashable, Comparable {
        var hour: Int32
        var room: Int32
        /// The day of locating, with which the row is dropped.
        var day: Int32

        static func < (left: Self, right: Self) -> Bool {
            (left.hour, left.room, left.day) < (right.hour, right.room, right.day)
        }
    }

    private var positions: [RoomHour: Int64] = [:]
    private var devices: [RoomHourDevice: (quarters: Int16, day: Int32)] = [:]

    static func tables(schema: String) -> String {
        """
        CREATE TABLE \(schema).room_hour_counts (
            hour timestamptz NOT NULL,
            room integer NOT NULL,
            -- The day of locating, with which the row is dropped.
            day date NOT NULL,
            positions bigint NOT NULL,
            devices bigint NOT NULL,
            PRIMARY KEY (hour, room, day)
        ) WITH (fillfactor = 50);
        CREATE TABLE \(schema).room_hour_devices (
            hour timestamptz NOT NULL,
            room integer NOT NULL,
            device integer NOT NULL,
            day date NOT NULL,
            quarters smallint NOT NULL,
            PRIMARY KEY (hour, room, device));
        CREATE INDEX ON \(schema).room_hour_devices USING brin (day);
        CREATE VIEW \(schema).room_hours AS
        SELECT room.site, NULLIF(room.room, '') AS room, counted.hour,
            sum(counted.positions)::bigint AS positions, sum(counted.devices)::bigint AS devices
        FROM \(schema).room_hour_counts counted
            JOIN \(schema).position_rooms room ON room.number = counted.room
        GROUP BY room.site, room.room, counted.hour
        """
    }

    /// Adds a position, unless it is of a testers' site.
    mutating func add(_ position: PositionEstimated, _ names: inout KnownNames) {
        guard position.site.tested == nil, let site = names.sites[position.site],
            let room = site.rooms[position.room ?? KnownNames.noRoom],
            let device = site.devices[position.device]?.number
        else { return }
        let (hour, within) = Self.hour(position.at)
        let day = Int32(truncatingIfNeeded: position.locatedAt.day)
        positions[RoomHour(hour: hour, room: room, day: day), default: 0] += 1
        let quarter = Int16(1) << Int16(within * Self.quartersPerHour / Self.microsecondsPerHour)
        let key = RoomHourDevice(hour: hour, room: room, device: device)
        let counted = names.counted[key] ?? 0
        guard counted & quarter == 0 else { return }
        names.counted[key] = counted | quarter
        devices[key, default: (0, day)].quarters |= quarter
    }

    private static func hour(_ time: Timestamp) -> (hour: Int32, within: Int64) {
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(
            dividingBy: microsecondsPerHour)
        return remainder < 0
            ? (Int32(truncatingIfNeeded: quotient - 1), remainder + microsecondsPerHour)
            : (Int32(truncatingIfNeeded: quotient), remainder)
    }

    /// Writes the counts. Call it late in a transaction, since others that count in the same rooms
    /// wait from here to the commit.
    func write(schema: String, connection: isolated PostgresConnection) throws {
        guard !positions.isEmpty else { return }
        let new = try writeDevices(schema: schema, connection: connection)
        let keys = positions.keys.sorted()
        try connection.query(
            """
            INSERT INTO \(schema).room_hour_counts AS known (hour, room, day, positions, devices)
            SELECT to_timestamp(hour * 3600.0), room, '1970-01-01'::date + day, positions, devices
            FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::bigint[])
                AS new (hour, room, day, positions, devices)
            ON CONFLICT (hour, room, day) DO UPDATE
            SET positions = known.positions + excluded.positions,
                devices = known.devices + excluded.devices
            """,
            [
                .int32Array(keys.map(\.hour)), .int32Array(keys.map(\.room)),
                .int32Array(keys.map(\.day)), .int64Array(keys.map { positions[$0] ?? 0 }),
                .int64Array(keys.map { new[$0] ?? 0 }),
            ])
    }

    /// Notes the devices; returns how many of them are new in each room and hour.
    private func writeDevices(
        schema: String, connection: isolated PostgresConnection
    ) throws -> [RoomHour: Int64] {
        guard !devices.isEmpty else { return [:] }
        let keys = devices.keys.sorted {
            ($0.hour, $0.room, $0.device) < ($1.hour, $1.room, $1.device)
        }
        // A row that this statement made has no xmax; one that it found and locked has.
        let rows = try connection.query(
            """
            INSERT INTO \(schema).room_hour_devices AS known (hour, room, device, day, quarters)
            SELECT to_timestamp(hour * 3600.0), room, device, '1970-01-01'::date + day, quarters
            FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[])
                AS new (hour, room, device, day, quarters)
            ON CONFLICT (hour, room, device) DO UPDATE
            SET quarters = known.quarters | excluded.quarters
            WHERE known.quarters | excluded.quarters <> known.quarters
            RETURNING (extract(epoch FROM hour) / 3600)::int AS hour, room, device,
                known.xmax = 0 AS is_new
            """,
            [
                .int32Array(keys.map(\.hour)), .int32Array(keys.map(\.room)),
                .int32Array(keys.map(\.device)), .int32Array(keys.map { devices[$0]?.day ?? 0 }),
                .int32Array(keys.map { Int32(devices[$0]?.quarters ?? 0) }),
            ])
        var new: [RoomHour: Int64] = [:]
        for row in rows where try row["is_new"] {
            let key = RoomHourDevice(
                hour: try row["hour"], room: try row["room"], device: try row["device"])
            guard let day = devices[key]?.day else { continue }
            new[RoomHour(hour: key.hour, room: key.room, day: day), default: 0] += 1
        }
        return new
    }
}
