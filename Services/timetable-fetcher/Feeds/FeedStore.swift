import Cryptography
import EventLog
import Events
import Postgres
import ServiceHost
import Site
import Timetables
import Wire

/// Stores feeds, with their addresses sealed.
struct FeedStore: Sendable {
    static let mostOfSite = 200
    /// The bookings of one transaction of a removal.
    private static let removedAtOnce = 1_000

    let pool: PostgresPool
    let unread: UnreadRows
    private let key: SealingKey?

    /// - Parameter secret: the services' secret. Without one, no address can be sealed.
    init(pool: PostgresPool, secret: String?, unread: UnreadRows) {
        self.pool = pool
        self.unread = unread
        key = secret.map { SealingKey("feed addresses", secret: $0) }
    }

    struct Row: Sendable {
        var feed: TimetableFeed
        var report: FeedReport
        var isNew = false
        /// The end of the pause that the feed's host asked for last, if the feed keeps it.
        var hostPause: Timestamp?

        /// The report, which says whether the feed waits for its host.
        func currentReport(at now: Timestamp) -> FeedReport {
            var current = report
            if let hostPause { current.wait(until: hostPause, at: now) }
            return current
        }
    }

    private static let columns = """
        site, id, settings, address, next_at, good_at, report,
        CASE WHEN is_enabled AND NOT ignores_pause THEN
            (SELECT not_before FROM timetables.hosts AS asking WHERE asking.host = feeds.host)
        END AS host_pause
        """

    func all(_ site: SiteID) async throws -> [Row] {
        let rows = try await pool.query(
            """
            SELECT \(Self.columns) FROM timetables.feeds
            WHERE site = $1 AND NOT is_removed ORDER BY id
            """, [.text(site.text)])
        return try unread.passingOver(in: "timetables.feeds", rows, read)
    }

    func one(_ site: SiteID, _ id: FeedID) async throws -> Row {
        let rows = try await pool.query(
            """
            SELECT \(Self.columns) FROM timetables.feeds
            WHERE site = $1 AND id = $2 AND NOT is_removed
            """, [.text(site.text), .text(id.text)])
        guard let row = rows.first else { throw FeedRefusal.unknown(id) }
        do {
            return try read(row)
        } catch is WireFault {
            throw FeedRefusal.unreadable(id)
        }
    }

    /// $9 says whether a row that is there has lost its bookings, so that it begins like a new one.
    private static let insertion = """
        INSERT INTO timetables.feeds
            (site, id, settings, address, host, is_enabled, next_at, next_from, created_at,
                every_seconds)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)
        ON CONFLICT (site, id) DO UPDATE SET settings = excluded.settings,
            address = excluded.address, host = excluded.host,
            is_enabled = excluded.is_enabled, next_at = excluded.next_at,
            next_from = excluded.next_from, ignores_pause = false,
            every_seconds = excluded.every_seconds,
            revision = feeds.revision + 1, lease_until = NULL, etag = NULL, modified = NULL,
            hash = NULL, was_empty = false, is_removed = false,
            good_at = CASE WHEN $9 THEN NULL ELSE feeds.good_at END,
            report = CASE WHEN $9 THEN NULL ELSE feeds.report END,
            parsed_at = CASE WHEN $9 THEN NULL ELSE feeds.parsed_at END,
            created_at = CASE WHEN $9 THEN excluded.created_at ELSE feeds.created_at END
        RETURNING \(columns)
        """

    /// Stores a feed, and has it fetched at once. Its rows stay until that fetch, unless they are
    /// of another kind or being removed. Then it counts as never read.
    ///
    /// - Parameter document: the site, which has the feed's building and room if they are new.
    func put(
        _ submission: FeedSubmission, _ id: FeedID, at site: SiteID, in document: SiteDocument,
        now: Timestamp
    ) async throws -> Row {
        guard let key else {
            throw FeedRefusal.noSecret
        }
        var address = submission.address
        let known = try await all(site)
        let former = known.first { $0.feed.id == id }
        if address == nil { address = former.flatMap { FeedAddress($0.feed.address) } }
        guard let address else {
            throw FeedRefusal.noAddress
        }
        guard former != nil || known.count < Self.mostOfSite else {
            throw FeedRefusal.tooMany(Self.mostOfSite)
        }
        let feed = submission.feed(id, at: site, address: address)
        let misfit = feed.misfit(
            in: document, after: former?.feed, isZone: LocalZone.isKnown)
        if let misfit { throw FeedRefusal.misfit(misfit) }
        if feed.isEnabled, let path = UnusablePath(of: feed) { throw FeedRefusal.path(path) }
        let isOther = former.map { $0.feed.kind.countsComputers != feed.kind.countsComputers }
        let sealed = key.seal(Array(address.text.utf8))
        let (rows, isNew) = try await pool.withTransaction { connection in
            let stored = try connection.query(
                "SELECT is_removed FROM timetables.feeds WHERE site = $1 AND id = $2 FOR UPDATE",
                [.text(site.text), .text(id.text)])
            let isRemoved: Bool = try stored.first.map { try $0["is_removed"] } ?? false
            let isNew = stored.first == nil || isRemoved
            // A row that can't be read may have been of the other kind.
            let beginsAnew = isRemoved || (isOther ?? !isNew)
            if beginsAnew {
                // No fetch of the new kind would find the rows of the former one. Those of a feed
                // that is being removed are not complete.
                try TimetableRows.removeAll(of: id, at: site, connection: connection)
            }
            // Nobody knows what a row said that can't be read.
            if former?.feed.keepsPeople != false, !feed.keepsPeople {
                try TimetableRows.forgetPeople(
                    of: id, at: site, now: now.wholeMilliseconds, unread: unread,
                    connection: connection)
            }
            let rows = try connection.query(
                Self.insertion,
                [
                    .text(site.text), .text(id.text), .bytes(feed.settingsJSON), .bytes(sealed),
                    .text(address.host), .bool(feed.isEnabled),
                    .timestamp(microseconds: now.microseconds), .int(feed.schedule.everySeconds),
                    .bool(beginsAnew),
                ])
            return (rows, isNew)
        }
        var row = try read(rows[0])
        row.isNew = isNew
        return row
    }

    /// Has a feed fetched now, whatever its pause and that of its host, which goes on for others. A
    /// fetch that runs already may have begun before the change that the caller waits for, so its
    /// result is not taken.
    ///
    /// - Throws: `FeedRefusal.disabled`, or why there is no such feed.
    func fetchNow(_ id: FeedID, at site: SiteID, now: Timestamp) async throws {
        let asked = try await pool.query(
            """
            UPDATE timetables.feeds SET next_at = $3, next_from = $3, ignores_pause = true,
                hash = NULL, etag = NULL, modified = NULL, revision = revision + 1,
                lease_until = NULL
            WHERE site = $1 AND id = $2 AND NOT is_removed AND is_enabled
            """,
            [.text(site.text), .text(id.text), .timestamp(microseconds: now.microseconds)])
        guard asked.affected == 1 else {
            _ = try await one(site, id)
            throw FeedRefusal.disabled(id)
        }
    }

    /// Removes a feed and its rows. Their keys on the log get tombstones. A removal that ends half
    /// way goes on with `finishRemovals`.
    func remove(_ id: FeedID, at site: SiteID) async throws {
        let key: [PostgresValue] = [.text(site.text), .text(id.text)]
        let marked = try await pool.query(
            """
            UPDATE timetables.feeds SET is_removed = true, is_enabled = false, lease_until = NULL,
                revision = revision + 1
            WHERE site = $1 AND id = $2 AND NOT is_removed
            """, key)
        guard marked.affected == 1 else { throw FeedRefusal.unknown(id) }
        try await finishRemoval(of: id, at: site)
    }

    /// Removes the rows of a feed that is to be removed, some in each transaction, and then the
    /// feed. One that was set up again meanwhile stays.
    private func finishRemoval(of id: FeedID, at site: SiteID) async throws {
        let key: [PostgresValue] = [.text(site.text), .text(id.text)]
        var hasMore = true
        while hasMore {
            hasMore = try await pool.withTransaction { connection in
                let feed = try connection.query(
                    """
                    SELECT FROM timetables.feeds
                    WHERE site = $1 AND id = $2 AND is_removed FOR UPDATE
                    """, key)
                guard feed.first != nil else { return false }
                let count = try TimetableRows.remove(
                    of: id, at: site, atMost: Self.removedAtOnce, connection: connection)
                guard count < Self.removedAtOnce else { return true }
                try connection.query(
                    "DELETE FROM timetables.feeds WHERE site = $1 AND id = $2", key)
                return false
            }
        }
    }

    /// Marks all feeds of a site that is no more. Then they are removed by `finishRemovals`.
    func markRemoved(of site: SiteID) async throws {
        try await pool.query(
            """
            UPDATE timetables.feeds SET is_removed = true, is_enabled = false, lease_until = NULL,
                revision = revision + 1
            WHERE site = $1 AND NOT is_removed
            """, [.text(site.text)])
    }

    /// Goes on with the removals of feeds that are marked. One that fails holds up no other, and
    /// the first error is thrown after all.
    func finishRemovals() async throws {
        let rows = try await pool.query("SELECT site, id FROM timetables.feeds WHERE is_removed")
        var failure: (any Error)?
        for row in rows {
            let (site, id) = (SiteID(try row["site"]), FeedID(try row["id"]))
            do {
                try await finishRemoval(of: id, at: site)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The sites that have feeds.
    func sites() async throws -> [SiteID] {
        try await pool.query(
            "SELECT DISTINCT site FROM timetables.feeds WHERE NOT is_removed"
        ).map {
            SiteID(try $0["site"])
        }
    }

    /// Reads a row. An address that was sealed with another secret is empty.
    func read(_ row: PostgresRow) throws -> Row {
        var report = try StoredReport(row).report
        report.nextAt = Timestamp(microseconds: try row["next_at"])
        let pause: Int64? = try row["host_pause"]
        return Row(
            feed: try feed(row), report: report,
            hostPause: pause.map { Timestamp(microseconds: $0) })
    }

    func feed(_ row: PostgresRow) throws -> TimetableFeed {
        let (site, id) = (SiteID(try row["site"]), FeedID(try row["id"]))
        let settings: [UInt8] = try row["settings"]
        let submission: FeedSubmission
        do throws(WireFault) {
            submission = try FeedSubmission(stored: settings)
        } catch {
            throw WireFault(error.code, path: "\(site)/\(id) \(error.path)", error.reason)
        }
        let address = key?.open(try row["address"]).map { String(decoding: $0, as: UTF8.self) }
        let known = address.flatMap { FeedAddress($0) }
        var feed = submission.feed(
            id, at: site, address: known ?? FeedAddress("https://sealed.invalid/")!)
        if known == nil { feed.address = "" }
        return feed
    }
}

/// A feed's report as its row has it. Most fetches need none of it, so it is read on demand.
struct StoredReport: Sendable {
    private let json: [UInt8]?
    private let goodAt: Timestamp?

    init(_ row: PostgresRow) throws {
        json = try row["report"]
        let goodAt: Int64? = try row["good_at"]
        self.goodAt = goodAt.map { Timestamp(microseconds: $0) }
    }

    /// One that can't be read counts as none.
    var report: FeedReport {
        var report = json.flatMap { try? FeedReport(json: $0) } ?? FeedReport()
        // Fetches of what is unchanged are noted in the row alone, and all others in both. Their
        // times don't tell which is later: a clock may have been set back in between.
        if let goodAt, goodAt != report.goodAt {
            (report.fetchedAt, report.goodAt, report.outcome) = (goodAt, goodAt, .unchanged)
            (report.failures, report.fault, report.path) = (0, nil, nil)
        }
        return report
    }
}
