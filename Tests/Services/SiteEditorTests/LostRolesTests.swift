import Access
import Events
import HTTPClient
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "A person who loses a role",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct LostRolesTests {
    private static let administrator = RoleGrant(.administrator)
    private static let analyst = RoleGrant(.analyst, site: SiteID("museum"))

    /// Signs people in by a proxy, and keeps what they make.
    private struct Door {
        let bench: ServiceBench
        let people: People
        let tokens: TokenStore
        let app: Served

        /// The lines `groups missing` of the security log.
        var lines: [String] {
            bench.securityLines.filter { $0.contains(SecurityEvent.groupsMissing.rawValue) }
        }

        init(_ environment: [String: String] = [:]) async throws {
            bench = try await ServiceBench()
            let pool = try await ServiceBench.database()
            try await SiteEditorSchema.migrate(pool)
            let keys = SessionKeys(pool: pool, bell: OutboxBell())
            try await keys.renew(at: bench.clock.now)
            people = try People(
                bench, pool, keys,
                [
                    "WHEREABOUTS_SIGN_IN_PROXIES": "127.0.0.1",
                    "WHEREABOUTS_SIGN_IN_GROUPS":
                        "it=administrator; staff=analyst@museum; all=analyst; "
                        + "head=administrator@museum; other=administrator@annex",
                ].merging(environment) { $1 })
            tokens = TokenStore(pool: pool)
            // A proxy is known by its address, so there has to be a socket.
            app = try bench.serve(people.routes, over: .socket)
        }

        /// - Parameter groups: nil for a proxy that says nothing of them.
        func signIn(_ groups: String?) async throws -> Int {
            var headers = ["remote-user": "anna"]
            headers["remote-groups"] = groups
            return try await app.send("GET", "/v1/sign-in/proxy", headers: headers).status
        }

        func anna() async throws -> AccountRow {
            try #require(try await people.accounts.accounts(after: nil, limit: 2).first)
        }

        /// A token of 90 days, and a link by which somebody else becomes an administrator.
        func make(
            at site: SiteID? = nil
        ) async throws -> (token: EventID, secret: String) {
            let anna = try await anna()
            let (id, grants) = ("account/\(anna.id)", anna.grants.map(Grant.init))
            let issued = try await tokens.issue(
                TokenOrder(role: .administrator, site: site),
                by: TokenStore.Issuer(id: id, grants: grants, expiresAt: nil),
                at: bench.clock.now
            ).issued
            let invited = try await people.invitations.invite(
                note: "Bert", grants: [RoleGrant(.administrator, site: site)],
                by: Keeper(id: id, grants: grants), at: bench.clock.now)
            return (issued.id, invited.secret)
        }

        func isLeft(_ made: (token: EventID, secret: String)) async throws -> [Bool] {
            let live = try await tokens.live(at: bench.clock.now)
            let open = try await people.invitations.invitation(
                secret: made.secret, at: bench.clock.now)
            return [live.contains { $0.issued.id == made.token }, open != nil]
        }

        /// The grants of the account's events, in their order.
        func announced() async throws -> [[RoleGrant]] {
            try await people.accounts.pool.query(
                """
                SELECT key, value FROM site_editor.outbox
                WHERE convert_from(key, 'UTF8') LIKE 'account/%' ORDER BY id
                """
            ).map { row in
                try AccountChanged(json: row["value"]).grants
            }
        }
    }

    @Test("loses tokens and links with it, whether an administrator or a group took it")
    func lost() async throws {
        let door = try await Door()
        #expect(try await door.signIn("it,staff") == 303)
        let made = try await door.make()
        #expect(try await door.signIn("staff,it") == 303)
        #expect(try await door.isLeft(made) == [true, true], "nothing was lost yet")
        #expect(try await door.signIn("staff") == 303)
        #expect(try await door.isLeft(made) == [false, false])
        #expect(try await door.anna().grants == [Self.analyst])

        #expect(try await door.signIn("it") == 303)
        let other = AccountRow(
            id: AccountStore.newID(at: ServiceBench.start), signIn: "carl", name: "Carl",
            password: nil, issuer: nil, grants: [Self.administrator], madeAt: ServiceBench.start,
            madeBy: "test")
        try await door.people.accounts.pool.withTransaction {
            try AccountStore.insert(other, connection: $0)
        }
        let again = try await door.make()
        _ = try await door.people.accounts.change(
            door.anna().id, at: door.bench.clock.now
        ) { $0.grants = [Self.analyst] }
        #expect(try await door.isLeft(again) == [false, false])
        await door.app.stop()
    }

    @Test("loses it also where a link can't be read, which then goes")
    func unreadableLink() async throws {
        let door = try await Door()
        #expect(try await door.signIn("it,staff") == 303)
        let made = try await door.make()
        try await door.people.accounts.pool.query(
            #"""
            UPDATE site_editor_names.invitations SET grants = '[{"role":"of-a-later-release"}]'
            WHERE NOT is_first
            """#)
        #expect(try await door.signIn("staff") == 303)
        #expect(try await door.isLeft(made) == [false, false])
        #expect(try await door.anna().grants == [Self.analyst])
        await door.app.stop()
    }

    @Test("loses nothing by a wider role, nor where nothing is said of groups")
    func kept() async throws {
        let door = try await Door()
        #expect(try await door.signIn("it,staff") == 303)
        let made = try await door.make()
        #expect(try await door.signIn("it,all") == 303)
        #expect(try await door.isLeft(made) == [true, true])
        let grants = try await door.anna().grants
        #expect(try await door.signIn(nil) == 403)
        #expect(try await door.isLeft(made) == [true, true])
        #expect(try await door.anna().grants == grants)
        #expect(try await door.signIn("all") == 303)
        #expect(try await door.isLeft(made) == [false, false])
        await door.app.stop()
    }

    @Test(
        "keeps the tokens and links that a role permits which is left", arguments: [true, false])
    func left(byGroups: Bool) async throws {
        let door = try await Door()
        func lose(_ groups: String, _ grants: [RoleGrant]) async throws {
            if byGroups {
                #expect(try await door.signIn(groups) == 303)
            } else {
                _ = try await door.people.accounts.change(
                    door.anna().id, at: door.bench.clock.now
                ) { $0.grants = grants }
            }
            #expect(Set(try await door.anna().grants) == Set(grants))
        }
        let (museum, annex) = (SiteID("museum"), SiteID("annex"))
        let (head, other) = (
            RoleGrant(.administrator, site: museum), RoleGrant(.administrator, site: annex)
        )
        #expect(try await door.signIn("head,other,staff") == 303)
        let (atMuseum, atAnnex) = (
            try await door.make(at: museum), try await door.make(at: annex)
        )
        try await lose("head,other", [head, other])
        #expect(try await door.isLeft(atMuseum) == [true, true])
        #expect(try await door.isLeft(atAnnex) == [true, true])
        try await lose("head", [head])
        #expect(try await door.isLeft(atMuseum) == [true, true])
        #expect(try await door.isLeft(atAnnex) == [false, false])
        try await lose("staff", [Self.analyst])
        #expect(try await door.isLeft(atMuseum) == [false, false])
        await door.app.stop()
    }

    @Test("is told of in the security log where nothing is said of groups, by the account's id")
    func told() async throws {
        let door = try await Door()
        #expect(try await door.signIn("it,staff") == 303)
        #expect(door.lines.count == 0)
        #expect(try await door.signIn(nil) == 403)
        #expect(try await door.signIn(nil) == 403)
        let line = try #require(door.lines.first)
        let id = try await door.anna().id
        #expect(door.lines.count == 1, "the same within a minute")
        #expect(line.contains("\"account\":\"\(id)\""))
        #expect(line.contains("refused") && !line.contains("anna"))
        await door.app.stop()
    }

    @Test("loses all where nothing is said of groups, if the settings take that as no groups")
    func missingIsNone() async throws {
        let door = try await Door(["WHEREABOUTS_SIGN_IN_MISSING_GROUPS": "none"])
        #expect(try await door.signIn("it") == 303)
        let made = try await door.make()
        #expect(try await door.signIn(nil) == 403)
        #expect(try await door.isLeft(made) == [false, false])
        #expect(try await door.anna().grants.isEmpty)
        #expect(door.lines.first?.contains("no groups") == true)
        await door.app.stop()
    }

    @Test("in no group any more is refused, has no role, and is nobody's administrator")
    func noGroup() async throws {
        let door = try await Door()
        #expect(try await door.signIn("it") == 303)
        let made = try await door.make()
        let signedInAt = try await door.anna().signedInAt
        door.bench.pass(seconds: 60)
        #expect(try await door.signIn("guests") == 403)
        #expect(try await door.isLeft(made) == [false, false])
        let anna = try await door.anna()
        #expect(anna.grants.isEmpty && anna.signedInAt == signedInAt)
        #expect(try await door.announced() == [[Self.administrator], []])
        let hasAdministrator = try await door.people.accounts.pool.withTransaction {
            try AccountStore.hasAdministrator(connection: $0)
        }
        #expect(!hasAdministrator)
        #expect(try await door.signIn("guests") == 403)
        #expect(try await door.announced().count == 2, "nothing changed the second time")
        #expect(try await door.signIn("it") == 303)
        #expect(try await door.anna().grants == [Self.administrator])
        await door.app.stop()
    }

    @Test("A stranger without a group that has a role gets no account")
    func stranger() async throws {
        let door = try await Door()
        #expect(try await door.signIn("guests") == 403)
        #expect(try await door.people.accounts.accounts(after: nil, limit: 1).isEmpty)
        await door.app.stop()
    }
}

extension People {
    /// People as a bench and these settings have them.
    convenience init(
        _ bench: ServiceBench, _ pool: PostgresPool, _ keys: SessionKeys? = nil,
        _ environment: [String: String] = [:],
        endHoldings: @escaping @Sendable (SessionMark, Timestamp) async throws -> Void = { _, _ in }
    ) throws {
        let bell = OutboxBell()
        self.init(
            tokens: bench.tokens, clock: bench.clock, notices: bench.notices,
            security: bench.security, accounts: AccountStore(pool: pool, bell: bell),
            invitations: InvitationStore(pool: pool, bell: bell),
            keys: keys ?? SessionKeys(pool: pool, bell: bell),
            settings: PeopleSettings(
                try bench.configuration(PeopleSettings.settings, environment)),
            client: HTTPClient(), endHoldings: endHoldings)
    }
}
