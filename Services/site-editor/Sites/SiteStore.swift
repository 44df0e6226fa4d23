import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// Stores sites: version check, rows and event are one transaction.
///
/// Changes of one site wait for each other under a lock of the database. Refusals of the domain are
/// thrown as `SiteRefusal`.
struct SiteStore: Sendable {
    let pool: PostgresPool
    let outbox: Outbox
    /// Wakes the outbox relay after each publication, so that the event goes out at once.
    var bell = OutboxBell()
    let cache = SiteCache()

    struct Outcome: Sendable {
        var version: Int
        /// The event; nil where the same document is published already.
        var event: SitePublished?
        var isChanged: Bool { event != nil }
    }

    struct Summary: Sendable {
        var id: String
        var name: String
        var version: Int
        var publishedAt: Timestamp
    }

    /// Publishes the document as the site's next version, unless it equals the present one. It also
    /// becomes the draft, so that nobody continues to edit an outdated draft. Undo brings the edits
    /// back.
    ///
    /// - Parameter endsTest: whether the testers' site ends.
    func replace(
        _ site: SiteID, with document: SiteDocument, expectedVersion: Int?,
        endsTest: Bool = false, by publisher: String? = nil, at moment: Timestamp
    ) async throws -> Outcome {
        let outcome = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try latestDraft(of: site, connection: connection)
            let outcome = try publish(
                site, document, expectedVersion: expectedVersion, by: publisher, at: moment,
                connection: connection)
            if endsTest, outcome.isChanged {
                try endTest(of: site, by: publisher, at: moment, connection: connection)
            }
            if let draft,
                let next = try draft.decide(
                    .replace(document), expectedRevision: nil, at: moment)
            {
                try write(next, after: draft, at: moment, connection: connection)
            }
            return outcome
        }
        outcome.event.map(cache.keep)
        bell.ring()
        return outcome
    }

    func all() async throws -> [Summary] {
        try await pool.query(
            "SELECT id, name, version, published_at FROM site_editor.sites ORDER BY id"
        ).map { row in
            Summary(
                id: try row["id"], name: try row["name"], version: try row["version"],
                publishedAt: Timestamp(microseconds: try row["published_at"]))
        }
    }

    /// The event of the published version; nil when there is no such site.
    func published(_ site: SiteID) async throws -> SitePublished? {
        let rows = try await pool.query(
            "SELECT version FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        guard let row = rows.first else { return nil }
        return try await version(try row["version"], of: site)
    }

    static func lock(_ site: SiteID, connection: isolated PostgresConnection) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", [.text(site.text)])
    }

    /// Publishes in the transaction of a command.
    ///
    /// - Parameter publisher: the account or token that publishes.
    func publish(
        _ site: SiteID, _ document: SiteDocument, expectedVersion: Int?,
        by publisher: String? = nil, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> Outcome {
        let state = try Self.state(of: site, connection: connection)
        guard
            let event = try state.decide(
                .replaceDocument(document, expectedVersion: expectedVersion), at: moment)
        else { return Outcome(version: state.version, event: nil) }
        try MediaStore.check(document, after: state.document, of: site, connection: connection)
        // Versions are kept for ever, except those of testers' sites.
        if document.borrows == nil {
            try MediaStore.noteUses(of: document, connection: connection)
        }
        let record = event.record(source: SiteEditorSchema.source)
        let value = record.value ?? []
        try SiteRows.write(event, value: value, connection: connection)
        try connection.query(
            """
            INSERT INTO site_editor.versions (site, version, published_at, event, published_by)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .text(site.text), .int(event.version),
                .timestamp(microseconds: moment.microseconds), .bytes(value),
                .optional(publisher, PostgresValue.text),
            ])
        try outbox.put([record], connection: connection)
        return Outcome(version: event.version, event: event)
    }

    private static func state(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteState {
        var state = SiteState(
            site: site, version: try versionsBeforeRemoval(of: site, connection: connection))
        let rows = try connection.query(
            "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        if let row = rows.first { state.evolve(try SitePublished(json: try row["event"])) }
        return state
    }
}
