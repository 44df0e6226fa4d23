import Events
import LogViews
import Postgres
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "The schema of names",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct NamesSchemaTests {
    private static let now = Timestamp(milliseconds: 1_795_305_600_000)
    private static let token = TokenIssued(
        hash: "h1", id: EventID(high: 1, low: 1), role: .visitor, site: nil, device: nil,
        note: "for Anna Schmidt", issuedAt: now, expiresAt: nil)

    /// A database as the release before names were taken off the log left it.
    private static func before() async throws -> PostgresPool {
        let pool = try await ServiceBench.database()
        try await pool.withConnection { connection in
            let steps = SiteEditorSchema.steps.prefix { $0.name != "names" }
            _ = try await Migrator(schema: SiteEditorSchema.name, steps: Array(steps))
                .migrate(connection)
            try await connection.query(
                """
                INSERT INTO site_editor.tokens (id, hash, role, note, issued_at, event)
                VALUES ($1, 'h1', 'visitor', $2, $3, $4),
                    (gen_random_uuid(), 'h2', 'visitor', 'for Bert', $3, NULL)
                """,
                [
                    .uuid(token.id.bytes), .text(token.note),
                    .timestamp(microseconds: now.microseconds), .bytes(token.json),
                ])
            try await connection.execute(
                script: """
                    UPDATE site_editor.tokens SET revoked_at = now() WHERE hash = 'h2';
                    INSERT INTO site_editor.sites VALUES ('museum', 'Museum', 1, now(), '');
                    INSERT INTO site_editor.outages VALUES
                        (gen_random_uuid(), 'museum', 'lift', now(), NULL, 'Motor broken',
                        'Anna Schmidt', now(), now(), 'Bert Meier', 'token-1', NULL)
                    """)
        }
        return pool
    }

    @Test("gets the tables of the release before, and its events go on the log without names, once")
    func upgraded() async throws {
        let pool = try await Self.before()
        for _ in 0..<2 {
            try await SiteEditorSchema.migrate(pool)
            try await NamesSchema.rewriteEvents(pool, at: Self.now)
        }
        let rows = try await pool.query(
            "SELECT topic, value, key FROM site_editor.outbox ORDER BY id")
        #expect(
            try rows.map { try $0["topic"] as String } == [
                Topic.tokens.name, Topic.tokens.name, Topic.outages.name,
            ])
        let all: [[UInt8]?] = try rows.map { try $0["value"] }
        // The revoked one gets its tombstone once more.
        let values = all.compactMap(\.self)
        #expect(all.count == 3 && all[1] == nil && values.count == 2)
        #expect(try rows.map { try $0["key"] as [UInt8] }[1] == Array("h2".utf8))
        let token = try TokenIssued(json: values[0])
        #expect(token == Self.token.withoutNote && token.note.isEmpty)
        let outage = try OutageEnded(json: values[1])
        #expect(outage.outage.reportedBy == "token-1" && outage.endedBy == "unknown")
        #expect(outage.outage.reason == "Motor broken")
        // The names are in their schema.
        let live = try await TokenStore(pool: pool).live(at: Self.now)
        #expect(live.map(\.issued.note) == ["for Anna Schmidt"])
        let listed = try await OutageStore(pool: pool, bell: OutboxBell()).rows(
            .init(site: SiteID("museum"), limit: 10, now: Self.now))
        #expect(listed.map(\.ended?.endedBy) == ["Bert Meier"])
        let former: Int = try await pool.query(
            "SELECT count(*) AS count FROM site_editor.tokens")[0]["count"]
        #expect(former == 2)
    }

    @Test("leaves no event with a note on the log, not even of a token that has expired")
    func expired() async throws {
        let pool = try await Self.before()
        try await pool.query(
            "UPDATE site_editor.tokens SET expires_at = $1",
            [.timestamp(microseconds: Self.now.microseconds - 1)])
        try await SiteEditorSchema.migrate(pool)
        try await NamesSchema.rewriteEvents(pool, at: Self.now)
        let row = try #require(
            try await pool.query(
                """
                SELECT key, value IS NULL AS is_tombstone FROM site_editor.outbox
                WHERE topic = $1
                """, [.text(Topic.tokens.name)]
            ).first)
        #expect(try row["is_tombstone"] as Bool)
        #expect(try row["key"] as [UInt8] == Array(Self.token.hash.utf8))
    }

    @Test("is where notes and names stay when a token is issued and an outage reported")
    func fresh() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        try await NamesSchema.rewriteEvents(pool, at: Self.now)
        _ = try await TokenStore(pool: pool).issue(
            TokenOrder(role: .visitor, note: "for Anna Schmidt"), at: Self.now)
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO site_editor.sites VALUES ('museum', 'Museum', 1, now(), '');
                    INSERT INTO site_editor.connections
                    VALUES ('museum', 'lift', 'lift', NULL, 'yes')
                    """)
        }
        let store = OutageStore(pool: pool, bell: OutboxBell())
        let submission = try OutageSubmission(
            json: Array(
                #"{"connection": "lift", "reason": "broken", "reportedBy": "Anna Schmidt"}"#.utf8))
        let id = EventID(high: 3, low: 3)
        _ = try await store.report(
            submission, site: SiteID("museum"), id: id, by: "token-1", at: Self.now)
        try await store.end(id, by: "Bert Meier", ender: "token-2", at: Self.now) { _ in true }
        let rows = try await pool.query("SELECT value FROM site_editor.outbox")
        #expect(rows.count == 3)
        for row in rows {
            let value: [UInt8] = try row["value"]
            let text = String(decoding: value, as: UTF8.self)
            #expect(!text.contains("Schmidt") && !text.contains("Meier"), "\(text)")
        }
    }
}
