import EventLog
import Events
import LogViews
import Postgres
import Timetables
import Wire

/// Takes over the results of fetches: rows, events and the feed's state are one transaction.
struct FeedResults: Sendable {
    private static let microseconds: Int64 = 1_000_000
    private static let postponedSeconds: Int64 = 60

    let pool: PostgresPool
    let bell: OutboxBell
    let unread: UnreadRows
    let known = KnownNames()

    init(pool: PostgresPool, bell: OutboxBell, unread: UnreadRows) {
        self.pool = pool
        self.bell = bell
        self.unread = unread
    }

    /// Tells an answer from the one before.
    struct Marks: Sendable {
        var entityTag: String?
        var modified: String?
        var hash: [UInt8]
    }

    /// Stores an answer that could be read. The result is `read` or `suddenlyEmpty`, or says why
    /// nothing was stored.
    func store(
        _ matched: MatchedFeed, _ claim: FeedClaims.Claim, siteVersion: Int, _ marks: Marks,
        now: Timestamp
    ) async throws -> FetchOutcome {
        let stored = try await pool.withTransaction { connection -> FetchOutcome? in
            guard try Self.lock(claim, connection: connection) else { return nil }
            var report = claim.report.report
            let former = report.found
            (report.found, report.unmatched) = (matched.found, matched.unmatched)
            (report.coversFrom, report.coversUntil) = (matched.coversFrom, matched.coversUntil)
            var changes = TimetableChanges()
            if claim.feed.kind.countsComputers {
                try store(matched.counts, claim.feed, connection)
            } else {
                changes = try store(
                    matched.content, claim, crowded: report.crowded, now, connection)
            }
            var parts = matched.parts
            if changes.isCrowded {
                // Rows that the feed does not show fill a week.
                parts.leftOut.insert(
                    "all rooms: more than \(FeedContent.mostOfWeek) bookings in a week, with those "
                        + "that are not shown any more", at: 0)
            }
            if changes.isStillCrowded {
                parts.leftOut.insert(
                    "all rooms: bookings of earlier answers are left out, since their week has too "
                        + "many", at: 0)
            }
            report.crowded = changes.crowded
            report.coversUntil = [report.coversUntil, changes.crowded?.begins].compactMap(\.self)
                .min()
            report.leftOut = parts.reportLines(cancelsMissing: changes.cancelsMissing)
            let isEmpty = changes.isSuddenlyEmpty && !claim.wasEmpty
            // The number is that of the last good answer, whose bookings stay.
            if isEmpty { report.found = former }
            let outcome: FetchOutcome = isEmpty ? .suddenlyEmpty : .read
            let note = Self.note(
                claim, outcome, report, marks: marks, siteVersion: siteVersion, now: now)
            try connection.query(note.sql, note.parameters)
            return outcome
        }
        guard let stored else { return try await loss(of: claim) }
        bell.ring()
        return stored
    }

    private func store(
        _ content: FeedContent, _ claim: FeedClaims.Claim, crowded: CrowdedTime?,
        _ now: Timestamp, _ connection: isolated PostgresConnection
    ) throws -> TimetableChanges {
        let (site, id) = (claim.feed.site, claim.feed.id)
        let (now, horizon) = (now.wholeMilliseconds, TimetableHorizon(around: now))
        let concerned = ConcernedRows(
            try TimetableRows.marks(id, at: site, connection: connection), found: content,
            horizon: horizon, at: now, digest: TimetableRows.digest)
        let known = try TimetableRows.known(
            concerned.open, at: site, unread: unread, connection: connection)
        let changes = TimetableChanges.between(
            known: known, found: content, unchanged: concerned.unchanged, crowded: crowded,
            horizon: horizon, wasEmpty: claim.wasEmpty, at: now)
        try TimetableRows.write(changes, of: site, connection: connection)
        try TimetableRows.forgetOldest(of: id, at: site, now: now, connection: connection)
        return changes
    }

    private func store(
        _ counts: [ComputersCounted], _ feed: TimetableFeed,
        _ connection: isolated PostgresConnection
    ) throws {
        let known = try TimetableRows.counts(
            feed.id, at: feed.site, unread: unread, connection: connection)
        try TimetableRows.write(
            ComputerChanges.between(known: known, found: counts), of: feed.id, at: feed.site,
            connection: connection)
    }

    /// A feed that is as it was.
    struct Unchanged: Sendable {
        var claim: FeedClaims.Claim
        var at: Timestamp
    }

    /// Notes all of them in one statement, since most fetches end so. The result has the outcome of
    /// each.
    @discardableResult
    func keep(_ feeds: [Unchanged]) async throws -> [FetchOutcome] {
        guard !feeds.isEmpty else { return [] }
        let ids = feeds.map(\.claim.feed)
        let rows = try await pool.query(
            """
            UPDATE timetables.feeds AS feed SET lease_until = NULL, next_at = done.next_at,
                next_from = done.good_at, good_at = done.good_at, was_empty = false,
                ignores_pause = false
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[],
                $6::text[]) AS done (site, id, revision, next_at, good_at, lease_id)
            WHERE feed.site = done.site AND feed.id = done.id AND feed.revision = done.revision
                AND feed.lease_id = done.lease_id
            RETURNING feed.lease_id
            """,
            [
                .textArray(ids.map(\.site.text)), .textArray(ids.map(\.id.text)),
                .int64Array(feeds.map { Int64($0.claim.revision) }),
                .timestampArray(
                    microseconds: feeds.map {
                        $0.claim.feed.schedule.next(after: $0.at, failures: 0).microseconds
                    }),
                .timestampArray(microseconds: feeds.map(\.at.wholeMilliseconds.microseconds)),
                .textArray(feeds.map(\.claim.lease)),
            ])
        let kept: [String] = try rows.map { try $0["lease_id"] }
        let lost = Set(feeds.map(\.claim.lease)).subtracting(kept)
        var outcomes = kept.map { _ in FetchOutcome.unchanged }
        for feed in feeds where lost.contains(feed.claim.lease) {
            outcomes.append(try await loss(of: feed.claim))
        }
        return outcomes
    }

    /// Notes a fetch without new rows that is not `Unchanged`. The result is the outcome, or says
    /// why it was not noted.
    @discardableResult
    func end(
        _ claim: FeedClaims.Claim, _ outcome: FetchOutcome, _ fault: FeedFault?,
        retryAfterSeconds: Int?, now: Timestamp
    ) async throws -> FetchOutcome {
        var report = claim.report.report
        report.fault = fault.map { tidied($0.reason) }
        report.path = fault?.path
        let note = Self.note(
            claim, outcome, report, retryAfterSeconds: retryAfterSeconds, now: now)
        let noted = try await pool.query(note.sql, note.parameters)
        return try await noted.affected == 0 ? loss(of: claim) : outcome
    }

    /// Tries a feed again in a minute, without a word in its report.
    func postpone(_ claim: FeedClaims.Claim, now: Timestamp) async throws {
        let next = now.microseconds + Self.postponedSeconds * Self.microseconds
        try await pool.query(
            """
            UPDATE timetables.feeds SET next_at = $3, next_from = $6, lease_until = NULL
            WHERE site = $1 AND id = $2 AND revision = $4 AND lease_id = $5
            """,
            [
                .text(claim.feed.site.text), .text(claim.feed.id.text),
                .timestamp(microseconds: next), .int(claim.revision), .text(claim.lease),
                .timestamp(microseconds: now.microseconds),
            ])
    }

    /// Why nothing could be stored of a fetch.
    private func loss(of claim: FeedClaims.Claim) async throws -> FetchOutcome {
        let rows = try await pool.query(
            "SELECT FROM timetables.feeds WHERE site = $1 AND id = $2 AND revision = $3",
            [.text(claim.feed.site.text), .text(claim.feed.id.text), .int(claim.revision)])
        return rows.first == nil ? .outdated : .lost
    }

    /// False where the feed was removed or changed meanwhile, or another process has claimed it.
    private static func lock(
        _ claim: FeedClaims.Claim, connection: isolated PostgresConnection
    ) throws -> Bool {
        let rows = try connection.query(
            """
            SELECT FROM timetables.feeds
            WHERE site = $1 AND id = $2 AND revision = $3 AND lease_id = $4 FOR UPDATE
            """,
            [
                .text(claim.feed.site.text), .text(claim.feed.id.text), .int(claim.revision),
                .text(claim.lease),
            ])
        return rows.first != nil
    }

    /// Writes the feed's new state. It changes nothing where the feed was removed or changed
    /// meanwhile.
    private static func note(
        _ claim: FeedClaims.Claim, _ outcome: FetchOutcome, _ former: FeedReport,
        marks: Marks? = nil, siteVersion: Int? = nil, retryAfterSeconds: Int? = nil,
        now: Timestamp
    ) -> PostgresStatement {
        let (feed, now) = (claim.feed, now.wholeMilliseconds)
        var report = former
        report.failures = outcome.isGood || outcome == .suddenlyEmpty ? 0 : former.failures + 1
        (report.fetchedAt, report.outcome) = (now, outcome)
        if outcome.isGood { (report.goodAt, report.fault, report.path) = (now, nil, nil) }
        let spread = Double(EventID(bookingOf: "", feed: feed.id, at: feed.site).low >> 11)
        let next = feed.schedule.next(
            after: now, failures: report.failures, retryAfterSeconds: retryAfterSeconds,
            spread: spread / Double(1 << 53))
        report.nextAt = next
        return PostgresStatement(
            """
            UPDATE timetables.feeds SET lease_until = NULL, ignores_pause = false,
                next_at = $3, next_from = $11, report = $4,
                good_at = coalesce($5, good_at), was_empty = $6,
                etag = CASE WHEN $7 THEN $8 ELSE etag END,
                modified = CASE WHEN $7 THEN $9 ELSE modified END,
                hash = CASE WHEN $7 THEN $10 ELSE hash END,
                parsed_at = CASE WHEN $7 THEN $11 ELSE parsed_at END,
                site_version = CASE WHEN $7 THEN $12 ELSE site_version END
            WHERE site = $1 AND id = $2 AND revision = $13 AND lease_id = $14
            """,
            [
                .text(feed.site.text), .text(feed.id.text),
                .timestamp(microseconds: next.microseconds), .bytes(report.json),
                .optional(outcome.isGood ? now.microseconds : nil) {
                    .timestamp(microseconds: $0)
                },
                .bool(outcome == .suddenlyEmpty || claim.wasEmpty && !outcome.isGood),
                .bool(marks != nil), .optional(marks?.entityTag, PostgresValue.text),
                .optional(marks?.modified, PostgresValue.text),
                .optional(marks?.hash, PostgresValue.bytes),
                .timestamp(microseconds: now.microseconds),
                .optional(siteVersion, PostgresValue.int), .int(claim.revision),
                .text(claim.lease),
            ])
    }
}
