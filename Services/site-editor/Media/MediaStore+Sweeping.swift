import EventLog
import Events
import Media
import Postgres
import Site

/// Finds out which files are in use, and removes the others.
///
/// A site's versions are kept as long as the site, and so are their files. Drafts and test versions
/// come and go; files that no version uses are searched for in these, and in the edits of drafts.
extension MediaStore {
    /// How long a file is kept before something uses it.
    static let graceMicroseconds: Int64 = 24 * 3_600 * 1_000_000

    static let usesMigration = """
        CREATE TABLE site_editor.media_uses (hash text PRIMARY KEY);
        INSERT INTO site_editor.media_uses (hash)
            SELECT DISTINCT (regexp_matches(
                convert_from(event, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1]
            FROM site_editor.versions
        """

    /// Gives each use its site, so that it goes with the site. The owners of removed sites go at
    /// once.
    static let sitesMigration = """
        CREATE TABLE site_editor.site_media (
            hash text NOT NULL,
            site text NOT NULL,
            PRIMARY KEY (hash, site));
        DELETE FROM site_editor.media_owners AS owners
            WHERE site <> '' AND EXISTS (
                SELECT FROM site_editor.removed_sites AS removed
                WHERE removed.site = owners.site)
            AND NOT EXISTS (SELECT FROM site_editor.sites WHERE id = owners.site)
        """

    /// Shows the sweep which versions it has not noted yet.
    ///
    /// In an upgrade of one process after the other, a process of the release before knows only
    /// `media_uses`. It sweeps by that table, and its versions have no rows in `site_media`. So
    /// each use is in both tables. The former table and this column go one release later.
    static let notedMigration = """
        ALTER TABLE site_editor.versions ADD COLUMN media_noted boolean NOT NULL DEFAULT false;
        INSERT INTO site_editor.media_uses (hash)
            SELECT DISTINCT hash FROM site_editor.site_media ON CONFLICT DO NOTHING
        """

    /// Notes the files of a version, in the transaction of its publication.
    static func noteUses(
        of document: SiteDocument, by site: SiteID, connection: isolated PostgresConnection
    ) throws {
        let hashes = document.media.map(\.hash)
        guard !hashes.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO site_editor.site_media (hash, site) SELECT unnest($1::text[]), $2
            ON CONFLICT DO NOTHING
            """, [.textArray(hashes), .text(site.text)])
        try connection.query(
            """
            INSERT INTO site_editor.media_uses (hash) SELECT unnest($1::text[])
            ON CONFLICT DO NOTHING
            """, [.textArray(hashes)])
    }

    /// Checks the files that a document newly names. They must be stored, be as the document
    /// describes them, and have the size that a floor plan states.
    static func check(
        _ document: SiteDocument, after before: SiteDocument?, of site: SiteID,
        connection: isolated PostgresConnection
    ) throws {
        let new = document.media.subtracting(before?.media ?? [])
        try checkNamed(new, site, connection: connection)
        try own(new.map(\.hash), by: site, connection: connection)
        let known = Set(before?.floorPlans.map(PictureClaim.init) ?? [])
        for plan in document.floorPlans where !known.contains(PictureClaim(plan)) {
            try check(plan, connection: connection)
        }
    }

    private static func checkNamed(
        _ new: Set<MediaReference>, _ site: SiteID, connection: isolated PostgresConnection
    ) throws {
        guard !new.isEmpty else { return }
        // The lock keeps the sweep from running until the commit.
        try connection.query(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 2))", [.text(lockName)])
        // Files of another site count as missing.
        let nameable = try nameable(new.map(\.hash), by: site, connection: connection)
        let unknown =
            try unknown(new.filter { nameable.contains($0.hash) }, connection: connection)
            + new.filter { !nameable.contains($0.hash) }.sorted { $0.hash < $1.hash }
        guard let first = unknown.first else { return }
        throw MediaRefusal.unknown(unknown.count, first: first.hash)
    }

    /// Checks that a plan's picture has the stated size. On a picture of another size the plan
    /// would lie in another place than its alignment gives.
    private static func check(
        _ plan: FloorPlanRecord, connection: isolated PostgresConnection
    ) throws {
        guard let type = MediaType(rawValue: plan.image.type) else { return }
        // A picture's size is within its first megabyte.
        let rows = try connection.query(
            "SELECT piece FROM site_editor.media_pieces WHERE hash = $1 AND number = 0",
            [.text(plan.image.hash)])
        guard let row = rows.first, let size = PictureSize(of: type, try row["piece"]) else {
            return
        }
        let said = PictureSize(widthPixels: plan.widthPixels, heightPixels: plan.heightPixels)
        guard size != said else { return }
        throw MediaRefusal.planSizeDiffers(plan.id, said: said, actual: size)
    }

    /// Removes files that nothing uses and that nobody sent for a day; returns their number.
    @discardableResult
    func sweep(at moment: Timestamp) async throws -> Int {
        // Most versions are noted before the lock, so that publications do not wait for that.
        while try await pool.withTransaction({ try Self.noteVersions(connection: $0) }) {}
        return try await pool.withTransaction { connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [.text(Self.lockName)])
            while try Self.noteVersions(connection: connection) {}
            try connection.query(
                """
                DELETE FROM site_editor.media_uses AS former WHERE NOT EXISTS (
                    SELECT FROM site_editor.site_media AS uses WHERE uses.hash = former.hash)
                """)
            return try connection.query(
                """
                DELETE FROM site_editor.media AS media WHERE stored_at < $1
                    AND NOT EXISTS (
                        SELECT FROM site_editor.site_media AS uses WHERE uses.hash = media.hash)
                    AND NOT EXISTS (SELECT FROM site_editor.drafts
                        WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
                    AND NOT EXISTS (SELECT FROM site_editor.test_versions
                        WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
                    AND NOT EXISTS (SELECT FROM site_editor.draft_changes
                        WHERE kind = ANY ($2)
                            AND (position(convert_to(media.hash, 'UTF8') IN before) > 0
                                OR position(convert_to(media.hash, 'UTF8') IN after) > 0))
                """,
                [
                    .timestamp(microseconds: moment.microseconds - Self.graceMicroseconds),
                    .textArray(SiteStore.kindsWithFiles.sorted()),
                ]
            ).affected
        }
    }

    /// The most versions of which one statement reads the documents.
    private static let versionsAtOnce = 10

    /// Notes the files of some versions that the sweep has not seen; false when there are none.
    private static func noteVersions(connection: isolated PostgresConnection) throws -> Bool {
        let count: Int = try connection.query(
            """
            WITH noted AS (
                UPDATE site_editor.versions SET media_noted = true
                WHERE (site, version) IN (
                    SELECT site, version FROM site_editor.versions WHERE NOT media_noted
                    ORDER BY site, version LIMIT $1 FOR UPDATE)
                RETURNING site, event),
            added AS (
                INSERT INTO site_editor.site_media (hash, site)
                SELECT DISTINCT (regexp_matches(
                    convert_from(event, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1], site
                FROM noted
                ON CONFLICT DO NOTHING)
            SELECT count(*) AS count FROM noted
            """, [.int(versionsAtOnce)])[0]["count"]
        return count > 0
    }

    private static let lockName = "whereabouts media"
}

/// A floor plan's statement about its picture.
private struct PictureClaim: Hashable {
    private let hash: String
    private let widthPixels: Int
    private let heightPixels: Int

    init(_ plan: FloorPlanRecord) {
        hash = plan.image.hash
        widthPixels = plan.widthPixels
        heightPixels = plan.heightPixels
    }
}

extension PictureSize {
    var text: String { "\(widthPixels) × \(heightPixels)" }
}
