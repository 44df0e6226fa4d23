import Events
import Postgres

extension PositionsView {
    /// Deletes the positions of one device, its part of the counts by room and hour, and its name.
    ///
    /// It waits for projectors that write at the moment. From then on they look the device's number
    /// up again, so a later position of it gets a new one.
    /// - Returns: the number of positions.
    @discardableResult
    func erase(
        _ device: DeviceID, of site: SiteID, schema: String,
        connection: isolated PostgresConnection
    ) throws -> Int {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text(Self.droppingLock(schema))])
        try connection.query(
            "DELETE FROM \(schema).latest_positions WHERE site = $1 AND device = $2",
            [.text(site.text), .text(device.text)])
        let numbers: [Int32] = try connection.query(
            "SELECT number FROM \(schema).position_devices WHERE name = $1",
            [.text("\(site)/\(device)")]
        ).map { try $0["number"] }
        let number = PostgresValue.optional(numbers.first, PostgresValue.int32)
        let count: Int = try connection.query(
            Self.deletion(schema), [.text(site.text), .text(device.text), number])[0]["count"]
        guard !numbers.isEmpty else { return count }
        try connection.query(
            """
            WITH gone AS (DELETE FROM \(schema).room_hour_devices WHERE device = $1
                RETURNING hour, room, day)
            UPDATE \(schema).room_hour_counts counted SET devices = devices - 1 FROM gone
            WHERE (counted.hour, counted.room, counted.day) = (gone.hour, gone.room, gone.day)
            """, [number])
        try connection.query(
            "DELETE FROM \(schema).position_devices WHERE number = $1", [number])
        try Self.forgetNumbers(schema: schema, connection: connection)
        return count
    }

    /// Deletes the rows of both forms, and takes them out of the counts.
    private static func deletion(_ schema: String) -> String {
        """
        WITH wide AS (DELETE FROM \(schema).wide_positions WHERE site = $1 AND device = $2
            RETURNING coalesce(room, '') AS room, at, located_at),
        narrow AS (DELETE FROM \(schema).position_rows WHERE device = $3::int
            RETURNING place, at, located_at),
        gone AS (SELECT * FROM wide UNION ALL SELECT room, at, located_at
            FROM narrow JOIN \(schema).position_places ON number = place),
        counts AS (SELECT \(PositionTables.bin("1 hour", "at")) AS hour, number AS room,
            (located_at AT TIME ZONE 'UTC')::date AS day, count(*) AS positions
            FROM gone JOIN \(schema).position_rooms ON name = $1 || '/' || gone.room
            GROUP BY 1, 2, 3),
        uncounted AS (UPDATE \(schema).room_hour_counts counted
            SET positions = counted.positions - counts.positions FROM counts
            WHERE (counted.hour, counted.room, counted.day)
                = (counts.hour, counts.room, counts.day))
        SELECT count(*) AS count FROM gone
        """
    }
}
