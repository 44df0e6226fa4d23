import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

extension SiteStore {
    static let publisherMigration = "ALTER TABLE site_editor.versions ADD COLUMN published_by text"

    /// When a version was published, and by whom.
    struct VersionSummary: Sendable {
        var version: Int
        var publishedAt: Timestamp
        /// An account or a token; nil where that was not noted.
        var publishedBy: String?
    }

    /// What testers see before everyone does.
    struct TestVersion: Sendable {
        /// The draft's revision that it was.
        var revision: Int
        var publishedAt: Timestamp
        var document: SiteDocument
    }

    /// The newest first, from below the given version.
    func versions(
        of site: SiteID, below version: Int?, limit: Int
    ) async throws -> [VersionSummary] {
        try await pool.query(
            """
            SELECT version, published_at, published_by FROM site_editor.versions
            WHERE site = $1 AND version < $2 ORDER BY version DESC LIMIT $3
            """, [.text(site.text), .int(version ?? .max), .int(limit)]
        ).map { row in
            VersionSummary(
                version: try row["version"],
                publishedAt: Timestamp(microseconds: try row["published_at"]),
                publishedBy: try row["published_by"])
        }
    }

    /// The version as it was published; nil when there is none.
    func version(_ version: Int, of site: SiteID) async throws -> SitePublished? {
        if let known = cache.version(version, of: site) { return known }
        let rows = try await pool.query(
            "SELECT event FROM site_editor.versions WHERE site = $1 AND version = $2",
            [.text(site.text), .int(version)])
        guard let row = rows.first else { return nil }
        let published = try SitePublished(json: try row["event"])
        cache.keep(published)
        return published
    }

    /// Shows the draft to testers; nothing of it comes to the log.
    func publishToTesters(
        _ site: SiteID, expectedRevision: Int?, at moment: Timestamp
    ) async throws -> Int {
        try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            guard let draft = try latestDraft(of: site, connection: connection) else {
                throw UnknownSite(site: site)
            }
            try draft.expect(expectedRevision)
            let faults = SiteValidation.faults(in: draft.document)
            guard faults.isEmpty else { throw SiteRefusal.invalid(SiteFaults(faults)) }
            try connection.query(
                """
                INSERT INTO site_editor.test_versions (site, revision, published_at, document)
                VALUES ($1, $2, $3, $4)
                ON CONFLICT (site) DO UPDATE SET revision = excluded.revision,
                    published_at = excluded.published_at, document = excluded.document
                """,
                [
                    .text(site.text), .int(draft.revision),
                    .timestamp(microseconds: moment.microseconds), .bytes(draft.document.json),
                ])
            return draft.revision
        }
    }

    /// What testers see; nil when nothing was published to them.
    func testVersion(of site: SiteID) async throws -> TestVersion? {
        let rows = try await pool.query(
            "SELECT revision, published_at, document FROM site_editor.test_versions WHERE site = $1",
            [.text(site.text)])
        return try rows.first.map { row in
            TestVersion(
                revision: try row["revision"],
                publishedAt: Timestamp(microseconds: try row["published_at"]),
                document: try SiteDocument(json: try row["document"]))
        }
    }
}
