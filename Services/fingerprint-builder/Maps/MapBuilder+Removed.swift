import Cryptography
import Events
import Positioning
import Postgres
import ServiceHost
import Wire

/// Radio maps of sites that were removed. The next version is an empty map, and all versions before
/// go, since they hold readings of devices. Versions go on to count, so that a new site with the
/// same id gets a later map, built from the surveys.
extension MapBuilder {
    /// A site with a map that is not the one of a removed site.
    private struct Kept {
        var site: SiteID
        /// Whether an erasure of one of its devices waits for a map without the device.
        var isAwaited: Bool
    }

    /// The map without any survey, which needs no artifact.
    private static let empty = RadioMapArtifact.encode(RadioMap(joining: []))

    func emptyWhatIsRemoved() async throws {
        for kept in try await kept() where isGone(kept) {
            try await empty(kept.site)
            changes.add()
        }
    }

    /// Whether the site was removed, which its tombstone says. The log keeps that for a day only.
    ///
    /// A log without any record of the site may also be a new one that is being filled. Then the
    /// map goes after an hour, or for an erasure that waits.
    private func isGone(_ kept: Kept) -> Bool {
        unknown.isGone(kept.site, from: sites, at: clock.now)
            || kept.isAwaited && sites.isUnknown(kept.site)
    }

    /// The sites whose newest map is not empty, has others before it, or lacks the present number
    /// of surveys and reviews.
    private func kept() async throws -> [Kept] {
        try await pool.query(
            """
            SELECT newest.site, EXISTS (SELECT FROM \(view.schema).erasures AS waiting
                WHERE waiting.site = newest.site AND had_surveys AND done_at IS NULL) AS is_awaited
            FROM (SELECT DISTINCT ON (site) site, hash, surveys, reviews,
                    count(*) OVER (PARTITION BY site) AS versions
                FROM radio_maps.radio_maps ORDER BY site, version DESC) AS newest
            LEFT JOIN \(view.schema).sites AS counted USING (site)
            WHERE newest.hash <> $1 OR newest.versions > 1
                OR newest.surveys <> coalesce(counted.surveys, 0)
                OR newest.reviews <> coalesce(counted.reviews, 0)
            """, [.text(sha256Hex(Self.empty))]
        ).map { Kept(site: SiteID(try $0["site"]), isAwaited: try $0["is_awaited"]) }
    }

    private func empty(_ site: SiteID) async throws {
        guard let newest = try await store.newest(site) else { return }
        let overview = try await SurveyOverview.read(site, in: view.schema, log, pool)
        let hash = sha256Hex(Self.empty)
        if newest.hash == hash {
            try await store.confirm(
                newest, of: site, surveys: overview.surveys, reviews: overview.reviews)
        } else {
            // No site has version 0, so a site that is there after all gets its map at once.
            let announcement = RadioMapAnnounced(
                site: site, version: newest.version + 1, hash: hash, byteCount: Self.empty.count,
                siteVersion: 0, surveyOffsets: overview.offsets,
                builderVersion: RadioMapBuilder.version, builtAt: clock.now, fingerprints: 0,
                accessPoints: 0)
            let publication = MapPublication(
                announcement: announcement, parts: [], surveys: overview.surveys,
                reviews: overview.reviews)
            guard try await store.publish(publication, source: Self.source) else { return }
        }
        try await store.forgetFormer(of: site)
    }
}
