import Events
import Postgres
import Wire

/// Counts positions and devices of rooms from the tables of room hours (`RoomHours`), so that no
/// position is read.
struct RoomHourQuery: Sendable {
    let site: String
    /// Nil for all rooms, and for positions in no room.
    let rooms: [String]?
    let period: FigurePeriod

    /// The counts of each room, in the order of their ids.
    func rooms(
        _ pool: PostgresPool, after: String?, limit: Int
    ) async throws -> [RoomCount] {
        try await pool.read(
            """
            WITH wanted AS (\(Self.wanted)),
            counted AS (
                SELECT room AS number, sum(positions)::bigint AS positions
                FROM locator.room_hour_counts
                WHERE hour >= $3 AND hour < $4 AND room = ANY (ARRAY(SELECT number FROM wanted))
                GROUP BY room),
            present AS (
                SELECT room AS number, count(DISTINCT device) AS devices,
                    count(*) AS device_hours, count(DISTINCT hour) AS hours
                FROM locator.room_hour_devices
                WHERE hour >= $3 AND hour < $4 AND room = ANY (ARRAY(SELECT number FROM wanted))
                GROUP BY room)
            SELECT wanted.room, counted.positions, present.devices, present.device_hours,
                present.hours
            FROM wanted JOIN counted USING (number) JOIN present USING (number)
            WHERE $5::text IS NULL OR wanted.room > $5
            ORDER BY wanted.room LIMIT $6
            """, values + [.optional(after, PostgresValue.text), .int(limit)]
        ).map { row in
            let room: String = try row[0]
            return RoomCount(
                room: room.isEmpty ? nil : RoomID(room), positions: try row[1],
                devices: try row[2], deviceHours: try row[3], hours: try row[4])
        }
    }

    /// The counts of each hour, of all wanted rooms together.
    func hours(_ pool: PostgresPool) async throws -> [HourCount] {
        try await pool.read(
            """
            WITH wanted AS (\(Self.wanted)),
            counted AS (
                SELECT hour, sum(positions)::bigint AS positions FROM locator.room_hour_counts
                WHERE hour >= $3 AND hour < $4 AND room = ANY (ARRAY(SELECT number FROM wanted))
                GROUP BY hour),
            present AS (
                SELECT hour, count(DISTINCT device) AS devices FROM locator.room_hour_devices
                WHERE hour >= $3 AND hour < $4 AND room = ANY (ARRAY(SELECT number FROM wanted))
                GROUP BY hour)
            SELECT hour, counted.positions, present.devices
            FROM counted JOIN present USING (hour) ORDER BY hour
            """, values
        ).map { row in
            HourCount(
                hour: Timestamp(microseconds: try row[0]), positions: try row[1],
                devices: try row[2])
        }
    }

    private static let wanted = """
        SELECT number, room FROM locator.position_rooms
        WHERE site = $1 AND ($2::text[] IS NULL OR room = ANY ($2))
        """

    private var values: [PostgresValue] {
        [
            .text(site), .optional(rooms) { .textArray($0) },
            .timestamp(microseconds: period.from.microseconds),
            .timestamp(microseconds: period.until.microseconds),
        ]
    }
}
