import Events
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Pairings of sessions",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SessionPairingTests {
    private static let pairings = "/v1/sites/\(ShareBench.site)/pairings"

    private func pair(_ bench: ShareBench, _ session: ShareBench.Session) async throws -> Answer {
        let shown = try await bench.app.send(
            "POST", "/v1/scanners/pi-1/pairing-code", token: bench.scanner)
        let code = try #require(shown["code"], "\(shown.text)")
        return try await bench.send("POST", Self.pairings, session, #"{"code": "\#(code)"}"#)
    }

    @Test("The session's end ends its pairing, which lasts no longer than the session")
    func ends() async throws {
        let bench = try await ShareBench()
        let (session, other) = (bench.session(), bench.session())
        #expect(try await pair(bench, session)["active"] == "true")
        #expect(try await bench.send("DELETE", "/v1/session", other).status == 204)
        #expect(try await bench.send("GET", Self.pairings, session)["pairings.0.active"] == "true")
        #expect(try await bench.send("DELETE", "/v1/session", session).status == 204)
        let listed = try await bench.send("GET", Self.pairings, session)
        #expect(listed["pairings.0.endedBy"] == "visitor", "\(listed.text)")
        let short = bench.session(seconds: 60)
        let until = try await pair(bench, short)["until"]
        #expect(until == bench.bench.clock.now.advanced(byMicroseconds: 60_000_000).text)
        let own = try await bench.send("GET", Self.pairings, short)
        let id = try #require(EventID(own["pairings.0.id"] ?? ""))
        let found = try ActivePairing(id, in: Array(own.text.utf8))
        #expect(found?.scanner == ScannerID("pi-1") && found?.from == bench.bench.clock.now)
    }

    @Test("The end of an account's sessions ends its pairings, and no other's")
    func account() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        #expect(try await pair(bench, session).status == 201)
        let account = AccountID(EventID(high: 3, low: 4))
        try await bench.pool.query(
            """
            INSERT INTO site_editor.pairings (id, site, scanner, visitor, from_at, until_at)
            VALUES ($1, 'sample', 'pi-2', $2, $3, $3::timestamptz + interval '1 hour')
            """,
            [
                .uuid(EventID(high: 7, low: 7).bytes), .text("account/\(account)"),
                .timestamp(microseconds: bench.bench.clock.now.microseconds),
            ])
        try await bench.pool.withTransaction { connection in
            try PairingStore.endAll(
                of: account, at: ServiceBench.start, connection: connection)
        }
        let open: [String] = try await bench.pool.query(
            "SELECT scanner FROM site_editor.pairings WHERE ended_at IS NULL"
        ).map { try $0["scanner"] }
        #expect(open == ["pi-1"])
    }

    @Test("An editor makes a code for a tag, which pairs once; an erased tag is paired no more")
    func tag() async throws {
        let bench = try await ShareBench()
        let tag = try await DeviceStore(pool: bench.pool, secret: "a secret").enrol(
            DeviceSubmission(json: Array(#"{"name": "Tag"}"#.utf8)), site: ShareBench.site,
            owner: nil, limit: nil, at: bench.bench.clock.now)
        let path = "/v1/sites/\(ShareBench.site)/devices/\(tag.id)/pairing-code"
        let (session, other) = (bench.session(), bench.session())
        #expect(try await bench.send("POST", path, session).status == 403)
        let unknown = try await bench.app.send(
            "POST", "/v1/sites/\(ShareBench.site)/devices/none/pairing-code",
            token: bench.administrator)
        #expect(unknown.code == "device-unknown")
        let partial = try await bench.app.send("POST", path, token: bench.partial)
        #expect(partial.code == "device-unknown", "of some buildings only: \(partial.text)")
        let shown = try await bench.app.send("POST", path, token: bench.administrator)
        let code = try #require(shown["code"], "\(shown.text)")
        #expect(code.count == 6 && shown["expiresAt"] != nil)
        let body = #"{"code": "\#(code)"}"#
        let made = try await bench.send("POST", Self.pairings, session, body)
        #expect(made["scanner"] == tag.id.text, "\(made.text)")
        let again = try await bench.send("POST", Self.pairings, other, body)
        #expect(again.code == "pairing-code-unknown")
        _ = try await ErasureStore(pool: bench.pool, bell: .init()).erase(
            tag.id, of: ShareBench.site, by: "test", at: bench.bench.clock.now)
        #expect(try await bench.send("GET", Self.pairings, session)["pairings.0"] == nil)
    }
}
