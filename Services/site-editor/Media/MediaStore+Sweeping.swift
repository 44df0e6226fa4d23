import EventLog
import Events
import Media
import Postgres
import Retrying
import ServiceHost
import Site

/// Which files are named, and the removal of those that nothing names.
///
/// Versions are kept for ever, so a file that one of them names stays. Drafts and test versions
/// come and go; the few files that no version names are looked for in them.
extension MediaStore {
    /// How long a file may wait to be named.
    static let graceMicroseconds: Int64 = 24 * 3_600 * 1_000_000

    static let usesMigration = """
        CREATE TABLE site_editor.media_uses (hash text PRIMARY KEY);
        INSERT INTO site_editor.media_uses (hash)
            SELECT DISTINCT (regexp_matches(
                convert_from(event, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1]
            FROM site_editor.versions
        """

    /// Notes the files of a version, within its publication.
    static func noteUses(
        of document: SiteDocument, connection: isolated PostgresConnection
    ) throws {
        let hashes = document.media.map(\.hash)
        guard !hashes.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO site_editor.media_uses (hash) SELECT unnest($1::text[])
            ON CONFLICT (hash) DO NOTHING
            """, [.textArray(hashes)])
    }

    /// Refuses a document that newly names files which are not kept, or not as it says, or a plan
    /// whose picture has another size.
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
        // Nothing is swept between this look and the commit.
        try connection.query(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 2))", [.text(lockName)])
        // What is another site's is as if it were not there.
        let nameable = try nameable(new.map(\.hash), by: site, connection: connection)
        let unknown =
            try unknown(new.filter { nameable.contains($0.hash) }, connection: connection)
            + new.filter { !nameable.contains($0.hash) }.sorted { $0.hash < $1.hash }
        guard let first = unknown.first else { return }
        throw MediaRefusal.unknown(unknown.count, first: first.hash)
    }

    /// A plan that is laid over a picture of another size lies elsewhere than its alignment says.
    private static func check(
        _ plan: FloorPlanRecord, connection: isolated PostgresConnection
    ) throws {
        guard let type = MediaType(rawValue: plan.image.type) else { return }
        // A picture says its size within its first megabyte.
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

    /// Removes files that nothing names and nobody sent for a day; gives how many.
    @discardableResult
    func sweep(at moment: Timestamp) async throws -> Int {
        try await pool.withTransaction { connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [.text(Self.lockName)])
            return try connection.query(
                """
                DELETE FROM site_editor.media AS media WHERE stored_at < $1
                    AND NOT EXISTS (
                        SELECT FROM site_editor.media_uses AS uses WHERE uses.hash = media.hash)
                    AND NOT EXISTS (SELECT FROM site_editor.drafts
                        WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
                    AND NOT EXISTS (SELECT FROM site_editor.test_versions
                        WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
                """, [.timestamp(microseconds: moment.microseconds - Self.graceMicroseconds)]
            ).affected
        }
    }

    /// Sweeps every hour until the task is cancelled.
    func keepSwept(_ clock: EventClock, _ notices: Notices) async {
        await attemptUntilDone("Removing files that nothing names", notices: notices) { retry in
            while !Task.isCancelled {
                try await sweep(at: clock.now)
                retry.ended()
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    private static let lockName = "whereabouts media"
}

/// What a floor plan says of its picture.
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
