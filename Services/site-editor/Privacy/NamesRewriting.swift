public import Postgres
import Privacy

/// Rewrites all tables that hold personal data. Then no file of PostgreSQL holds the bytes of
/// deleted names, and of ids that people chose by hand.
///
/// A plain VACUUM leaves them in the free space of tables and indexes, in samples of columns, and
/// in the write-ahead log.
public struct NamesRewriting: Sendable {
    /// The tables of the schema of names, those on the list of personal data, and the log's.
    private static let tables = """
        SELECT format('%I.%I', schemas.nspname, tables.relname) AS name
        FROM pg_class AS tables JOIN pg_namespace AS schemas ON schemas.oid = relnamespace
        WHERE tables.relkind IN ('r', 'p') AND NOT tables.relispartition
            AND (schemas.nspname = $1
                OR schemas.nspname || '.' || tables.relname = ANY ($2::text[])
                OR schemas.nspname = 'log' AND tables.relname LIKE 'records\\_%')
        ORDER BY 1
        """
    private let connection: PostgresConnection

    /// - Parameter pool: connects as the database's superuser, which some of the steps need.
    public init(_ pool: PostgresPool) {
        connection = pool.separateConnection(statementTimeout: PostgresConfiguration.unlimited)
    }

    /// - Throws: a `PostgresError`; `insufficient_privilege` where the role is no superuser.
    /// - Returns: why the write-ahead log may still hold what was written before, where it may.
    public func run() async throws -> [String] {
        let listed = PersonalData.all.compactMap { datum -> String? in
            guard case .table(let name) = datum.place else { return nil }
            return name
        }
        let tables: [String] = try await connection.query(
            Self.tables, [.text(NamesSchema.name), .textArray(listed)]
        ).map { try $0["name"] }
        for table in tables { try await connection.query("VACUUM (FULL) \(table)") }
        // Samples of columns stay when a table is empty, so they are taken away. A day's table has
        // its own, and so has an index of an expression.
        try await connection.query(
            """
            DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (
                SELECT parts.relid FROM unnest($1::text[]) AS rewritten (name),
                    LATERAL pg_partition_tree(rewritten.name::regclass) AS parts
                UNION SELECT rewritten.name::regclass FROM unnest($1::text[]) AS rewritten (name)
                UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (
                    SELECT coalesce(parts.relid, rewritten.name::regclass)
                    FROM unnest($1::text[]) AS rewritten (name)
                    LEFT JOIN LATERAL pg_partition_tree(rewritten.name::regclass) AS parts
                        ON true))
            """, [.textArray(tables)])
        try await connection.query("VACUUM (FULL) pg_catalog.pg_statistic")
        for table in tables { try await connection.query("ANALYZE \(table)") }
        let kept = try await dropOldLog() + whatKeepsLog()
        await connection.close()
        return kept
    }

    /// Removes all files of the write-ahead log that the server has now.
    ///
    /// A checkpoint usually renames old files for later use, and their bytes stay. With
    /// `wal_recycle` off it removes them. Files renamed earlier are used up first.
    ///
    /// - Returns: why some may stay, where they may.
    private func dropOldLog() async throws -> [String] {
        try await connection.query("ALTER SYSTEM SET wal_recycle = off")
        let isOff: Bool
        do {
            isOff = try await reloads()
            // The checkpointer may still have been without the new setting at this one.
            try await connection.query("CHECKPOINT")
            let last = try await lastFile()
            while try await connection.query(
                "SELECT pg_walfile_name(pg_current_wal_insert_lsn()) <= $1 AS old", [.text(last)])[
                    0]["old"]
            {
                // An empty file is not switched.
                try await connection.query("SELECT pg_create_restore_point('whereabouts')")
                try await connection.query("SELECT pg_switch_wal()")
            }
            try await connection.query("CHECKPOINT")
        } catch {
            _ = try? await connection.query("ALTER SYSTEM RESET wal_recycle")
            throw error
        }
        try await connection.query("ALTER SYSTEM RESET wal_recycle")
        try await connection.query("SELECT pg_reload_conf()")
        return isOff ? [] : ["wal_recycle, which something else than ALTER SYSTEM sets to on"]
    }

    /// Waits until this session has the setting, and returns whether it got it. The server tells
    /// its sessions first, and the checkpointer right after them.
    private func reloads() async throws -> Bool {
        try await connection.query("SELECT pg_reload_conf()")
        for _ in 0..<100 {
            let now: String = try await connection.query(
                "SELECT current_setting('wal_recycle') AS now")[0]["now"]
            if now == "off" { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// The name of the newest file, which may still wait for its use. Names are in the order of the
    /// log.
    private func lastFile() async throws -> String {
        try await connection.query(
            "SELECT max(name) AS last FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'")[0]["last"]
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
