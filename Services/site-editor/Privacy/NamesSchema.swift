import Events
import LogViews
import Postgres
import Wire

/// The schema with the names of devices and people, notes of tokens, and who reported an outage.
/// The log, views and files know them by random ids, so whoever is deleted here is nobody there.
enum NamesSchema {
    static let name = "site_editor_names"

    /// Makes the schema, and moves the tables of earlier releases into it. For one release, views
    /// under the former names serve the operator's own scripts.
    static let migration = """
        DO $step$ BEGIN
            IF to_regnamespace('\(name)') IS NULL THEN CREATE SCHEMA \(name); END IF;
        END $step$;
        ALTER TABLE site_editor.accounts SET SCHEMA \(name);
        ALTER TABLE site_editor.invitations SET SCHEMA \(name);
        ALTER TABLE site_editor.tokens SET SCHEMA \(name);
        ALTER TABLE site_editor.outages SET SCHEMA \(name);
        CREATE VIEW site_editor.accounts AS SELECT * FROM \(name).accounts;
        CREATE VIEW site_editor.tokens AS SELECT * FROM \(name).tokens;
        CREATE TABLE \(name).rewritten (topic text PRIMARY KEY)
        """

    /// The number of events of each topic that `rewriteEvents` would put into the outbox. The
    /// tables may still be those of a former release.
    static func eventsToRewrite(
        _ pool: PostgresPool
    ) async throws -> [(topic: String, count: Int64)] {
        func isThere(_ table: String) async throws -> Bool {
            try await pool.query(
                "SELECT to_regclass($1) IS NOT NULL AS is_there", [.text(table)])[0]["is_there"]
        }
        var done: [String] = []
        if try await isThere("\(name).rewritten") {
            done = try await pool.query("SELECT topic FROM \(name).rewritten").map {
                try $0["topic"]
            }
        }
        var events: [(topic: String, count: Int64)] = []
        for topic in [Topic.tokens, .outages] where !done.contains(topic.rawValue) {
            for schema in [name, SiteEditorSchema.name] {
                let table = "\(schema).\(topic.rawValue)"
                guard try await isThere(table) else { continue }
                let count: Int64 = try await pool.query(
                    "SELECT count(*) AS count FROM \(table)")[0]["count"]
                events.append((topic.name, count))
                break
            }
        }
        return events
    }

    /// Puts the events of former releases, which hold notes and names, into the outbox again
    /// without them: once. Compaction then removes the old ones from the log.
    static func rewriteEvents(_ pool: PostgresPool, at moment: Timestamp) async throws {
        try await pool.withTransaction { connection in
            try connection.query("SELECT pg_advisory_xact_lock(hashtextextended('rewritten', 8))")
            for topic in [Topic.tokens, .outages] {
                let isNew =
                    try connection.query(
                        "INSERT INTO \(name).rewritten VALUES ($1) ON CONFLICT DO NOTHING",
                        [.text(topic.rawValue)]
                    ).affected == 1
                guard isNew else { continue }
                let records =
                    topic == .tokens
                    ? try TokenStore.recordsOfAll(at: moment, connection: connection)
                    : try OutageStore.recordsOfAll(connection: connection)
                try SiteEditorSchema.outbox.put(records, connection: connection)
            }
        }
    }
}
