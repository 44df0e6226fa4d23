import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

extension SiteStore {
    /// The most changes of a draft that can be undone.
    static let undoLimit = 50

    struct Edited: Sendable {
        var before: SiteDocument
        /// The draft after the edit.
        var draft: SiteDraft
        var isChanged: Bool
    }

    /// Changes the site's draft. Each edit is a transaction, and edits of one site wait for each
    /// other.
    /// - Parameters:
    ///   - expectedRevision: the revision that the editor has read; nil for any.
    ///   - change: edits the given draft.
    /// - Throws: `SiteRefusal` or `UnknownSite`.
    func edit(
        _ site: SiteID, expectedRevision: Int?, at moment: Timestamp,
        _ change: @escaping @Sendable (SiteDocument) throws -> SiteEdit
    ) async throws -> Edited {
        let edited = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try draft(
                of: site, expectedRevision: expectedRevision, connection: connection)
            let edit = try change(draft.document)
            guard let next = try draft.decide(edit, expectedRevision: nil, at: moment) else {
                return Edited(before: draft.document, draft: draft, isChanged: false)
            }
            try MediaStore.check(
                next.document, after: draft.document, of: site, connection: connection)
            try write(next, after: draft, at: moment, connection: connection)
            return Edited(before: draft.document, draft: next, isChanged: true)
        }
        if edited.isChanged { cache.keep(edited.draft, editedAt: moment) }
        return edited
    }

    /// Undoes the draft's last change; called again, the change before it.
    func undo(_ site: SiteID, expectedRevision: Int?, at moment: Timestamp) async throws -> Edited {
        let edited = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try draft(
                of: site, expectedRevision: expectedRevision, connection: connection)
            let rows = try connection.query(
                """
                SELECT earlier.document, earlier.parent FROM site_editor.drafts AS latest
                JOIN site_editor.drafts AS earlier
                    ON earlier.site = latest.site AND earlier.revision = latest.parent
                WHERE latest.site = $1 AND latest.revision = $2
                """, [.text(site.text), .int(draft.revision)])
            guard let row = rows.first else { throw SiteRefusal.nothingToUndo }
            let earlier = try SiteDocument(json: try row["document"])
            let next = try draft.undone(to: earlier, expectedRevision: nil)
            let parent: Int? = try row["parent"]
            try insert(next, parent: parent, at: moment, connection: connection)
            return Edited(before: draft.document, draft: next, isChanged: true)
        }
        cache.keep(edited.draft, editedAt: moment)
        return edited
    }

    /// Publishes the draft as one version. Testers then see the published version.
    func publishDraft(
        _ site: SiteID, expectedRevision: Int?, by publisher: String? = nil, at moment: Timestamp
    ) async throws -> (outcome: Outcome, revision: Int, siteAudience: SiteAudience?) {
        let published = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try draft(
                of: site, expectedRevision: expectedRevision, connection: connection)
            let outcome = try publish(
                site, draft.document, expectedVersion: nil, by: publisher, at: moment,
                connection: connection)
            try endTest(of: site, by: publisher, at: moment, connection: connection)
            return (
                outcome: outcome, revision: draft.revision, siteAudience: draft.document.audience
            )
        }
        published.outcome.event.map(cache.keep)
        bell.ring()
        return published
    }

    /// The draft; the published document where nobody has edited it. Nil when there is no such
    /// site.
    func draft(of site: SiteID) async throws -> SiteDraft? {
        try await pool.withTransaction { connection in
            guard let latest = try Self.latest(of: site, connection: connection),
                let draft = try draft(latest, of: site, connection: connection)
            else { return nil }
            if let editedAt = latest.editedAt { cache.keep(draft, editedAt: editedAt) }
            return draft
        }
    }

    func latestDraft(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDraft? {
        guard let latest = try Self.latest(of: site, connection: connection) else { return nil }
        return try draft(latest, of: site, connection: connection)
    }

    /// Stores the next draft. The first edit also stores the document to which undo returns.
    func write(
        _ next: SiteDraft, after draft: SiteDraft, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        if draft.revision == 0 {
            try insert(draft, parent: nil, at: moment, connection: connection)
        }
        try insert(next, parent: draft.revision, at: moment, connection: connection)
    }

    private func draft(
        of site: SiteID, expectedRevision: Int?, connection: isolated PostgresConnection
    ) throws -> SiteDraft {
        guard let latest = try Self.latest(of: site, connection: connection) else {
            throw UnknownSite(site: site)
        }
        // The revision is checked before the document is read, so that most late edits are refused
        // quickly.
        if let expectedRevision, expectedRevision != latest.revision {
            throw SiteRefusal.revisionConflict(
                expected: expectedRevision, actual: latest.revision)
        }
        guard let draft = try draft(latest, of: site, connection: connection) else {
            throw UnknownSite(site: site)
        }
        return draft
    }

    /// The newest revision of a draft.
    private struct Latest {
        /// 0 where nobody has edited the site.
        var revision: Int
        /// Nil for a published document that nobody has edited.
        var editedAt: Timestamp?
    }

    private static func latest(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> Latest? {
        try connection.query(
            """
            SELECT revision, edited_at FROM site_editor.drafts WHERE site = $1
            UNION ALL SELECT 0, NULL FROM site_editor.sites WHERE id = $1
            ORDER BY revision DESC LIMIT 1
            """, [.text(site.text)]
        ).first.map { row in
            let editedAt: Int64? = try row["edited_at"]
            return Latest(
                revision: try row["revision"],
                editedAt: editedAt.map(Timestamp.init(microseconds:)))
        }
    }

    private func draft(
        _ latest: Latest, of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDraft? {
        let revision = latest.revision
        if revision > 0, let editedAt = latest.editedAt {
            if let known = cache.draft(site, revision: revision, editedAt: editedAt) {
                return known
            }
            let rows = try connection.query(
                "SELECT document FROM site_editor.drafts WHERE site = $1 AND revision = $2",
                [.text(site.text), .int(revision)])
            return try rows.first.map { row in
                SiteDraft(
                    site: site, revision: revision,
                    document: try SiteDocument(json: try row["document"]))
            }
        }
        // Revision 0 stands for the published document of a new site, as long as nobody edits it.
        let rows = try connection.query(
            "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)])
        return try rows.first.map { row in
            SiteDraft(
                site: site, revision: 0,
                document: try SitePublished(json: try row["event"]).document)
        }
    }

    func insert(
        _ draft: SiteDraft, parent: Int?, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let site = PostgresValue.text(draft.site.text)
        try connection.query(
            """
            INSERT INTO site_editor.drafts (site, revision, parent, edited_at, document)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                site, .int(draft.revision), .optional(parent, PostgresValue.int),
                .timestamp(microseconds: moment.microseconds), .bytes(draft.document.json),
            ])
        try connection.query(
            "DELETE FROM site_editor.drafts WHERE site = $1 AND revision < $2",
            [site, .int(draft.revision - Self.undoLimit)])
    }
}
