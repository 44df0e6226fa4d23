import Access
import Events
import LogViews
import Postgres
import Privacy
import ServiceBench
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Changes that come while another one waits for its locks.
@Suite(
    "Meanwhile", .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MeanwhileTests {
    private static let museum = SiteID("museum")
    private static let moment = ServiceBench.start

    /// Tables, and accounts in them.
    private struct House: Sendable {
        let pool: PostgresPool
        var accounts: AccountStore { AccountStore(pool: pool, bell: OutboxBell()) }
        var invitations: InvitationStore { InvitationStore(pool: pool, bell: OutboxBell()) }

        init() async throws {
            pool = try await ServiceBench.database()
            try await SiteEditorSchema.migrate(pool)
        }

        func account(_ name: String, _ grants: [RoleGrant] = []) async throws -> AccountID {
            let row = AccountRow(
                id: AccountStore.newID(at: moment), signIn: name, name: name, password: nil,
                issuer: nil, grants: grants, madeAt: moment, madeBy: "test")
            try await pool.withTransaction { try AccountStore.insert(row, connection: $0) }
            return row.id
        }

        func enrol(_ name: String, at site: SiteID, by owner: AccountID) async throws -> DeviceID {
            try await DeviceStore(pool: pool, secret: nil).enrol(
                DeviceSubmission(json: Array(#"{"name": "\#(name)"}"#.utf8)), site: site,
                owner: owner, limit: nil, at: moment
            ).id
        }

        /// Returns once this many sessions wait for locks.
        func untilWaiting(_ count: Int) async throws {
            let deadline = ContinuousClock.now + .seconds(20)
            while true {
                let waiting: Int = try await pool.query(
                    """
                    SELECT count(*) AS waiting FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """)[0]["waiting"]
                if waiting >= count { return }
                try #require(ContinuousClock.now < deadline, "nobody waits")
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        /// Begins the work, and returns once it waits for a lock as the last of so many.
        func begin<Value: Sendable>(
            _ number: Int, _ work: @escaping @Sendable () async throws -> Value
        ) async throws -> Task<Value, any Error> {
            let task = Task.detached { try await work() }
            try await untilWaiting(number)
            return task
        }
    }

    @Test("an account gets a device at another site: it ends with that, too, and without deadlock")
    func enrolled() async throws {
        let house = try await House()
        let anna = try await house.account("anna")
        _ = try await house.enrol("watch", at: SiteID("annex"), by: anna)
        let (ended, late) = try await house.pool.withTransaction { connection in
            try DeviceStore.lock(Self.museum, connection: connection)
            _ = try AccountStore.account(anna, connection: connection)
            try connection.query(
                "INSERT INTO site_editor_names.devices VALUES ('museum', 'd', '', $1, NULL, now())",
                [.uuid(anna.event.bytes)])
            let ended = try await house.begin(1) {
                try await house.accounts.end(anna, at: Self.moment) { _ in }
            }
            let late = try await house.begin(2) {
                try await house.enrol("phone", at: Self.museum, by: anna)
            }
            return (ended, late)
        }
        #expect(try await ended.value == 0)
        do { _ = try await late.value } catch {
            #expect(error is GrantsChanged, "\(error)")
        }
        let left = try await house.pool.query("SELECT id FROM site_editor_names.devices")
        #expect(left.isEmpty)
        let erased = Set(try await ErasureStore.all(house.pool).map(\.site.text))
        #expect(erased == ["annex", "museum"])
        await house.pool.close()
    }

    @Test("an administrator loses the role: what waited for the same lock is refused")
    func lostRole() async throws {
        let house = try await House()
        let grants = [RoleGrant(.administrator)]
        let (keeper, anna) = (
            try await house.account("keeper", grants), try await house.account("anna")
        )
        _ = try await house.account("other", grants)
        let caller = Keeper(id: "account/\(keeper)", grants: grants.map(Grant.init))
        let (changed, ended) = try await house.pool.withTransaction { connection in
            try AccountStore.lockAdministrators(connection: connection)
            try connection.query(
                "UPDATE site_editor_names.accounts SET grants = '[]' WHERE id = $1",
                [.uuid(keeper.event.bytes)])
            let changed = try await house.begin(1) {
                try await house.accounts.change(anna, by: caller, at: Self.moment) {
                    $0.grants = grants
                }
            }
            let ended = try await house.begin(2) {
                try await house.accounts.end(anna, by: caller, at: Self.moment) { _ in }
            }
            return (changed, ended)
        }
        await #expect(throws: GrantsChanged.self) { try await changed.value }
        await #expect(throws: GrantsChanged.self) { try await ended.value }
        #expect(try await house.accounts.account(anna)?.grants == [])
        // People change what is their own by no role.
        let own = try await house.accounts.change(anna, at: Self.moment) { $0.sessionsEnded += 1 }
        #expect(own?.sessionsEnded == 1)
        await house.pool.close()
    }

    @Test("a site is removed: no link to it is left, unless to make it again")
    func invited() async throws {
        let house = try await House()
        let sites = SiteStore(pool: house.pool, outbox: SiteEditorSchema.outbox)
        _ = try await sites.replace(
            Self.museum,
            with: SiteDocument(
                name: "A", originLatitude: 51, originLongitude: 0, bearingDegrees: 0),
            expectedVersion: nil, at: Self.moment)
        @Sendable func invite(_ role: TokenRole) async throws -> EventID {
            try await house.invitations.invite(
                note: "", grants: [RoleGrant(role, site: Self.museum)],
                by: Keeper(id: "t", grants: []), at: Self.moment
            ).row.id
        }
        let (analyst, maker) = try await house.pool.withTransaction { connection in
            // As far as a removal locks and stores.
            try ErasureStore.lock([Self.museum], connection)
            try AccountStore.withdrawGrants(
                of: [Self.museum], at: Self.moment, connection: connection)
            let analyst = try await house.begin(1) { try await invite(.analyst) }
            let maker = try await house.begin(2) { try await invite(.administratorOfSite) }
            try sites.deleteRows(
                Self.museum, version: 1, by: "t", at: Self.moment, connection: connection)
            return (analyst, maker)
        }
        await #expect(throws: UnknownSite.self) { try await analyst.value }
        let made = try await maker.value
        #expect(try await house.invitations.open(at: Self.moment).map(\.id) == [made])
        // Nor does a change of roles that was read before the removal bring them back.
        let (anna, lost) = (
            try await house.account("anna"), [RoleGrant(.analyst, site: Self.museum)]
        )
        await #expect(throws: UnknownSite.self) {
            try await house.accounts.change(anna, adding: lost, at: Self.moment) {
                $0.grants = lost
            }
        }
        #expect(try await house.accounts.account(anna)?.grants == [])
        await house.pool.close()
    }

    @Test("an ordinary site with the id of a testers' site is removed: it waits for what it opens")
    func ordinary() async throws {
        let house = try await House()
        let site = SiteID("museum.test")
        @Sendable func isFree(_ site: SiteID) async throws -> Bool {
            try await house.pool.query(
                "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 7)) AS is_free",
                [.text(site.text)])[0]["is_free"]
        }
        try await house.pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            for site in [site, Self.museum] { #expect(try await !isFree(site)) }
        }
        #expect(try await isFree(site))
        try await house.pool.query(
            """
            INSERT INTO site_editor.removed_sites (site, version, removed_at, removed_by)
            VALUES ('museum.test', 1, now(), 't')
            """)
        await #expect(throws: UnknownSite.self) {
            try await house.pool.withTransaction { try DeviceStore.keep(site, connection: $0) }
        }
        await house.pool.close()
    }

    @Test("an account with very many devices at two sites ends, and takes no others with it")
    func manyDevices() async throws {
        let house = try await House()
        let anna = try await house.account("anna")
        for (site, count) in [("museum", 2_001), ("annex", 3)] {
            try await house.pool.query(
                """
                INSERT INTO site_editor_names.devices (site, id, name, owner, enrolled_at)
                SELECT $1, $1 || number, 'watch', CASE WHEN number > 1 THEN $3::uuid END, now()
                FROM generate_series(1, $2) AS number
                """, [.text(site), .int(count), .uuid(anna.event.bytes)])
        }
        #expect(try await house.accounts.end(anna, at: Self.moment) { _ in } == 0)
        let erased = try await ErasureStore.all(house.pool)
        #expect(erased.count == 2_002 && Set(erased.map(\.device)).count == 2_002)
        let left: [String] = try await house.pool.query(
            "SELECT id FROM site_editor_names.devices ORDER BY id"
        ).map { try $0["id"] }
        #expect(left == ["annex1", "museum1"])
        await house.pool.close()
    }
}
