import Events
import Postgres
import Timetables

/// Gives due feeds to one of the processes that fetch, for the time of a lease.
struct FeedClaims: Sendable {
    /// A process that ends meanwhile holds a feed up for so long. Until a fetch is over, its lease
    /// is renewed.
    private static let leaseSeconds: Int64 = 60
    /// The pause between two renewals.
    static let renewal = Duration.seconds(20)
    /// Fetches from one host at the same time.
    private static let ofHost = 2

    let store: FeedStore

    /// A feed with the settings that it was claimed with.
    struct Key: Hashable, Sendable {
        var site: SiteID
        var id: FeedID
        var revision: Int
    }

    /// A feed that this process fetches now.
    struct Claim: Sendable {
        var feed: TimetableFeed
        var report: StoredReport
        var revision: Int
        var host: String
        var entityTag: String?
        var modified: String?
        var hash: [UInt8]?
        var parsedAt: Timestamp?
        var siteVersion: Int?
        var wasEmpty: Bool

        var key: Key { Key(site: feed.site, id: feed.id, revision: revision) }
    }

    /// The feeds that were due first. Hosts that asked for a pause are left out, except for feeds
    /// that ignore it. No host is asked for more than two at once.
    func claim(atMost count: Int, now: Timestamp) async throws -> [Claim] {
        let rows = try await store.pool.query(
            """
            WITH open AS (
                SELECT site, id, host, next_at, row_number() OVER (
                    PARTITION BY host ORDER BY next_at, site, id) AS turn
                FROM timetables.feeds AS feed
                WHERE is_enabled AND next_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
                    AND (ignores_pause OR NOT EXISTS (SELECT FROM timetables.hosts AS host
                        WHERE host.host = feed.host AND not_before > $1))),
            busy AS (
                SELECT host, count(*) AS fetches FROM timetables.feeds
                WHERE lease_until > $1 GROUP BY host),
            due AS (
                SELECT feed.site, feed.id FROM open
                JOIN timetables.feeds AS feed USING (site, id)
                LEFT JOIN busy ON busy.host = open.host
                WHERE turn + coalesce(fetches, 0) <= $3
                    AND (feed.lease_until IS NULL OR feed.lease_until <= $1)
                ORDER BY open.next_at LIMIT $2 FOR UPDATE OF feed SKIP LOCKED)
            UPDATE timetables.feeds AS feed SET lease_until = $4 FROM due
            WHERE feed.site = due.site AND feed.id = due.id
            RETURNING feed.*
            """,
            [
                .timestamp(microseconds: now.microseconds), .int(count), .int(Self.ofHost),
                Self.leaseEnd(now),
            ])
        return try store.unread.passingOver(in: "timetables.feeds", rows) { row in
            let parsedAt: Int64? = try row["parsed_at"]
            return Claim(
                feed: try store.feed(row), report: try StoredReport(row),
                revision: try row["revision"],
                host: try row["host"], entityTag: try row["etag"], modified: try row["modified"],
                hash: try row["hash"], parsedAt: parsedAt.map(Timestamp.init(microseconds:)),
                siteVersion: try row["site_version"], wasEmpty: try row["was_empty"])
        }
    }

    /// Renews the leases of feeds whose fetch goes on. One that was changed meanwhile has none.
    func renew(_ keys: Set<Key>, now: Timestamp) async throws {
        guard !keys.isEmpty else { return }
        let keys = Array(keys)
        try await store.pool.query(
            """
            UPDATE timetables.feeds AS feed SET lease_until = $4
            FROM unnest($1::text[], $2::text[], $3::bigint[]) AS running (site, id, revision)
            WHERE feed.site = running.site AND feed.id = running.id
                AND feed.revision = running.revision AND feed.lease_until IS NOT NULL
            """,
            [
                .textArray(keys.map(\.site.text)), .textArray(keys.map(\.id.text)),
                .int64Array(keys.map { Int64($0.revision) }), Self.leaseEnd(now),
            ])
    }

    private static func leaseEnd(_ now: Timestamp) -> PostgresValue {
        .timestamp(microseconds: now.microseconds + leaseSeconds * 1_000_000)
    }

    /// Has a host left alone until then.
    func pause(_ host: String, until: Timestamp) async throws {
        try await store.pool.query(
            """
            INSERT INTO timetables.hosts (host, not_before) VALUES ($1, $2)
            ON CONFLICT (host) DO UPDATE
                SET not_before = greatest(hosts.not_before, excluded.not_before)
            """, [.text(host), .timestamp(microseconds: until.microseconds)])
    }
}
