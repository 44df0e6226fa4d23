import Foundation
import Postgres

/// An analyst's questions by SQL about the day in the table, with their times.
struct PositionQuestions {
    private static let hour = "2026-11-22 12:00:00+00"
    private static let all: [(name: String, sql: String)] = [
        (
            "a device, number of positions",
            "SELECT count(*) FROM locator.positions WHERE device = 'device-7'"
        ),
        (
            "a device, newest position",
            "SELECT * FROM locator.positions WHERE device = 'device-7' ORDER BY at DESC LIMIT 1"
        ),
        (
            "ten minutes, by room",
            """
            SELECT room, count(*) FROM locator.positions
            WHERE at >= '\(hour)' AND at < '\(hour)'::timestamptz + interval '10 minutes'
            GROUP BY room
            """
        ),
        (
            "the day by room and hour, from room_hours",
            "SELECT room, hour, positions, devices FROM locator.room_hours"
        ),
        (
            "the day by room, from room_hours",
            "SELECT room, sum(positions) FROM locator.room_hours GROUP BY room"
        ),
        ("the day by room", "SELECT room, count(*) FROM locator.positions GROUP BY room"),
        (
            "the day by room, positions and devices",
            """
            SELECT room, sum(positions), count(*) FROM (
                SELECT room, device, count(*) AS positions FROM locator.positions GROUP BY 1, 2
            ) known GROUP BY room
            """
        ),
    ]

    private let connection: PostgresConnection

    init(_ database: PostgresConfiguration) {
        var database = database
        database.statementTimeout = .seconds(600)
        connection = PostgresConnection(database)
    }

    /// Asks each question twice, with the settings of the analysts' role, and prints both times.
    func ask() async throws {
        // The server's background work does both within minutes in an installation.
        try await connection.execute(script: "VACUUM (ANALYZE)")
        try await connection.query(
            """
            SELECT brin_summarize_new_values(pg_class.oid)
            FROM pg_class JOIN pg_am ON pg_am.oid = relam
            WHERE amname = 'brin' AND relkind = 'i'
            """)
        try await connection.execute(script: "SET jit = off")
        for question in Self.all {
            var times: [Double] = []
            var rows = 0
            for _ in 0..<2 {
                let start = ContinuousClock.now
                rows = try await connection.query(question.sql, caching: false).count
                times.append((ContinuousClock.now - start) / .milliseconds(1))
            }
            note(
                String(
                    format: "%9.1f ms, then %9.1f: %@ (%d rows)", times[0], times[1],
                    question.name, rows))
        }
    }
}
