import Events
import Postgres
import Timetables

/// Gives due feeds to one of the processes that fetch, for the time of a lease.
struct FeedClaims: Sendable {
    /// Longer than a fetch with its parsing takes. A process that ends meanwhile holds a feed up
    /// for so long.
    private static let leaseSeconds: Int64 = 180
    /// Fetches from one host at the same time.
    private static let ofHost = 2

    let store: FeedStore

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
    }

    /// The feeds that were due first. Hosts that asked for a pause are left out, and no host is
    /// asked for more than two at once.
    func claim(atMost count: Int, now: Timestamp) async throws -> [Claim] {
        try await store.pool.query(
            """
            WITH open AS (
                SELECT site, id, host, next_at, row_number() OVER (
                    PARTITION BY host ORDER BY next_at, site, id) AS turn
                FROM timetables.feeds AS feed
                WHERE is_enabled AND next_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
                    AND NOT EXISTS (SELECT FROM timetables.hosts AS host
                        WHERE host.host = feed.host AND not_before > $1)),
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
                .timestamp(
                    microseconds: now.microseconds + Self.leaseSeconds * 1_000_000),
            ]
        ).map { row in
            let parsedAt: Int64? = try row["parsed_at"]
            return Claim(
                feed: try store.feed(row), report: try StoredReport(row),
                revision: try row["revision"],
                host: try row["host"], entityTag: try row["etag"], modified: try row["modified"],
                hash: try row["hash"], parsedAt: parsedAt.map(Timestamp.init(microseconds:)),
                siteVersion: try row["site_version"], wasEmpty: try row["was_empty"])
        }
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
