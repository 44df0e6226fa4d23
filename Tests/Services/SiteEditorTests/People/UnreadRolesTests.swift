import Access
import EventLog
import Events
import HTTP
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Accounts whose roles a later release wrote, after the program went back to this one.
@Suite(
    "An account whose roles can't be read",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct UnreadRolesTests {
    private static let later = #"[{"role":"of-a-later-release","site":"museum"}]"#
    private static let administrator = RoleGrant(.administrator)

    private let pool: PostgresPool
    private let accounts: AccountStore
    private let anna = AccountStore.newID(at: ServiceBench.start)
    private let bob = AccountStore.newID(at: ServiceBench.start.advanced(byMicroseconds: 5_000))

    init() async throws {
        pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        accounts = AccountStore(pool: pool, bell: OutboxBell())
        for (id, name) in [(anna, "anna"), (bob, "bob")] {
            let row = AccountRow(
                id: id, signIn: name, name: name, password: nil, issuer: nil,
                grants: [Self.administrator], madeAt: ServiceBench.start, madeBy: "test")
            try await pool.withTransaction { try AccountStore.insert(row, connection: $0) }
        }
        try await pool.query(
            "UPDATE site_editor_names.accounts SET grants = $1 WHERE sign_in = 'anna'",
            [.text(Self.later)])
        try await pool.query("DELETE FROM site_editor.outbox")
    }

    private var keeper: Keeper {
        Keeper(id: "account/\(bob)", grants: [Grant(Self.administrator)])
    }

    private func stored() async throws -> String {
        try await pool.query(
            "SELECT grants FROM site_editor_names.accounts WHERE sign_in = 'anna'")[0]["grants"]
    }

    @Test("is listed without roles, keeps them, and is none of the administrators")
    func listed() async throws {
        let rows = try await accounts.accounts(after: nil, limit: 9)
        #expect(rows.map(\.grants) == [[], [Self.administrator]])
        #expect(rows.map(\.unreadGrants) == [Self.later, nil])
        try await accounts.noteSignIn(anna, at: ServiceBench.start)
        let refusal = await #expect(throws: AccountRefusal.self) {
            try await accounts.change(anna, by: keeper, at: ServiceBench.start) {
                $0.sessionsEnded += 1
            }
        }
        #expect(refusal?.problem.code == "accounts-unreadable")
        #expect(try await stored() == Self.later)
        // The log keeps its record too.
        let (first, second) = (anna, bob)
        try await pool.withTransaction { connection in
            let records = try AccountStore.recordsOfOpen(
                at: ServiceBench.start, connection: connection
            ).records
            let announced = try records.map { try AccountChanged(json: $0.value ?? []).account }
            #expect(announced == [second])
            #expect(try AccountStore.hasAdministrator(beside: first, connection: connection))
            #expect(try !AccountStore.hasAdministrator(beside: second, connection: connection))
        }
        await pool.close()
    }

    @Test("may be the only administrator, so nobody gets the first one's link beside it")
    func only() async throws {
        _ = try await pool.query("DELETE FROM site_editor_names.accounts WHERE sign_in = 'bob'")
        try await pool.query(
            "UPDATE site_editor_names.accounts SET grants = $1",
            [.text(#"[{"role":"administrator","of":"a later release"},{"role":"later"}]"#)])
        let invitations = InvitationStore(pool: pool, bell: OutboxBell())
        #expect(try await invitations.first(at: ServiceBench.start) == nil)
        await pool.close()
    }

    @Test("is not left off a new log without a word")
    func republished() async throws {
        func republish(leavesUnread: Bool) async throws -> ReconcileReport {
            try await pool.withTransaction { connection in
                var report = ReconcileReport()
                try Republishing(
                    state: LoggedState(), moment: ServiceBench.start,
                    order: ReconcileOrder(republishes: true, leavesUnread: leavesUnread)
                ).run(&report, connection)
                return report
            }
        }
        await #expect(throws: ReconcileRefusal.unread(SiteEditorSchema.name, 1)) {
            try await republish(leavesUnread: false)
        }
        let report = try await republish(leavesUnread: true)
        #expect(report.lost.contains { $0.hasPrefix("1 people are not on the new log") })
        await pool.close()
    }

    @Test("gets other roles, if an administrator says which")
    func given() async throws {
        let row = try await accounts.change(
            anna, by: keeper, adding: [Self.administrator], at: ServiceBench.start
        ) { $0.grants = [Self.administrator] }
        #expect(row?.version == 2 && row?.effect.formerGrants == [])
        #expect(try await stored() == [Self.administrator].storedJSON)
        await pool.close()
    }

    @Test("keeps them at a sign-in by a provider, which gives and takes none")
    func byProvider() async throws {
        try await pool.query(
            """
            UPDATE site_editor_names.accounts SET issuer = 'provider', subject = 'a1'
            WHERE sign_in = 'anna'
            """)
        for grants in [[Self.administrator], []] {
            let row = try await accounts.signedIn(
                issuer: "provider", subject: "a1", name: "Anna", grants: grants,
                at: ServiceBench.start)
            #expect(row?.id == anna && row?.grants == [] && row?.version == 1)
            #expect(row?.unreadGrants == Self.later)
        }
        #expect(try await stored() == Self.later)
        let waiting = try await pool.query("SELECT FROM site_editor.outbox")
        #expect(waiting.isEmpty, "the log keeps its record")
        await pool.close()
    }

    @Test("is ended by an administrator of all")
    func ended() async throws {
        let ended = try await accounts.end(anna, by: keeper, at: ServiceBench.start) { _ in }
        #expect(ended == 0)
        #expect(try await accounts.accounts(after: nil, limit: 9).map(\.id) == [bob])
        await pool.close()
    }
}
