import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

extension SiteStore {
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
    ///   - note: describes the edit in the journal.
    ///   - change: edits the given draft.
    /// - Throws: `SiteRefusal` or `UnknownSite`.
    func edit(
        _ site: SiteID, expectedRevision: Int?, by author: DraftAuthor, _ note: DraftNote,
        at moment: Timestamp,
        _ change: @escaping @Sendable (SiteDocument) throws -> SiteEdit
    ) async throws -> Edited {
        let edited = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try presentDraft(
                of: site, expectedRevision: expectedRevision, connection: connection)
            let edit = try change(draft.document)
            guard let step = try draft.step(edit, at: moment) else {
                return Edited(before: draft.document, draft: draft, isChanged: false)
            }
            try author.checkMaking(step, after: draft)
            try write(
                [DraftWriting(step, after: draft, by: author.id, note, at: moment)], of: site,
                connection: connection)
            return Edited(before: draft.document, draft: step.draft, isChanged: true)
        }
        if edited.isChanged { announce(edited.draft, at: moment) }
        return edited
    }

    /// Keeps the draft in memory, and notifies those who follow its edits.
    func announce(_ draft: SiteDraft, at moment: Timestamp) {
        cache.keep(draft, editedAt: moment)
        draftBell.ring(draft.site)
    }

    /// Publishes the draft as one version. Testers then see the published version.
    func publishDraft(
        _ site: SiteID, expectedRevision: Int?, by publisher: String? = nil, at moment: Timestamp
    ) async throws -> (outcome: Outcome, revision: Int, siteAudience: SiteAudience?) {
        let published = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try presentDraft(
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

    /// The draft in a transaction that holds the site's lock; its journal has all its edits.
    func latestDraft(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDraft? {
        guard let latest = try Self.latest(of: site, connection: connection) else { return nil }
        try adopt(latest, of: site, connection: connection)
        return try draft(latest, of: site, connection: connection)
    }

    /// The draft in a transaction that holds the site's lock; its journal has all its edits.
    ///
    /// - Throws: `UnknownSite`, or a refusal where the draft is at another revision.
    func presentDraft(
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
        try adopt(latest, of: site, connection: connection)
        guard let draft = try draft(latest, of: site, connection: connection) else {
            throw UnknownSite(site: site)
        }
        return draft
    }

    /// The newest revision of a draft.
    struct Latest {
        /// 0 where nobody has edited the site.
        var revision: Int
        /// Nil for a published document that nobody has edited.
        var editedAt: Timestamp?
    }

    static func latest(
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
        if latest.revision > 0, let editedAt = latest.editedAt {
            return try cache.draft(site, revision: latest.revision, editedAt: editedAt)
                ?? replayed(latest.revision, of: site, connection: connection)
        }
        // Revision 0 stands for the published document of a new site, as long as nobody edits it.
        return try publishedDocument(of: site, connection: connection).map {
            SiteDraft(site: site, revision: 0, document: $0)
        }
    }

    private func publishedDocument(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDocument? {
        let id = PostgresValue.text(site.text)
        let version: Int? = try connection.query(
            "SELECT version FROM site_editor.sites WHERE id = $1", [id]
        ).first.map { try $0["version"] }
        if let version, let known = cache.version(version, of: site) { return known.document }
        return try connection.query("SELECT event FROM site_editor.sites WHERE id = $1", [id])
            .first.map { try SitePublished(json: try $0["event"]).document }
    }
}
