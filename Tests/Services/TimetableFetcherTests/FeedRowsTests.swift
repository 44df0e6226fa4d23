import Events
import HTTP
import LogViews
import Postgres
import Retrying
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import TestSupport
import Testing
import Timetables
import Wire

@testable import TimetableFetcher

/// Feeds' rows in a real database.
@Suite(
    "Leases, times and removals of feeds",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct FeedRowsTests {
    private static let now = Timestamp(text: "2026-12-01T09:00:00Z")!
    private static let document = SiteDocument(
        name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    private let pool: PostgresPool
    private let store: FeedStore
    private let claims: FeedClaims

    init() async throws {
        pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await TimetableSchema.migrate(pool)
        store = FeedStore(pool: pool, secret: nil, unread: UnreadRows(.unheard))
        claims = FeedClaims(store: store)
    }

    private static func after(_ seconds: Int64) -> Timestamp {
        now.advanced(byMicroseconds: seconds * 1_000_000)
    }

    /// A feed that is due.
    private func add(_ id: String, site: String = "house") async throws {
        let feed = TimetableFeed(
            site: SiteID(site), id: FeedID(id), kind: .calendar, address: "", name: "")
        try await pool.query(
            """
            INSERT INTO timetables.feeds
                (site, id, settings, address, host, is_enabled, every_seconds, next_at)
            VALUES ($1, $2, $3, $4, $2, true, 900, $5)
            """,
            [
                .text(site), .text(id), .bytes(feed.settingsJSON), .bytes([]),
                .timestamp(microseconds: Self.now.microseconds),
            ])
    }

    private static func matched(
        _ parts: FeedParts, _ claim: FeedClaims.Claim
    ) throws -> MatchedFeed {
        try MatchedFeed(
            parts, of: claim.feed, in: document, names: RoomNames(document), at: now)
    }

    private func claimed(_ seconds: Int64) async throws -> [FeedClaims.Claim] {
        try await claims.claim(atMost: 10, beside: [], now: Self.after(seconds))
    }

    @Test("A process whose lease another one has neither renews it nor stores anything")
    func owners() async throws {
        try await add("a")
        let first = try #require(try await claimed(0).first)
        try await setLease("now() - interval '1 second'")
        let second = try #require(try await claimed(61).first)
        #expect(first.lease != second.lease)
        func leaseEnd() async throws -> Int64? {
            try await pool.query("SELECT lease_until FROM timetables.feeds")[0]["lease_until"]
        }
        let end = try await leaseEnd()
        let results = FeedResults(
            pool: pool, bell: OutboxBell(), unread: UnreadRows(.unheard))
        let same = FeedResults.Unchanged(claim: first, at: Self.after(70))
        func stored() async throws -> FetchOutcome {
            try await results.store(
                try Self.matched(FeedParts(), first), first, siteVersion: 1,
                FeedResults.Marks(hash: []), now: Self.after(70))
        }
        func failed() async throws -> FetchOutcome {
            try await results.end(
                first, .failed, nil, retryAfterSeconds: nil, now: Self.after(70))
        }
        try await claims.renew([first.key])
        try await results.postpone(first, now: Self.after(70))
        #expect(try await results.keep([same]) == [.lost])
        #expect(try await failed() == .lost)
        #expect(try await stored() == .lost)
        #expect(try await leaseEnd() == end)
        try await claims.renew([second.key])
        #expect(try await leaseEnd() != end)
        let own = FeedResults.Unchanged(claim: second, at: Self.after(70))
        #expect(try await results.keep([own, same]) == [.unchanged, .lost])
        #expect(try await leaseEnd() == nil)
        try await store.fetchNow(FeedID("a"), at: SiteID("house"), now: Self.after(71))
        #expect(try await failed() == .outdated)
    }

    /// - Parameter end: a time in SQL.
    private func setLease(_ end: String) async throws {
        try await pool.query("UPDATE timetables.feeds SET lease_until = \(end)")
    }

    /// - Parameter moment: a time in SQL.
    private func setClaimed(_ moment: String) async throws {
        try await pool.query("UPDATE timetables.feeds SET claimed_at = \(moment)")
    }

    @Test("A process whose clock is wrong takes no lease of another one")
    func wrongClocks() async throws {
        try await add("a")
        #expect(try await claimed(3_600).count == 1)
        #expect(try await claimed(0).isEmpty)
        try await setLease("NULL")
        #expect(try await claimed(0).count == 1)
        #expect(try await claimed(3_600).isEmpty)
        // PostgreSQL's own clock was ahead.
        try await setLease("now() + interval '10 hours'")
        #expect(try await claimed(0).count == 1)
    }

    @Test("The operator hears of lost results once")
    func lostNotice() {
        let said = Mutex(0)
        let figures = FeedFigures(
            MetricsRegistry(),
            Notices(
                onUnexpected: { _ in said.withLock { $0 += 1 } }, onRecovery: { _ in }))
        for outcome in FetchOutcome.allCases + FetchOutcome.allCases { figures.count(outcome) }
        #expect(said.withLock { $0 } == 1)
    }

    @Test(
        "A feed whose next fetch was set by a clock that was ahead is due after its interval",
        arguments: [30 * 86_400, 10 * 3_600, 300] as [Int64])
    func nextAhead(_ ahead: Int64) async throws {
        for id in ["failed", "good", "postponed"] { try await add(id) }
        let results = FeedResults(
            pool: pool, bell: OutboxBell(), unread: UnreadRows(.unheard))
        for claim in try await claimed(ahead) {
            let now = Self.after(ahead)
            switch claim.feed.id.text {
            case "good": try await results.keep([FeedResults.Unchanged(claim: claim, at: now)])
            case "failed":
                // The server asks for a day.
                try await results.end(
                    claim, .failed, nil, retryAfterSeconds: 86_400, now: now)
            default: try await results.postpone(claim, now: now)
            }
        }
        // Two copies whose clocks differ would fetch them without end.
        #expect(try await claimed(0).isEmpty)
        // PostgreSQL's clock was ahead, too.
        try await setClaimed("now() + interval '5 minutes'")
        #expect(try await claimed(0).count == 3)
        try await setLease("NULL")
        try await setClaimed("now() - every_seconds * interval '1 second'")
        let again = try await claimed(0)
        #expect(again.count == 3)
        // From a clock that is right, such a pause counts.
        for claim in again {
            try await results.end(
                claim, .failed, nil, retryAfterSeconds: 86_400, now: Self.now)
        }
        #expect(try await claimed(86_399).isEmpty)
        #expect(try await claimed(86_400).count == 3)
    }

    @Test("A host's pause of an hour counts, and a longer one is of a clock that was ahead")
    func hostPause() async throws {
        for id in ["a", "b"] { try await add(id) }
        try await claims.pause("a", until: Self.after(3_600))
        try await claims.pause("b", until: Self.after(3_600 + 300))
        #expect(try await claimed(0).map(\.host) == ["b"])
        // A pause that is asked for now takes the place of that one.
        try await claims.pause("b", until: Self.after(60))
        try await setLease("NULL")
        #expect(try await claimed(61).map(\.host) == ["b"])
        #expect(try await claimed(3_600).map(\.host) == ["a"])
    }

    @Test("A report says until when its feed waits for its host")
    func waiting() async throws {
        try await add("a")
        try await claims.pause("a", until: Self.after(120))
        func report(_ seconds: Int64) async throws -> FeedReport {
            try await store.one(SiteID("house"), FeedID("a")).currentReport(at: Self.after(seconds))
        }
        let waiting = try await report(1)
        #expect(waiting.pausedUntil == Self.after(120) && waiting.nextAt == Self.after(120))
        let json = String(decoding: waiting.json(at: Self.after(1)), as: UTF8.self)
        #expect(json.contains(#""pausedUntil":"2026-12-01T09:02:00.000Z""#), "\(json)")
        #expect(try await report(120).pausedUntil == nil)
        try await store.fetchNow(FeedID("a"), at: SiteID("house"), now: Self.after(1))
        #expect(try await report(1).pausedUntil == nil)
    }

    @Test("A disabled feed is not fetched now, and one that is unknown is called so")
    func disabled() async throws {
        try await add("a")
        func refusal(_ id: String) async -> String? {
            do {
                try await store.fetchNow(FeedID(id), at: SiteID("house"), now: Self.after(1))
                return nil
            } catch {
                return (error as? FeedRefusal)?.problem.code ?? "\(error)"
            }
        }
        #expect(await refusal("a") == nil)
        try await pool.query("UPDATE timetables.feeds SET is_enabled = false")
        #expect(await refusal("a") == "feed-unusable")
        #expect(await refusal("b") == "feed-unknown")
    }

    @Test("A fetch that failed while the clock was ahead hides no good one of later")
    func failedAhead() async throws {
        try await add("a")
        let results = FeedResults(
            pool: pool, bell: OutboxBell(), unread: UnreadRows(.unheard))
        func report() async throws -> FeedReport {
            try await store.one(SiteID("house"), FeedID("a")).report
        }
        let first = try #require(try await claimed(0).first)
        try await results.keep([FeedResults.Unchanged(claim: first, at: Self.after(0))])
        // Certificates are not valid yet, or not any more.
        let ahead = Int64(90 * 86_400)
        let second = try #require(try await claimed(ahead).first)
        try await results.end(
            second, .failed, FeedFault("no certificate"), retryAfterSeconds: nil,
            now: Self.after(ahead))
        let failed = try await report()
        #expect(failed.outcome == .failed && failed.goodAt == Self.now && failed.failures == 1)
        try await setClaimed("NULL")
        let third = try #require(try await claimed(900).first)
        try await results.keep([FeedResults.Unchanged(claim: third, at: Self.after(900))])
        let good = try await report()
        #expect(good.outcome == .unchanged && good.goodAt == Self.after(900))
        #expect(good.fault == nil && good.failures == 0)
    }

    @Test("A feed's rows go some at a time, and a removal that failed holds up no other")
    func removals() async throws {
        for id in ["a", "b"] { try await add(id) }
        try await pool.query(
            """
            INSERT INTO timetables.bookings
                (site, id, feed, starts_at, ends_at, is_cancelled, event, digest)
            SELECT 'house', gen_random_uuid(), feed, now(), now(), false, '', ''
            FROM unnest(ARRAY['a', 'b']) AS feeds (feed), generate_series(1, 1500)
            """)
        // As if its time limit ended it half way.
        try await pool.query(
            """
            CREATE FUNCTION timetables.refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$
            """)
        try await pool.query(
            """
            CREATE TRIGGER refuse BEFORE DELETE ON timetables.feeds FOR EACH ROW
                WHEN (OLD.id = 'a') EXECUTE FUNCTION timetables.refuse()
            """)
        let site = SiteID("house")
        try await store.markRemoved(of: site)
        #expect(try await store.sites().isEmpty)
        #expect(try await claimed(0).isEmpty)
        await #expect(throws: PostgresError.self) { try await store.finishRemovals() }
        func left() async throws -> [Int] {
            let rows = try await pool.query(
                """
                SELECT count(*) AS found FROM timetables.feeds UNION ALL
                SELECT count(*) FROM timetables.bookings UNION ALL
                SELECT count(*) FROM timetables.outbox
                """)
            return try rows.map { try $0["found"] }
        }
        // One transaction of the first feed is done, and its rest is still there.
        #expect(try await left() == [1, 500, 2_500])
        try await pool.query("DROP TRIGGER refuse ON timetables.feeds")
        try await store.finishRemovals()
        #expect(try await left() == [0, 0, 3_000])
    }

    @Test("Bookings that were left out are in the report until an answer is complete")
    func crowded() async throws {
        try await add("a")
        let results = FeedResults(
            pool: pool, bell: OutboxBell(), unread: UnreadRows(.unheard))
        var report = FeedReport()
        report.crowded = CrowdedTime(begins: Self.after(3_600), ends: Self.after(7_200))
        try await pool.query("UPDATE timetables.feeds SET report = $1", [.bytes(report.json)])
        for isIncomplete in [true, true, false] {
            var parts = FeedParts()
            parts.isIncomplete = isIncomplete
            let claim = try #require(try await claimed(0).first)
            let outcome = try await results.store(
                try Self.matched(parts, claim), claim, siteVersion: 1,
                FeedResults.Marks(hash: []), now: Self.now)
            #expect(outcome == .read)
            let stored = try await store.one(SiteID("house"), FeedID("a")).report
            #expect(stored.crowded == (isIncomplete ? report.crowded : nil))
            #expect(stored.coversUntil == (isIncomplete ? Self.after(3_600) : nil))
            #expect(stored.leftOut.count == (isIncomplete ? 2 : 0))
            try await store.fetchNow(FeedID("a"), at: SiteID("house"), now: Self.now)
        }
    }

    @Test("A feed whose bookings are removed when it is set up again counts as never read")
    func setUpAgain() async throws {
        let store = FeedStore(
            pool: pool, secret: String(repeating: "s", count: 32), unread: UnreadRows(.unheard))
        let (site, id) = (SiteID("house"), FeedID("a"))
        func put(_ kind: String, _ seconds: Int64) async throws -> FeedStore.Row {
            let json = #"{"address":"https://example.org/a","enabled":false,"kind":""# + kind
            return try await store.put(
                try FeedSubmission(json: Array((json + #""}"#).utf8)), id, at: site,
                in: Self.document, now: Self.after(seconds))
        }
        /// It is read, and has a booking.
        func read() async throws {
            var report = FeedReport()
            (report.outcome, report.found) = (.read, 1)
            (report.fetchedAt, report.goodAt) = (Self.now, Self.now)
            try await pool.query(
                "UPDATE timetables.feeds SET good_at = $1, report = $2",
                [.timestamp(microseconds: Self.now.microseconds), .bytes(report.json)])
            try await pool.query(
                """
                INSERT INTO timetables.bookings
                    (site, id, feed, starts_at, ends_at, is_cancelled, event, digest)
                VALUES ('house', gen_random_uuid(), 'a', now(), now(), false, '', '')
                """)
        }
        func bookings() async throws -> Int {
            try await pool.query("SELECT count(*) AS found FROM timetables.bookings")[0]["found"]
        }
        #expect(try await put("icalendar", 0).isNew)
        try await read()
        let same = try await put("icalendar", 1)
        #expect(!same.isNew && same.report.goodAt == Self.now && same.report.found == 1)
        #expect(try await bookings() == 1)
        try await store.markRemoved(of: site)
        let again = try await put("icalendar", 2)
        #expect(again.isNew && again.report.goodAt == nil && again.report.found == 0)
        #expect(try await bookings() == 0)
        try await store.finishRemovals()
        #expect(try await store.all(site).count == 1)
        try await read()
        let other = try await put("free-computers-json", 3)
        #expect(!other.isNew && other.report.goodAt == nil)
        #expect(try await bookings() == 0)
    }

    @Test("A feed whose bookings a clock that is ahead forgets is read again")
    func forgotten() async throws {
        try await add("a")
        let now = PostgresValue.timestamp(microseconds: Self.now.microseconds)
        try await pool.query("UPDATE timetables.feeds SET hash = 'x', parsed_at = $1", [now])
        try await pool.query(
            """
            INSERT INTO timetables.bookings
                (site, id, feed, starts_at, ends_at, is_cancelled, event, digest)
            VALUES ('house', gen_random_uuid(), 'a', $1, $1, false, '', '')
            """, [now])
        func isKnown(_ days: Int64) async throws -> Bool {
            let past = PastBookings(
                pool: pool, clock: EventClock(time: { Self.after(days * 86_400) }),
                bell: OutboxBell())
            try await past.haveReadAgain()
            return try await pool.query("SELECT hash IS NOT NULL AS known FROM timetables.feeds")[
                0]["known"]
        }
        #expect(try await isKnown(30))
        #expect(try await !isKnown(40))
    }
}
