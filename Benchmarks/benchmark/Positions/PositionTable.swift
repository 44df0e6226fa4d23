import Foundation
import Postgres

/// The table of positions in the benchmark's database, and its peer.
struct PositionTable {
    private static let schema = "locator"

    private let connection: PostgresConnection
    private let table: String
    private var file = ""
    private var rows = 0

    init(_ database: PostgresConfiguration) async throws {
        var database = database
        database.statementTimeout = .seconds(3_600)
        connection = PostgresConnection(database)
        let isNarrow: Bool = try await connection.query(
            "SELECT to_regclass('locator.position_rows') IS NOT NULL AS narrow")[0]["narrow"]
        table = isNarrow ? "\(Self.schema).position_rows" : "\(Self.schema).positions"
    }

    /// Writes the first rows into the file that the peer copies.
    mutating func preparePeer(rows: Int, in directory: URL) async throws {
        file = directory.appending(path: "rows.copy").path
        self.rows = rows
        try await connection.execute(
            script: """
                COPY (SELECT * FROM \(table) LIMIT \(rows)) TO '\(file)' (FORMAT binary)
                """)
    }

    /// Loads the rows into an empty copy of the table, and returns the seconds.
    func copyPeer() async throws -> Double {
        try await connection.execute(
            script: """
                DROP TABLE IF EXISTS public.peer;
                CREATE TABLE public.peer (LIKE \(table) INCLUDING ALL)
                """)
        let start = ContinuousClock.now
        try await connection.execute(script: "COPY public.peer FROM '\(file)' (FORMAT binary)")
        return (ContinuousClock.now - start) / .seconds(1)
    }

    func dropPeer() async throws {
        try await connection.execute(script: "DROP TABLE IF EXISTS public.peer")
    }

    /// The bytes of a row, in the tables and in each index.
    func reportSizes() async throws {
        let rows: Int = try await connection.query(
            "SELECT count(*) AS rows FROM \(table)")[0]["rows"]
        let sizes = try await connection.query(
            """
            SELECT coalesce(parent.relname, own.relname)::text AS name,
                sum(pg_relation_size(own.oid) + CASE WHEN own.relkind = 'r' THEN
                    pg_relation_size(own.oid, 'fsm') + pg_relation_size(own.oid, 'vm')
                ELSE 0 END)::bigint AS bytes
            FROM pg_class own LEFT JOIN pg_inherits ON inhrelid = own.oid
                LEFT JOIN pg_class parent ON parent.oid = inhparent
            WHERE own.relnamespace = '\(Self.schema)'::regnamespace AND own.relkind IN ('r', 'i')
            GROUP BY 1 HAVING sum(pg_relation_size(own.oid)) > 0 ORDER BY 2 DESC
            """)
        var total = 0.0
        for size in sizes {
            let bytes: Int = try size["bytes"]
            let name: String = try size["name"]
            total += Double(bytes) / Double(rows)
            note(
                String(
                    format: "%8.2f bytes a row: %@, %.1f MB", Double(bytes) / Double(rows), name,
                    Double(bytes) / 1e6))
        }
        note(String(format: "%8.2f bytes a row in all, %ld rows", total, rows))
    }
}
