import Access
import Events
import HTTP
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "The end of what a session has",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct EndedHoldingsTests {
    private static let password = "a long enough word of hers"

    /// An account that may do nothing here.
    private func anna(_ bench: ShareBench) async throws -> AccountRow {
        let row = AccountRow(
            id: AccountStore.newID(at: ServiceBench.start), signIn: "anna", name: "Anna",
            password: try await bench.people.passwords.hash(Self.password), issuer: nil,
            grants: [RoleGrant(.visitor, site: ShareBench.site)], madeAt: ServiceBench.start,
            madeBy: "test")
        try await bench.pool.withTransaction { try AccountStore.insert(row, connection: $0) }
        return row
    }

    @Test("A session that is replaced ends its share, though its page shows no change token")
    func replaced() async throws {
        let bench = try await ShareBench()
        _ = try await anna(bench)
        let signIn = #"{"signIn": "anna", "password": "\#(Self.password)"}"#
        for (path, body) in [("/v1/session", signIn), ("/v1/session/anonymous", "")] {
            let (session, other) = (bench.session(), bench.session())
            let (secret, kept) = (try await bench.share(session), try await bench.share(other))
            var headers = session.headers
            headers["x-change-token"] = nil
            let begun = try await bench.app.send("POST", path, headers: headers, body: body)
            #expect(begun.status == 201, "\(path): \(begun.text)")
            #expect(try await bench.look(secret).code == "position-unknown", "\(path)")
            #expect(try await bench.look(kept).status == 200, "\(path)")
        }
        let session = bench.session()
        let secret = try await bench.share(session)
        let wrong = try await bench.send(
            "POST", "/v1/session", session, #"{"signIn": "anna", "password": "not hers"}"#)
        #expect(wrong.code == "sign-in-wrong", "\(wrong.text)")
        #expect(try await bench.look(secret).status == 200, "nobody has signed in")
    }

    @Test("The cookie ends though the store does not answer, and the operator reads why")
    func away() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        bench.away.isAway.withLock { $0 = true }
        let signedOut = try await bench.send("DELETE", "/v1/session", session)
        #expect(signedOut.status == 204, "\(signedOut.text)")
        #expect(signedOut.headers["set-cookie"] == bench.people.endedCookie)
        #expect(bench.bench.unexpected.count == 1 && bench.bench.unexpected[0].contains("is away"))
    }

    @Test("A process that has not read of an account's end of sessions lets them begin nothing")
    func race() async throws {
        let bench = try await ShareBench()
        let anna = try await anna(bench)
        func mark(ended: Int) -> SessionMark {
            SessionMark(
                Caller(
                    id: "account/\(anna.id)", grants: [], account: anna.id, changeToken: "c",
                    sessionsEnded: ended))
        }
        func begin(ended: Int) async throws {
            _ = try await bench.shares.begin(
                mark(ended: ended), at: ShareBench.site, moment: ServiceBench.start)
        }
        func pair(ended: Int) async throws {
            _ = try await bench.pairings.pair(
                "000000", visitor: "account/\(anna.id)", session: mark(ended: ended),
                id: EventID(high: 8, low: 8), at: ShareBench.site, moment: ServiceBench.start)
        }
        try await begin(ended: 0)
        #expect(try await bench.rows() == 1)
        _ = try await bench.people.accounts.change(anna.id, at: ServiceBench.start) {
            $0.sessionsEnded += 1
        }
        #expect(try await bench.rows() == 0)
        await #expect(throws: Problem.sessionWrong) { try await begin(ended: 0) }
        await #expect(throws: Problem.sessionWrong) { try await pair(ended: 0) }
        #expect(try await bench.rows() == 0)
        try await begin(ended: 1)
        #expect(try await bench.rows() == 1)
        await #expect(throws: PairingStore.Refusal.self) { try await pair(ended: 1) }
    }
}
