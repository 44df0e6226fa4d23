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
    /// Rings at each edit of a draft, for those who follow them.
    var draftBell = DraftBell()
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
    /// - Parameters:
    ///   - endsTest: whether the testers' site ends.
    ///   - keepsAudience: whether audience and link stay those of the published site. An old
    ///     version may be from when the site was open, or have a link that was given up.
    func replace(
        _ site: SiteID, with document: SiteDocument, expectedVersion: Int?,
        endsTest: Bool = false, keepsAudience: Bool = false, by publisher: String? = nil,
        at moment: Timestamp
    ) async throws -> Outcome {
        let outcome = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            var document = document
            if keepsAudience, let now = try state(of: site, connection: connection).document {
                (document.audience, document.linkSecret) = (now.audience, now.linkSecret)
            }
            let draft = try latestDraft(of: site, connection: connection)
            let outcome = try publish(
                site, document, expectedVersion: expectedVersion, by: publisher, at: moment,
                connection: connection)
            if endsTest, outcome.isChanged {
                try endTest(of: site, by: publisher, at: moment, connection: connection)
            }
            guard let draft else {
                try beginDraft(of: site, document, at: moment, connection: connection)
                return outcome
            }
            try replace(
                draft, with: document, publishedAs: outcome.version,
                after: outcome.isChanged ? outcome.version - 1 : outcome.version, by: publisher,
                at: moment, connection: connection)
            return outcome
        }
        outcome.event.map(cache.keep)
        bell.ring()
        draftBell.ring(site)
        return outcome
    }

    /// Replaces the draft by a document in the transaction of a command; nothing where it is the
    /// same.
    ///
    /// - Parameters:
    ///   - version: the version that was published with the document.
    ///   - former: the version that was published before.
    func replace(
        _ draft: SiteDraft, with document: SiteDocument, publishedAs version: Int,
        after former: Int? = nil, by author: String?, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        guard let step = try draft.step(.replace(document), at: moment) else { return }
        var writing = DraftWriting(
            step, after: draft, by: author, DraftNote(action: .replace), at: moment)
        writing.baseVersion = former
        // The version lacks rooms that are only proposed.
        if document.rooms.allSatisfy({ !$0.isProposed }) { writing.version = version }
        try write([writing], of: draft.site, connection: connection)
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
        let state = try state(of: site, connection: connection)
        let document = document.withoutProposals
        guard
            let event = try state.decide(
                .replaceDocument(document, expectedVersion: expectedVersion), at: moment)
        else { return Outcome(version: state.version, event: nil) }
        try MediaStore.check(document, after: state.document, of: site, connection: connection)
        try MediaStore.noteUses(of: document, by: site, connection: connection)
        let json = document.json
        guard json.count <= SiteLimits.documentBytes else {
            throw RecordTooLarge(
                topic: Topic.site.name, byteCount: json.count, limit: SiteLimits.documentBytes)
        }
        let announced = SiteAnnounced(event, document: json)
        let value = event.json(around: json)
        let former = try Self.documentOnLog(of: site, connection: connection)
        try SiteRows.write(
            event, after: state.document, announced, value: value, connection: connection)
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
        var records = SiteDocumentPieces.records(announced, json)
        records.append(announced.record(source: SiteEditorSchema.source))
        // The outbox appends them in this order. So who finds the former document gone finds the
        // new announcement, too.
        if let former, former.hash != announced.hash { records += former.tombstones(of: site) }
        try outbox.put(records, connection: connection)
        return Outcome(version: event.version, event: event)
    }

    /// The document of a published site as it lies on the log, in pieces.
    struct DocumentOnLog {
        var hash: String
        var pieces: Int

        /// Nil for a site that was published whole, by an earlier release.
        init?(_ row: PostgresRow) throws {
            let (hash, pieces): (String?, Int?) = (
                try row["document_hash"], try row["document_pieces"]
            )
            guard let hash, let pieces else { return nil }
            (self.hash, self.pieces) = (hash, pieces)
        }

        func tombstones(of site: SiteID) -> [LogRecord] {
            SiteDocumentPieces.tombstones(of: site, hash: hash, pieces: pieces)
        }
    }

    static let piecesMigration = """
        ALTER TABLE site_editor.sites
            ADD COLUMN document_hash text, ADD COLUMN document_pieces integer
        """

    private static func documentOnLog(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> DocumentOnLog? {
        try connection.query(
            "SELECT document_hash, document_pieces FROM site_editor.sites WHERE id = $1",
            [.text(site.text)]
        ).first.flatMap(DocumentOnLog.init)
    }

    private func state(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteState {
        var state = SiteState(
            site: site, version: try Self.versionsBeforeRemoval(of: site, connection: connection))
        let rows = try connection.query(
            "SELECT version FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        guard let row = rows.first else { return state }
        if let known = cache.version(try row["version"], of: site) {
            state.evolve(known)
        } else {
            let event: [UInt8] = try connection.query(
                "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)])[0]["event"]
            state.evolve(try SitePublished(json: event))
        }
        return state
    }
}
