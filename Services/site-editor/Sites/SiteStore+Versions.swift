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
        /// An account or a token; nil for versions from before this was stored.
        var publishedBy: String?
    }

    /// The versions below the given one, the newest first.
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
}
