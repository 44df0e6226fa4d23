import EventLog
import Events
import LogViews
import MemoryLog
import Postgres
import Retrying
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Tables that follow the log, and a log that gets what the tables have, on a real PostgreSQL.
@Suite(
    .serialized, .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ReconcilingTests {
    private static let museum = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private static func named(_ name: String) -> SiteDocument {
        SiteDocument(name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    }

    /// An installation: tables of its own, and a log that may be shared.
    private struct House {
        let pool: PostgresPool
        let log: MemoryLog
        var sites: SiteStore { SiteStore(pool: pool, outbox: SiteEditorSchema.outbox) }
        var tokens: TokenStore { TokenStore(pool: pool) }

        init(_ log: MemoryLog) async throws {
            self.log = log
            try await log.createTopics(Topic.specifications(partitions: 3))
            pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
            try await SiteEditorSchema.migrate(pool)
        }

        /// Sends all that waits to this log, or to another one.
        func relay(to other: MemoryLog? = nil) async throws {
            let (pool, log) = (pool, other ?? log)
            let relay = Task {
                await SiteEditorSchema.outbox.relay(
                    log: log, pool: pool, every: .milliseconds(10),
                    notices: Notices(
                        onUnexpected: { Issue.record("\($0)") }, onRecovery: { _ in }))
            }
            let deadline = ContinuousClock.now + .seconds(20)
            while try await SiteEditorSchema.outbox.standing(pool).waiting > 0, .now < deadline {
                try await Task.sleep(for: .milliseconds(10))
            }
            relay.cancel()
            await relay.value
            #expect(try await SiteEditorSchema.outbox.standing(pool).waiting == 0)
        }

        func account(_ name: String, _ role: TokenRole, id: AccountID? = nil) async throws
            -> AccountID
        {
            let id = id ?? AccountStore.newID(at: moment)
            let row = AccountRow(
                id: id, signIn: name, name: name, password: nil, issuer: nil,
                grants: [RoleGrant(role)], madeAt: moment, madeBy: "test")
            try await pool.withTransaction { try AccountStore.insert(row, connection: $0) }
            return id
        }

        func state() async throws -> LoggedState {
            try await LoggedState(log) { Issue.record("\($0)") }
        }

        func follow(_ state: LoggedState) async throws -> ReconcileReport {
            let sites = sites
            return try await pool.withTransaction { connection in
                var report = ReconcileReport()
                _ = try SiteEditorSchema.outbox.settle(
                    on: "log", newest: state.newest, connection: connection)
                try SitesFromLog(state: state, moment: moment, store: sites)
                    .run(&report, connection)
                try TrustFromLog(state: state, moment: moment).run(&report, connection)
                return report
            }
        }

        func open() async throws -> Set<String> {
            Set(
                try await pool.query(
                    "SELECT sign_in FROM site_editor_names.accounts WHERE ended_at IS NULL"
                ).map { try $0["sign_in"] })
        }
    }

    private func count(_ report: ReconcileReport, _ name: String) -> Int {
        report.changes.first { $0.name == name }?.count ?? 0
    }

    @Test(
        "An empty database gets sites and tokens of the log; accounts end, for their names are lost"
    )
    func lost() async throws {
        let log = MemoryLog(MemoryLogServer())
        let old = try await House(log)
        for name in ["A", "B"] {
            _ = try await old.sites.replace(
                Self.museum, with: Self.named(name), expectedVersion: nil, at: Self.moment)
        }
        let issued = try await old.tokens.issue(
            TokenOrder(role: .administrator, note: "at the door"), at: Self.moment)
        _ = try await old.account("anna", .administrator)
        try await old.relay()

        let new = try await House(log)
        let report = try await new.follow(new.state())
        #expect(count(report, "sites") == 1 && count(report, "tokens") == 1)
        #expect(report.lost.contains { $0.contains("1 people have no account") })
        #expect(try await new.sites.published(Self.museum)?.version == 2)
        #expect(
            try await new.tokens.live(at: Self.moment).map(\.issued.hash) == [issued.issued.hash])
        try await new.relay()
        let after = try await new.state()
        #expect(after.trust.accounts.isEmpty && after.trust.tokens.count == 1)
        // The numbers of the new tables go on behind those of the lost ones.
        let third = try await new.sites.replace(
            Self.museum, with: Self.named("C"), expectedVersion: nil, at: Self.moment)
        try await new.relay()
        #expect(third.version == 3)
        #expect(try await new.state().sites[Self.museum]?.event.document.name == "C")
        // Nothing is left to do.
        let again = try await new.follow(new.state())
        #expect(again.changes.isEmpty, "\(again.changes)")
        await log.close()
    }

    @Test("A right that somebody lost since does not come back")
    func rights() async throws {
        let log = MemoryLog(MemoryLogServer())
        let house = try await House(log)
        let (keeper, ended, lower) = (
            try await house.account("keeper", .administrator),
            try await house.account("ended", .administrator),
            try await house.account("lower", .administrator)
        )
        let token = try await house.tokens.issue(
            TokenOrder(role: .administrator), at: Self.moment)
        let invitations = InvitationStore(pool: house.pool, bell: OutboxBell())
        let link = try await invitations.first(at: Self.moment)
        #expect(link == nil)
        // The log goes on: an end, fewer roles and a revocation that these tables do not know.
        try await house.relay()
        let id = try #require(try await house.tokens.live(at: Self.moment).first?.issued.id)
        #expect(id == token.issued.id)
        func key(_ account: AccountID) -> [UInt8] {
            Array((AccountChanged.keyPrefix + account.description).utf8)
        }
        try await log.append([
            .tombstone(of: .tokens, key(ended)),
            .tombstone(of: .tokens, Array(token.issued.hash.utf8)),
            AccountChanged(
                account: lower, version: 2, grants: [RoleGrant(.analyst)], sessionsEnded: 1,
                at: Self.moment
            ).record(source: "/test"),
        ])
        let report = try await house.follow(house.state())
        #expect(count(report, "accountsEnded") == 1 && count(report, "accounts") == 1)
        #expect(count(report, "tokensRevoked") == 1)
        #expect(try await house.open() == ["keeper", "lower"])
        let accounts = AccountStore(pool: house.pool, bell: OutboxBell())
        #expect(try await accounts.account(lower)?.grants == [RoleGrant(.analyst)])
        #expect(try await accounts.account(keeper)?.grants == [RoleGrant(.administrator)])
        #expect(try await house.tokens.live(at: Self.moment).isEmpty)
        await log.close()
    }

    @Test(
        "A token that a clock took off the log too soon, and somebody revoked, does not come back")
    func revokedOffTheLog() async throws {
        let log = MemoryLog(MemoryLogServer())
        let house = try await House(log)
        let token = try await house.tokens.issue(
            TokenOrder(role: .administrator), at: Self.moment)
        try await house.tokens.sweepExpired(
            at: Self.moment.advanced(byMicroseconds: 1_000 * 86_400_000_000))
        // The tables are those of this moment. Since then it came back to the log and was revoked.
        try await house.relay()
        try await log.append([.tombstone(of: .tokens, Array(token.issued.hash.utf8))])
        _ = try await house.follow(house.state())
        try await house.tokens.sweepExpired(at: Self.moment)
        #expect(try await house.tokens.live(at: Self.moment).isEmpty)
        await log.close()
    }

    @Test("A site whose last record can't be read is not removed")
    func unreadable() async throws {
        let log = MemoryLog(MemoryLogServer())
        let house = try await House(log)
        _ = try await house.sites.replace(
            Self.museum, with: Self.named("A"), expectedVersion: nil, at: Self.moment)
        try await house.relay()
        // Compaction has left the last record only.
        let whole = MemoryLog(MemoryLogServer())
        let alone = try await House(whole)
        try await whole.append([
            LogRecord(
                topic: Topic.site.name, key: RecordKey.bytes(Self.museum),
                value: Array("of a later release".utf8))
        ])
        let state = try await LoggedState(alone.log) { _ in }
        let report = try await house.follow(state)
        #expect(count(report, "sitesRemoved") == 0)
        #expect(try await house.sites.published(Self.museum)?.version == 1)
        await log.close()
        await whole.close()
    }

    /// A log whose last records have these keys and can't be read. Compaction has left no others.
    private func unreadable(_ keys: [(Topic, [UInt8])]) async throws -> MemoryLog {
        let log = MemoryLog(MemoryLogServer())
        try await log.createTopics(Topic.specifications(partitions: 3))
        try await log.append(
            keys.map { topic, key in
                LogRecord(topic: topic.name, key: key, value: Array("of a later release".utf8))
            })
        return log
    }

    @Test("People and tokens whose last record can't be read stay as they are, and are told of")
    func unreadableTrust() async throws {
        let log = MemoryLog(MemoryLogServer())
        let house = try await House(log)
        let (anna, _) = (
            try await house.account("anna", .administrator),
            try await house.account("gone", .administrator)
        )
        let token = try await house.tokens.issue(
            TokenOrder(role: .administrator), at: Self.moment
        ).issued
        try await house.relay()
        let later = try await unreadable([
            (.tokens, Array((AccountChanged.keyPrefix + anna.description).utf8)),
            (.tokens, Array(token.hash.utf8)),
        ])
        let state = try await LoggedState(later) { _ in }
        #expect(state.unread == 2)
        let report = try await house.follow(state)
        #expect(count(report, "accountsEnded") == 1 && count(report, "tokensRevoked") == 0)
        #expect(report.lost.contains { $0.hasPrefix("2 records of tokens and people") })
        #expect(try await house.open() == ["anna"])
        #expect(try await house.tokens.live(at: Self.moment).map(\.issued.hash) == [token.hash])
        await log.close()
        await later.close()
    }

    @Test("Records that can't be read hold a reconcile up, unless they are to be left out")
    func refused() async throws {
        let behind = OutboxFit.behind(log: 2, tables: 1)
        let refusal = #expect(throws: ReconcileRefusal.self) {
            try ReconcileOrder().isNeeded(behind, of: "s", unread: 1)
        }
        #expect(refusal == .unread("s", 1))
        #expect(refusal?.description.contains("--leave-unread") == true)
        #expect(try ReconcileOrder(leavesUnread: true).isNeeded(behind, of: "s", unread: 1))
        #expect(try ReconcileOrder().isNeeded(behind, of: "s", unread: 0))
        // On a new log all such records go.
        #expect(try ReconcileOrder(republishes: true).isNeeded(.anotherLog, of: "s", unread: 1))
        #expect(try !ReconcileOrder().isNeeded(.fits, of: "s", unread: 1))
        let session = Array((SessionKeyMade.keyPrefix + "k").utf8)
        let log = try await unreadable([
            (.site, RecordKey.bytes(Self.museum)), (.outages, [1]), (.tokens, session),
        ])
        #expect(try await LoggedState(log) { _ in }.unread == 2)
        await log.close()
    }

    @Test("A device is also erased at a test that began and ended since the backup")
    func endedTest() async throws {
        let log = MemoryLog(MemoryLogServer())
        let house = try await House(log)
        _ = try await house.sites.replace(
            Self.museum, with: Self.named("A"), expectedVersion: nil, at: Self.moment)
        try await house.relay()
        let testers = try #require(Self.museum.ofTesters)
        let erasures = ErasureStore(pool: house.pool, bell: OutboxBell())
        #expect(try await !erasures.knows(testers))
        for _ in 0..<2 { _ = try await house.follow(house.state()) }
        #expect(try await erasures.knows(testers))
        func erase() async throws -> [SiteID] {
            let erased = try await erasures.erase(
                DeviceID("d"), of: Self.museum, by: "t", at: Self.moment)
            return try await [Self.museum]
                + (erasures.twin(of: erased) == nil ? [] : [testers])
        }
        #expect(try await erase() == [Self.museum, testers])
        // The log has lost all of that time, until another reconcile.
        try await house.pool.query("DELETE FROM site_editor_names.erasures")
        try await erasures.forget(before: Self.moment.advanced(byMicroseconds: 1))
        #expect(try await erase() == [Self.museum])
        try await house.pool.query("DELETE FROM site_editor_names.erasures")
        let state = try await house.state()
        let sites = house.sites
        _ = try await house.pool.withTransaction { connection in
            var report = ReconcileReport()
            try SitesFromLog(
                state: state, moment: Self.moment.advanced(byMicroseconds: 1_000), store: sites
            ).run(&report, connection)
            return report
        }
        #expect(try await erase() == [Self.museum, testers])
        await log.close()
    }

    @Test("Nothing of another installation stays either that can't be read")
    func republishedUnreadable() async throws {
        let account = AccountStore.newID(at: Self.moment)
        let keys: [(Topic, [UInt8])] = [
            (.site, RecordKey.bytes(SiteID("elsewhere"))),
            (.tokens, Array((AccountChanged.keyPrefix + account.description).utf8)),
            (.tokens, Array((SessionKeyMade.keyPrefix + "k").utf8)),
            (.tokens, Array("a hash".utf8)),
        ]
        let log = try await unreadable(keys)
        let house = try await House(log)
        let state = try await LoggedState(log) { _ in }
        _ = try await house.pool.withTransaction { connection in
            var report = ReconcileReport()
            try Republishing(state: state, moment: Self.moment).run(&report, connection)
            return report
        }
        try await house.relay()
        let now = try await LoggedState(log) { _ in }
        #expect(state.unreadable.count == 1 && state.trust.unreadable.count == 3)
        #expect(now.unreadable.isEmpty && now.trust.unreadable.isEmpty)
        await log.close()
    }

    @Test("A new log gets what the tables have, and nothing of another installation stays")
    func republished() async throws {
        let log = MemoryLog(MemoryLogServer())
        let other = try await House(log)
        _ = try await other.sites.replace(
            SiteID("elsewhere"), with: Self.named("X"), expectedVersion: nil, at: Self.moment)
        for name in ["X", "Y", "Z"] {
            _ = try await other.sites.replace(
                Self.museum, with: Self.named(name), expectedVersion: nil, at: Self.moment)
        }
        _ = try await other.tokens.issue(TokenOrder(role: .administrator), at: Self.moment)
        try await other.relay()

        let house = try await House(MemoryLog(MemoryLogServer()))
        _ = try await house.sites.replace(
            Self.museum, with: Self.named("A"), expectedVersion: nil, at: Self.moment)
        let issued = try await house.tokens.issue(
            TokenOrder(role: .administrator), at: Self.moment)
        let anna = try await house.account("anna", .administrator)
        try await house.relay()
        let state = try await other.state()
        let outbox = SiteEditorSchema.outbox
        _ = try await house.pool.withTransaction { connection in
            var report = ReconcileReport()
            _ = try outbox.settle(on: "log", newest: state.newest, connection: connection)
            try Republishing(state: state, moment: Self.moment).run(&report, connection)
            return report
        }
        try await house.relay(to: log)
        let now = try await other.state()
        #expect(now.sites.mapValues(\.event.document.name) == [Self.museum: "A"])
        #expect(Set(now.trust.tokens.keys) == [issued.issued.hash])
        #expect(Set(now.trust.accounts.keys) == [anna])
        await log.close()
    }
}
