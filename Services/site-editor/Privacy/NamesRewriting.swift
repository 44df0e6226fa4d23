public import Postgres

/// Rewrites the tables of names, so that no file of PostgreSQL holds the bytes of a deleted name.
///
/// A plain VACUUM leaves them in the free space of tables and indexes, in samples of columns, and
/// in the write-ahead log.
public struct NamesRewriting: Sendable {
    /// Tables that held names, or events with names on their way to the log.
    private static let further = ["site_editor.outbox"]

    private let connection: PostgresConnection

    /// - Parameter pool: of the database's superuser, which some of the steps need.
    public init(_ pool: PostgresPool) {
        connection = pool.separateConnection(settings: ["statement_timeout": "0"])
    }

    /// - Throws: a `PostgresError`; `insufficient_privilege` where the role is no superuser.
    /// - Returns: why the write-ahead log may still hold what was written before, where it may.
    public func run() async throws -> [String] {
        let tables: [String] = try await connection.query(
            """
            SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
            WHERE schemaname = $1 ORDER BY tablename
            """, [.text(NamesSchema.name)]
        ).map { try $0["name"] }
        for table in tables + Self.further {
            try await connection.query("VACUUM (FULL) \(table)")
        }
        // Samples of columns stay when a table is empty, so they are taken away.
        try await connection.query(
            """
            DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (
                SELECT oid FROM pg_class WHERE relnamespace::regnamespace::text = $1)
            """, [.text(NamesSchema.name)])
        try await connection.query("VACUUM (FULL) pg_catalog.pg_statistic")
        for table in tables { try await connection.query("ANALYZE \(table)") }
        try await dropOldLog()
        let kept = try await whatKeepsLog()
        await connection.close()
        return kept
    }

    /// Lets the checkpoint remove old files of the write-ahead log instead of using them again.
    private func dropOldLog() async throws {
        try await connection.query("ALTER SYSTEM SET wal_recycle = off")
        try await connection.query("SELECT pg_reload_conf()")
        do {
            for _ in 0..<2 {
                try await connection.query("SELECT pg_switch_wal()")
                try await connection.query("CHECKPOINT")
            }
        } catch {
            _ = try? await connection.query("ALTER SYSTEM RESET wal_recycle")
            throw error
        }
        try await connection.query("ALTER SYSTEM RESET wal_recycle")
        try await connection.query("SELECT pg_reload_conf()")
    }

    private func whatKeepsLog() async throws -> [String] {
        try await connection.query(
            """
            SELECT 'the replication slot ' || slot_name AS reason FROM pg_replication_slots
            UNION ALL SELECT 'wal_keep_size' WHERE current_setting('wal_keep_size') <> '0'
            UNION ALL SELECT 'the archive of archive_command'
                WHERE current_setting('archive_mode') <> 'off'
            """
        ).map { try $0["reason"] }
    }
}
