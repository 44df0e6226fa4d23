import Events
import Postgres
import Timetables

/// Gives due feeds to one of the processes that fetch, for the time of a lease.
struct FeedClaims: Sendable {
    /// A process that ends meanwhile holds a feed up for so long. Until a fetch is over, its lease
    /// is renewed. PostgreSQL's clock counts for leases, since those of several machines differ.
    private static let leaseEnd = "now() + interval '60 seconds'"
    /// Whether somebody holds a feed. A lease that ends later was given before that clock was set
    /// back.
    private static let isHeld =
        "(lease_until > now() AND lease_until <= now() + interval '120 seconds') IS TRUE"
    /// Whether a clock was ahead at $1 when it set `next_at`, which is not believed then. By
    /// PostgreSQL's clock, the feed was not fetched for its interval: two copies whose clocks
    /// differ would fetch it without end. Rows of older versions have no `next_from`.
    private static let wasAhead = """
        (next_from > $1 + \(tolerance)
            OR next_at > $1 + interval '24 hours' + every_seconds * interval '1 second')
        AND (claimed_at > now() - every_seconds * interval '1 second'
            AND claimed_at <= now() + \(tolerance)) IS NOT TRUE
        """
    /// The clocks of several machines may differ by so much.
    private static let tolerance = "interval '\(FeedReport.clockMicroseconds) microseconds'"
    /// The longest time from now to the end of a host's pause. One that ends later is of a clock
    /// that was ahead.
    static let longestPause =
        "(interval '\(FeedSchedule.longestHostPauseSeconds) seconds' + \(tolerance))"
    /// The pause between two renewals.
    static let renewal = Duration.seconds(20)
    /// Fetches from one host at the same time.
    private static let ofHost = 2

    let store: FeedStore

    /// A feed with the settings that it was claimed with, and the lease.
    struct Key: Hashable, Sendable {
        var site: SiteID
        var id: FeedID
        var revision: Int
        var host: String
        var lease: String
    }

    /// A feed that this process fetches now.
    struct Claim: Sendable {
        var feed: TimetableFeed
        var report: StoredReport
        var revision: Int
        var host: String
        /// A random id. Each claim has its own, so a process that has lost the feed stores nothing.
        var lease: String
        var entityTag: String?
        var modified: String?
        var hash: [UInt8]?
        var parsedAt: Timestamp?
        var siteVersion: Int?
        var wasEmpty: Bool

        var key: Key {
            Key(site: feed.site, id: feed.id, revision: revision, host: host, lease: lease)
        }
    }

    /// The feeds that were due first. Hosts that asked for a pause are left out, except for feeds
    /// that ignore it. No host is asked for more than two at once. Times that a clock stored while
    /// it was ahead do not count.
    ///
    /// - Parameter running: the fetches of this process. One whose feed was changed or removed has
    ///   no lease any more, but goes on and counts for its host.
    func claim(
        atMost count: Int, beside running: Set<Key>, now: Timestamp
    ) async throws -> [Claim] {
        let running = Array(running)
        let values: [PostgresValue] = [
            .timestamp(microseconds: now.microseconds), .int(count), .int(Self.ofHost),
        ]
        let rows = try await store.pool.query(
            """
            WITH open AS (
                SELECT site, id, host, next_at, row_number() OVER (
                    PARTITION BY host ORDER BY next_at, site, id) AS turn
                FROM timetables.feeds AS feed
                WHERE is_enabled AND NOT \(Self.isHeld)
                    AND (next_at <= $1 OR (\(Self.wasAhead)))
                    AND (ignores_pause OR NOT EXISTS (SELECT FROM timetables.hosts AS host
                        WHERE host.host = feed.host AND not_before > $1
                            AND not_before <= $1 + \(Self.longestPause)))),
            busy AS (
                SELECT host, count(*) AS fetches FROM (
                    SELECT host FROM timetables.feeds WHERE \(Self.isHeld)
                    UNION ALL
                    SELECT running.host
                    FROM unnest($4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
                        AS running (site, id, revision, lease_id, host)
                    WHERE NOT EXISTS (SELECT FROM timetables.feeds AS feed
                        WHERE feed.site = running.site AND feed.id = running.id
                            AND feed.revision = running.revision
                            AND feed.lease_id = running.lease_id AND \(Self.isHeld))
                    ) AS fetched
                GROUP BY host),
            due AS (
                SELECT feed.site, feed.id FROM open
                JOIN timetables.feeds AS feed USING (site, id)
                LEFT JOIN busy ON busy.host = open.host
                WHERE turn + coalesce(fetches, 0) <= $3
                    AND NOT \(Self.isHeld)
                ORDER BY open.next_at LIMIT $2 FOR UPDATE OF feed SKIP LOCKED)
            UPDATE timetables.feeds AS feed
            SET lease_until = \(Self.leaseEnd), lease_id = gen_random_uuid()::text,
                claimed_at = now() FROM due
            WHERE feed.site = due.site AND feed.id = due.id
            RETURNING feed.*
            """, values + Self.places(running) + [.textArray(running.map(\.host))])
        let claims = try claims(rows)
        if claims.count < rows.count { try await postpone(rows, besides: claims, now: now) }
        return claims
    }

    private func claims(_ rows: PostgresRows) throws -> [Claim] {
        try store.unread.passingOver(in: "timetables.feeds", rows) { row in
            let parsedAt: Int64? = try row["parsed_at"]
            return Claim(
                feed: try store.feed(row), report: try StoredReport(row),
                revision: try row["revision"],
                host: try row["host"], lease: try row["lease_id"],
                entityTag: try row["etag"], modified: try row["modified"],
                hash: try row["hash"], parsedAt: parsedAt.map(Timestamp.init(microseconds:)),
                siteVersion: try row["site_version"], wasEmpty: try row["was_empty"])
        }
    }

    /// Tries rows that can't be read again after their interval. They would stay the first of their
    /// host otherwise, and hold its two places.
    private func postpone(
        _ rows: PostgresRows, besides claims: [Claim], now: Timestamp
    ) async throws {
        let claimed = Set(claims.map(\.key))
        let keys = try rows.map { row in
            Key(
                site: SiteID(try row["site"]), id: FeedID(try row["id"]),
                revision: try row["revision"], host: try row["host"],
                lease: try row["lease_id"])
        }.filter { !claimed.contains($0) }
        try await store.pool.query(
            """
            UPDATE timetables.feeds AS feed SET lease_until = NULL, next_from = $5,
                next_at = $5 + feed.every_seconds * interval '1 second'
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
                AS unread (site, id, revision, lease_id)
            WHERE feed.site = unread.site AND feed.id = unread.id
                AND feed.revision = unread.revision AND feed.lease_id = unread.lease_id
            """, Self.places(keys) + [.timestamp(microseconds: now.microseconds)])
    }

    /// Renews the leases of feeds whose fetch goes on. One that was changed meanwhile has none, and
    /// that of another process stays as it is. A row that is locked is being stored or changed, and
    /// nobody else claims it.
    func renew(_ keys: Set<Key>) async throws {
        guard !keys.isEmpty else { return }
        try await store.pool.query(
            """
            WITH held AS (
                SELECT feed.site, feed.id FROM timetables.feeds AS feed
                JOIN unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
                        AS running (site, id, revision, lease_id)
                    ON feed.site = running.site AND feed.id = running.id
                        AND feed.revision = running.revision
                        AND feed.lease_id = running.lease_id
                WHERE feed.lease_until IS NOT NULL
                FOR UPDATE OF feed SKIP LOCKED)
            UPDATE timetables.feeds AS feed SET lease_until = \(Self.leaseEnd) FROM held
            WHERE feed.site = held.site AND feed.id = held.id
            """, Self.places(Array(keys)))
    }

    private static func places(_ keys: [Key]) -> [PostgresValue] {
        [
            .textArray(keys.map(\.site.text)), .textArray(keys.map(\.id.text)),
            .int64Array(keys.map { Int64($0.revision) }), .textArray(keys.map(\.lease)),
        ]
    }

    /// Has a host left alone until then. A former pause that ends much later is of a clock that was
    /// ahead.
    func pause(_ host: String, until: Timestamp) async throws {
        try await store.pool.query(
            """
            INSERT INTO timetables.hosts (host, not_before) VALUES ($1, $2)
            ON CONFLICT (host) DO UPDATE SET not_before = CASE
                WHEN hosts.not_before > excluded.not_before + \(Self.longestPause)
                THEN excluded.not_before ELSE greatest(hosts.not_before, excluded.not_before) END
            """, [.text(host), .timestamp(microseconds: until.microseconds)])
    }
}
