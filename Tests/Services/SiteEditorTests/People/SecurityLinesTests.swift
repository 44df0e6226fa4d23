import Access
import Cryptography
import EventLog
import Events
import Foundation
import HTTP
import LogViews
import Postgres
import ServiceBench
import Site
import TestSupport
import Testing
import Wire

@testable import ServiceHost
@testable import SiteEditor

/// The lines that tell an operator what an intruder did.
@Suite(
    "The security log",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SecurityLinesTests {
    private static let password = "a long enough password"
    private static let museum = SiteID("museum")
    private static let role = "administrator-of-site@museum"

    /// A site-editor with people, tokens and sites, behind a socket: lines have addresses.
    private final class House: Sendable {
        let bench: ServiceBench
        let people: People
        let pool: PostgresPool
        let sites: SiteStore
        let tokens: TokenStore
        let app: Served
        let administrator: String

        init() async throws {
            bench = try await ServiceBench()
            pool = try await ServiceBench.database()
            try await SiteEditorSchema.migrate(pool)
            let keys = SessionKeys(pool: pool, bell: OutboxBell())
            try await keys.renew(at: bench.clock.now)
            people = try People(
                bench, pool, keys,
                [
                    "WHEREABOUTS_SIGN_IN_PROXIES": "127.0.0.1",
                    "WHEREABOUTS_SIGN_IN_GROUPS": "it=administrator; staff=analyst@museum",
                ])
            tokens = TokenStore(pool: pool)
            sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
            administrator = try await tokens.issue(
                TokenOrder(role: .administrator), at: bench.clock.now
            ).token
            let publishing = Publishing(sites: bench.sites, security: bench.security)
            app = try bench.serve(
                people.routes
                    + SiteRoutes(
                        sites: bench.sites, clock: bench.clock, publishing: publishing,
                        store: sites
                    ).all
                    + TokenRoutes(
                        tokens: bench.tokens, blocks: bench.blocks, clock: bench.clock,
                        security: bench.security, store: tokens
                    ).all, over: .socket)
            try await refresh()
        }

        /// Gives the process what stands in the tables, as the log would.
        func refresh() async throws {
            let now = bench.clock.now
            let records = try await pool.withTransaction { connection in
                let keys = try connection.query(
                    "SELECT id, secret, made_at FROM site_editor.session_keys"
                ).map { row in
                    let pair = try #require(Ed25519.KeyPair(secretKey: row["secret"]))
                    return SessionKeyMade(
                        id: try row["id"], publicKey: hexadecimal(pair.publicKey),
                        madeAt: Timestamp(microseconds: try row["made_at"])
                    ).record(source: SiteEditorSchema.source)
                }
                return try keys
                    + AccountStore.recordsOfOpen(at: now, connection: connection).records
                    + TokenStore.recordsOfLive(at: now, connection: connection)
            }
            var table = TrustTable()
            for record in records {
                let stored = StoredRecord(
                    topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 0,
                    key: record.key, value: record.value, headers: record.headers)
                let isRead = table.apply(stored)
                #expect(isRead)
            }
            bench.tokens.replace(with: table)
        }

        /// Sends while the process learns from the tables, as sign-ins wait for that.
        func send(
            _ method: String, _ target: String, token: String? = nil,
            headers: [String: String] = [:], _ body: String = ""
        ) async throws -> Answer {
            let learning = Task {
                while !Task.isCancelled {
                    try? await refresh()
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            defer { learning.cancel() }
            var headers = headers
            if !body.isEmpty { headers["content-type"] = "application/json" }
            return try await app.send(
                method, target, token: token, headers: headers, body: body)
        }

        /// The fields of the only line of this kind.
        func fields(_ event: SecurityEvent) throws -> [String: String] {
            let lines = bench.securityLines.filter { $0.contains("\"\(event.rawValue)\"") }
            #expect(lines.count == 1, "\(bench.securityLines)")
            let line = try #require(lines.last)
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let fields = try #require(json?["fields"] as? [String: String], "\(line)")
            let known = Set(event.fields + ["caller", "account"])
            #expect(known.isSuperset(of: fields.keys), "\(line)")
            return fields
        }

        func count(_ event: SecurityEvent) -> Int {
            bench.securityLines.count { $0.contains("\"\(event.rawValue)\"") }
        }

        /// Anna, who looks after a site, by a link of the administrator.
        func join() async throws -> (id: String, session: Answer) {
            let invited = try await send(
                "POST", "/v1/invitations", token: administrator,
                """
                {"note": "Anna", "grants": [{"role": "administrator-of-site", "site": "museum"}]}
                """)
            #expect(invited.status == 201, "\(invited.text)")
            let secret = (invited["link"] ?? "").split(separator: "#").last ?? ""
            let joined = try await send(
                "POST", "/v1/accounts",
                """
                {"secret": "\(secret)", "signIn": "anna", "name": "Anna Arnold", \
                "password": "\(password)"}
                """)
            #expect(joined.status == 201, "\(joined.text)")
            return (try #require(joined["account"]), joined)
        }

        func signIn(_ password: String) async throws -> Answer {
            try await send(
                "POST", "/v1/session", #"{"signIn": "anna", "password": "\#(password)"}"#)
        }

        func throughProxy(_ groups: String) async throws -> Int {
            try await send(
                "GET", "/v1/sign-in/proxy",
                headers: ["remote-user": "bert", "remote-groups": groups]
            ).status
        }
    }

    private static func session(_ answer: Answer) -> [String: String] {
        let cookie = answer.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) }
        return ["cookie": cookie ?? "", "x-change-token": answer["changeToken"] ?? ""]
    }

    @Test("has an invitation, its use, and each sign-in, password and sign-out, without a name")
    func people() async throws {
        let house = try await House()
        let (id, _) = try await house.join()
        let invited = try house.fields(.invitationMade)
        #expect(invited["roles"] == Self.role && invited["invitation"]?.count == 36)
        let made = try house.fields(.accountMade)
        #expect(made["caller"] == "account/\(id)" && made["account"] == id)
        #expect(made["way"] == "link" && made["invitation"] == invited["invitation"])
        #expect(made["address"] == "127.0.0.1" && made["roles"] == Self.role)

        #expect(try await house.signIn("not the password").status == 401)
        let denied = try house.fields(.accessDenied)
        #expect(denied["code"] == "sign-in-wrong" && denied["address"] == "127.0.0.1")
        #expect(house.count(.signedIn) == 0)
        let signedIn = try await house.signIn(Self.password)
        let line = try house.fields(.signedIn)
        #expect(line["way"] == "password" && line["account"] == id)
        #expect(line["address"] == "127.0.0.1")

        let changed = try await house.send(
            "POST", "/v1/session/password", headers: Self.session(signedIn),
            #"{"old": "\#(Self.password)", "new": "another long password"}"#)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try house.fields(.passwordChanged)["account"] == id)
        let session = Self.session(changed)
        #expect(try await house.send("DELETE", "/v1/session", headers: session).status == 204)
        #expect(try house.fields(.signedOut)["account"] == id)
        let everywhere = try await house.send(
            "DELETE", "/v1/session/everywhere", headers: session)
        #expect(everywhere.status == 204)
        #expect(try house.fields(.sessionsEnded)["of"] == id)
        // Nobody signs out who is not signed in.
        #expect(try await house.send("DELETE", "/v1/session").status == 204)
        #expect(house.count(.signedOut) == 1)
        #expect(!house.bench.securityLines.contains { $0.contains("nna") })
        await house.app.stop()
    }

    @Test("has the roles before and after, the tokens that ended, and the end of an account")
    func roles() async throws {
        let house = try await House()
        let (id, _) = try await house.join()
        for _ in 0..<2 {
            _ = try await house.tokens.issue(
                TokenOrder(role: .analyst, site: Self.museum),
                by: TokenStore.Issuer(
                    id: "account/\(id)",
                    grants: [Grant(.administratorOfSite, site: Self.museum)], expiresAt: nil),
                at: house.bench.clock.now)
        }
        let path = "/v1/accounts/\(id)"
        let renamed = try await house.send(
            "PATCH", path, token: house.administrator, #"{"name": "Anna A."}"#)
        #expect(renamed.status == 200 && house.count(.rolesChanged) == 0)
        let lessened = try await house.send(
            "PATCH", path, token: house.administrator,
            #"{"grants": [{"role": "visitor", "site": "museum"}]}"#)
        #expect(lessened.status == 200, "\(lessened.text)")
        let changed = try house.fields(.rolesChanged)
        #expect(changed["of"] == id && changed["account"] == nil)
        #expect(changed["former"] == Self.role && changed["roles"] == "visitor@museum")
        let ended = try house.fields(.tokensEnded)
        #expect(ended["of"] == id && ended["tokens"] == "2")
        #expect(ended["caller"] == changed["caller"])

        let gone = try await house.send("DELETE", path, token: house.administrator)
        #expect(gone.status == 204 && house.count(.tokensEnded) == 1)
        #expect(try house.fields(.accountEnded)["of"] == id)
        await house.app.stop()
    }

    @Test("has sign-ins by a proxy, and the roles that groups gave or took")
    func groups() async throws {
        let house = try await House()
        #expect(try await house.throughProxy("it") == 303)
        let made = try house.fields(.accountMade)
        #expect(made["way"] == "proxy" && made["roles"] == "administrator")
        let id = try #require(made["account"])
        #expect(try house.fields(.signedIn)["way"] == "proxy" && house.count(.rolesChanged) == 0)
        _ = try await house.tokens.issue(
            TokenOrder(role: .administrator),
            by: TokenStore.Issuer(
                id: "account/\(id)", grants: [Grant(.administrator)], expiresAt: nil),
            at: house.bench.clock.now)
        #expect(try await house.throughProxy("guests") == 403)
        let changed = try house.fields(.rolesChanged)
        #expect(changed["roles"] == "none" && changed["former"] == "administrator")
        #expect(changed["way"] == "proxy" && changed["of"] == id && changed["account"] == id)
        #expect(try house.fields(.tokensEnded)["tokens"] == "1")
        #expect(house.count(.signedIn) == 1, "nobody was signed in")
        #expect(!house.bench.securityLines.contains { $0.contains("bert") })
        await house.app.stop()
    }

    @Test("has the removal of a site and the end of a test")
    func sites() async throws {
        let house = try await House()
        let document = SiteDocument(
            name: "A", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
        _ = try await house.sites.replace(
            Self.museum, with: document, expectedVersion: nil, at: house.bench.clock.now)
        _ = try await house.sites.edit(
            Self.museum, expectedRevision: nil, at: house.bench.clock.now
        ) { _ in
            .replace(
                SiteDocument(
                    name: "B", originLatitude: 51, originLongitude: 0, bearingDegrees: 0))
        }
        _ = try await house.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: house.bench.clock.now)
        for site in [Self.museum, SiteID("museum.test")] { house.bench.publish(as: site) }
        let ended = try await house.send(
            "DELETE", "/v1/sites/museum.test", token: house.administrator)
        #expect(ended.status == 204, "\(ended.text)")
        #expect(try house.fields(.testEnded)["site"] == "museum.test")
        let unconfirmed = try await house.send(
            "DELETE", "/v1/sites/museum", token: house.administrator)
        #expect(unconfirmed.status >= 400 && house.count(.siteRemoved) == 0)
        let removed = try await house.send(
            "DELETE", "/v1/sites/museum?confirm=museum", token: house.administrator)
        #expect(removed.status == 204, "\(removed.text)")
        #expect(try house.fields(.siteRemoved)["site"] == "museum")
        await house.app.stop()
    }

    @Test(
        "has the address of a request that is refused for its body",
        arguments: [
            ("/v1/tokens", #"{"role": "visitor", "site": "other"}"#),
            ("/v1/invitations", #"{"grants": [{"role": "visitor", "site": "other"}]}"#),
        ])
    func addresses(path: String, body: String) async throws {
        let house = try await House()
        let keeper = try await house.tokens.issue(
            TokenOrder(role: .administratorOfSite, site: Self.museum), at: house.bench.clock.now
        ).token
        try await house.refresh()
        let answer = try await house.send("POST", path, token: keeper, body)
        #expect(answer.status == 403, "\(answer.text)")
        let denied = try house.fields(.accessDenied)
        #expect(denied["address"] == "127.0.0.1" && denied["operation"] == "POST \(path)")
        await house.app.stop()
    }
}
