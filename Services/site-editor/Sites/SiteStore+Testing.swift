import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// The testers' site: a draft that testers see before everyone does. It ends with the test.
extension SiteStore {
    struct TestVersion: Sendable {
        /// The revision of the draft when it was published to testers.
        var revision: Int
        var publishedAt: Timestamp
        var document: SiteDocument
    }

    struct TestOutcome: Sendable {
        var site: SiteID
        var revision: Int
        var outcome: Outcome
    }

    /// Publishes the draft as the next version of the testers' site.
    func publishToTesters(
        _ site: SiteID, expectedRevision: Int?, by publisher: String? = nil, at moment: Timestamp
    ) async throws -> TestOutcome {
        guard let testers = site.ofTesters else { throw UntestableSite.longID }
        let published = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            guard let draft = try latestDraft(of: site, connection: connection) else {
                throw UnknownSite(site: site)
            }
            try draft.expect(expectedRevision)
            let hashes = draft.document.media.map(\.hash)
            let nameable = try MediaStore.nameable(hashes, by: site, connection: connection)
            try MediaStore.own(nameable.sorted(), by: testers, connection: connection)
            var since = moment
            switch try Self.testersSite(testers, connection: connection) {
            case .ordinary: throw UntestableSite.taken(testers)
            case .test(_, let began): since = began
            case nil: break
            }
            let outcome = try publish(
                testers, draft.document.borrowing(from: site, since: since),
                expectedVersion: nil, by: publisher, at: moment, connection: connection)
            try keep(draft, at: moment, connection: connection)
            return TestOutcome(site: testers, revision: draft.revision, outcome: outcome)
        }
        published.outcome.event.map(cache.keep)
        bell.ring()
        return published
    }

    /// A site under the id of a testers' site.
    enum TestersSite {
        case test(version: Int, since: Timestamp)
        /// It was made before testers' sites existed.
        case ordinary
    }

    /// The ids of testers' sites that ordinary sites have. Their owners must give them others.
    func ordinarySitesWithTestersIDs() async throws -> [SiteID] {
        try await pool.query(
            "SELECT id, event FROM site_editor.sites WHERE id LIKE '%.test' ORDER BY id"
        ).compactMap { row in
            let event = try SitePublished(json: try row["event"])
            return event.document.borrows == nil ? SiteID(try row["id"]) : nil
        }
    }

    /// Nil where there is no such site.
    static func testersSite(
        _ testers: SiteID, connection: isolated PostgresConnection
    ) throws -> TestersSite? {
        let rows = try connection.query(
            "SELECT version, event FROM site_editor.sites WHERE id = $1 FOR UPDATE",
            [.text(testers.text)])
        guard let row = rows.first else { return nil }
        let since = try SitePublished(json: try row["event"]).document.borrows?.since
        guard let since else { return .ordinary }
        return .test(version: try row["version"], since: since)
    }

    /// Stores the draft for `?version=test`. Its files are also kept as long as the test lasts.
    private func keep(
        _ draft: SiteDraft, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor.test_versions (site, revision, published_at, document)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (site) DO UPDATE SET revision = excluded.revision,
                published_at = excluded.published_at, document = excluded.document
            """,
            [
                .text(draft.site.text), .int(draft.revision),
                .timestamp(microseconds: moment.microseconds), .bytes(draft.document.json),
            ])
    }

    /// The version that testers see; nil when nothing was published to them.
    func testVersion(of site: SiteID) async throws -> TestVersion? {
        let rows = try await pool.query(
            "SELECT revision, published_at, document FROM site_editor.test_versions "
                + "WHERE site = $1",
            [.text(site.text)])
        return try rows.first.map { row in
            TestVersion(
                revision: try row["revision"],
                publishedAt: Timestamp(microseconds: try row["published_at"]),
                document: try SiteDocument(json: try row["document"]))
        }
    }

    // MARK: The end of a test

    /// Removes the testers' site. Its tokens stay for the next test, and give no access until then.
    /// - Returns: false where an ordinary site has the id of the testers' site.
    /// - Throws: `UnknownSite` where neither is there.
    func endTest(of site: SiteID, by ender: String, at moment: Timestamp) async throws -> Bool {
        let isEnded = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            if try endTest(of: site, by: ender, at: moment, connection: connection) { return true }
            guard let testers = site.ofTesters,
                try Self.testersSite(testers, connection: connection) != nil
            else { throw UnknownSite(site: site.ofTesters ?? site) }
            return false
        }
        if isEnded { bell.ring() }
        return isEnded
    }

    /// Ends the test in the transaction of a command that holds the site's lock.
    /// - Returns: false where there is no test.
    @discardableResult
    func endTest(
        of site: SiteID, by ender: String?, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query(
            "DELETE FROM site_editor.test_versions WHERE site = $1", [.text(site.text)])
        guard let testers = site.ofTesters else { return false }
        guard case .test(let version, _)? = try Self.testersSite(testers, connection: connection)
        else { return false }
        try deleteRows(
            testers, version: version, by: ender ?? "unknown", at: moment, connection: connection)
        cache.forget(testers)
        return true
    }
}
