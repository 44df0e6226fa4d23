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
    /// The pauses between the attempts to get a table. A query of a person is over soon, a backup
    /// is not.
    private let pauses: [Duration]

    /// - Parameter pool: connects as the database's superuser, which some of the steps need.
    public init(_ pool: PostgresPool) {
        self.init(
            pool, lockMilliseconds: 5_000, pauses: Array(repeating: .seconds(10), count: 5))
    }

    /// - Parameter lockMilliseconds: how long an attempt waits for a table. All that others ask of
    ///   the table waits behind it.
    init(_ pool: PostgresPool, lockMilliseconds: Int, pauses: [Duration]) {
        connection = pool.separateConnection(
            statementTimeout: PostgresConfiguration.unlimited,
            settings: ["lock_timeout": "\(lockMilliseconds)"])
        self.pauses = pauses
    }

    /// - Parameter note: gets a sentence for the operator.
    /// - Throws: a `PostgresError`; `insufficient_privilege` where the role is no superuser,
    ///   `isLockNotAvailable` where a backup or another session uses a table for long.
    /// - Returns: why the write-ahead log may still hold what was written before, where it may.
    public func run(note: @Sendable (String) -> Void) async throws -> [String] {
        do {
            let kept = try await rewrite(note: note)
            await connection.close()
            return kept
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Statistics of columns are the superuser's. Without this check the command would fail after
    /// minutes of work.
    private func requireSuperuser() async throws {
        let role = try await connection.query(
            "SELECT rolname::text AS name, rolsuper FROM pg_roles WHERE rolname = current_user")[0]
        guard try !role["rolsuper"] else { return }
        let name: String = try role["name"]
        throw PostgresError(
            sqlState: PostgresError.insufficientPrivilege,
            reason: "the role \(name) is no superuser, and only one may rewrite the statistics of "
                + "columns: set DATABASE_URL to a superuser's, such as postgres")
    }

    private func rewrite(note: @Sendable (String) -> Void) async throws -> [String] {
        try await requireSuperuser()
        let listed = PersonalData.all.compactMap { datum -> String? in
            guard case .table(let name) = datum.place else { return nil }
            return name
        }
        let tables: [String] = try await connection.query(
            Self.tables, [.text(NamesSchema.name), .textArray(listed)]
        ).map { try $0["name"] }
        for table in tables { try await rewrite(table) }
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
        try await rewrite("pg_catalog.pg_statistic")
        for table in tables { try await connection.query("ANALYZE \(table)") }
        return try await dropOldLog(note: note) + whatKeepsLog()
    }

    private func rewrite(_ table: String) async throws {
        var pauses = pauses[...]
        while true {
            do throws(PostgresError) {
                try await connection.query("VACUUM (FULL) \(table)")
                return
            } catch {
                guard error.isLockNotAvailable else { throw error }
                guard let pause = pauses.popFirst() else {
                    let holder = try await TableLock(table)
                        .holder(connection, includingReaders: true)
                    throw PostgresError(
                        sqlState: error.sqlState,
                        reason: "\(holder?.description ?? "another session") uses \(table), "
                            + "such as for a backup: run it again when that is done")
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Removes all files of the write-ahead log that the server has now.
    ///
    /// A checkpoint usually renames old files for later use, and their bytes stay. With
    /// `wal_recycle` off it removes them. Files renamed earlier are used up first.
    ///
    /// - Returns: why some may stay, where they may.
    private func dropOldLog(note: @Sendable (String) -> Void) async throws -> [String] {
        let before = try await ownRecycling()
        if before == "off" {
            note(
                "wal_recycle is off in postgresql.auto.conf. If an interrupted run left it so, run "
                    + "ALTER SYSTEM RESET wal_recycle, then SELECT pg_reload_conf()")
        }
        do {
            try await connection.query("ALTER SYSTEM SET wal_recycle = off")
            let kept = try await useUpLog()
            try await setRecycling(before)
            return kept
        } catch {
            // A connection that was lost is made anew.
            try? await setRecycling(before)
            throw error
        }
    }

    private func useUpLog() async throws -> [String] {
        let isOff = try await reloads()
        // The checkpointer may still have been without the new setting at this one.
        try await connection.query("CHECKPOINT")
        // The newest files may still wait for their use. Names are in the order of the log.
        let files: [String] = try await connection.query(
            "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'"
        ).map { try $0["name"] }
        let last = files.max() ?? ""
        var (turns, isPast) = (0, false)
        while !isPast, turns <= files.count {
            // An empty file is not switched.
            try await connection.query("SELECT pg_create_restore_point('whereabouts')")
            try await connection.query("SELECT pg_switch_wal()")
            let current: String = try await connection.query(
                "SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name")[0]["name"]
            turns += 1
            isPast = current > last
        }
        try await connection.query("CHECKPOINT")
        return (isOff ? [] : ["wal_recycle, which something else than ALTER SYSTEM sets to on"])
            + (isPast ? [] : ["pg_wal, which has files of another timeline"])
    }

    /// The value that somebody gave `wal_recycle` by ALTER SYSTEM; nil where nobody did.
    private func ownRecycling() async throws -> String? {
        try await connection.query(
            """
            SELECT setting FROM pg_file_settings
            WHERE name = 'wal_recycle' AND sourcefile LIKE '%/postgresql.auto.conf'
            ORDER BY seqno DESC LIMIT 1
            """
        ).first.map { try $0["setting"] }
    }

    private func setRecycling(_ value: String?) async throws {
        if let value {
            let script: String = try await connection.query(
                "SELECT format('ALTER SYSTEM SET wal_recycle = %L', $1::text) AS script",
                [.text(value)])[0]["script"]
            try await connection.query(script)
        } else {
            try await connection.query("ALTER SYSTEM RESET wal_recycle")
        }
        try await connection.query("SELECT pg_reload_conf()")
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
