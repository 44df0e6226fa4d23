import Events
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Shared positions",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PositionShareTests {
    @Test("Who has the link sees the newest place, and nobody else sees any")
    func shared() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        let secret = try await bench.share(session)
        #expect(secret.utf8.count == 32)
        let before = try await bench.look(secret)
        #expect(before.status == 200 && before["state"] == nil, "\(before.text)")
        #expect(try await bench.put(session, secret, x: 5, y: 1).status == 204)
        bench.bench.pass(seconds: 30)
        let seen = try await bench.look(secret)
        #expect(seen["room"] == "C" && seen["floor"] == "ground", "\(seen.text)")
        #expect(seen["ageSeconds"] == "30" && seen["radiusMetres"] == "4")
        #expect(seen.headers["cache-control"] == "no-store")
        let astray = try await bench.put(session, secret, x: 5, y: 1, floor: "attic")
        #expect(astray.status == 404 && astray.code == "floor-unknown", "\(astray.text)")
        #expect(try await bench.put(session, secret, x: 5, y: 4, #","ageSeconds":2"#).status == 204)
        // Room A is the staff's, and the sharer is a stranger: the page told no area.
        let gap = try await bench.look(secret)
        #expect(gap["room"] == nil && gap["latitude"] != nil && gap["ageSeconds"] == "2")
        let told = try await bench.put(session, secret, x: 5, y: 4, #","area":"staff""#)
        #expect(told.status == 204)
        let area = try await bench.look(secret)
        #expect(area["area"] == "staff" && area["latitude"] == nil, "\(area.text)")
        let wrong = String(secret.dropLast()) + (secret.last == "A" ? "B" : "A")
        #expect(try await bench.look(wrong).code == "position-unknown")
    }

    @Test("The table has neither the secret nor a place that can be read, and one row")
    func sealed() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        let secret = try await bench.share(session)
        for x in 0..<5 {
            #expect(try await bench.put(session, secret, x: Double(x), y: 1).status == 204)
        }
        #expect(try await bench.rows() == 1)
        let row = try await bench.pool.query(
            """
            SELECT position_shares::text AS all, encode(position, 'escape') AS position
            FROM site_editor.position_shares
            """)[0]
        let (all, position): (String, String) = (try row["all"], try row["position"])
        for text in [secret, session.changeToken, "ground", "located"] {
            #expect(!all.contains(text) && !position.contains(text))
        }
        let kind: String = try await bench.pool.query(
            """
            SELECT relpersistence::text AS kind FROM pg_class
            WHERE oid = 'site_editor.position_shares'::regclass
            """)[0]["kind"]
        #expect(kind == "u", "no write-ahead log and no backup has it")
    }

    @Test("A share ends when it is stopped, after an hour, and with its session")
    func ends() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        let first = try await bench.share(session)
        #expect(try await bench.send("GET", ShareBench.own, session)["secondsLeft"] == "3600")
        #expect(try await bench.send("DELETE", ShareBench.own, session).status == 204)
        #expect(try await bench.look(first).code == "position-unknown")
        #expect(try await bench.put(session, first, x: 1, y: 1).code == "position-unknown")
        #expect(try await bench.send("DELETE", ShareBench.own, session).status == 204)
        let second = try await bench.share(session)
        let signedOut = try await bench.send("DELETE", "/v1/session", session)
        #expect(signedOut.status == 204, "\(signedOut.text)")
        #expect(try await bench.look(second).code == "position-unknown")
        let short = bench.session(seconds: 600)
        let third = try await bench.share(short)
        #expect(try await bench.send("GET", ShareBench.own, short)["secondsLeft"] == "600")
        bench.bench.pass(seconds: 600)
        #expect(try await bench.look(third).code == "position-unknown")
        let fourth = try await bench.share(session)
        for _ in 0..<6 {
            #expect(try await bench.put(session, fourth, x: 1, y: 1).status == 204)
            bench.bench.pass(seconds: 600)
        }
        #expect(try await bench.look(fourth).code == "position-unknown")
        #expect(try await bench.send("GET", ShareBench.own, session).code == "position-unknown")
        #expect(try await bench.rows() > 0)
        try await bench.shares.sweep(at: bench.bench.clock.now)
        #expect(try await bench.rows() == 0)
    }

    @Test("A share whose page is gone ends after a quarter of an hour")
    func silent() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        let secret = try await bench.share(session)
        bench.bench.pass(seconds: 899)
        #expect(try await bench.put(session, secret, x: 1, y: 1).status == 204)
        bench.bench.pass(seconds: 899)
        #expect(try await bench.look(secret).status == 200)
        bench.bench.pass(seconds: 1)
        #expect(try await bench.look(secret).code == "position-unknown")
        try await bench.shares.sweep(at: bench.bench.clock.now)
        #expect(try await bench.rows() == 0)
    }

    @Test("A new share of a session ends its former one")
    func again() async throws {
        let bench = try await ShareBench()
        let session = bench.session()
        let first = try await bench.share(session)
        #expect(try await bench.put(session, first, x: 1, y: 1).status == 204)
        let second = try await bench.share(session)
        #expect(try await bench.look(first).code == "position-unknown")
        #expect(try await bench.put(session, first, x: 1, y: 1).code == "position-unknown")
        #expect(try await bench.look(second)["state"] == nil, "the former place is gone")
        #expect(try await bench.rows() == 1)
        let other = bench.session()
        #expect(
            try await bench.put(other, second, x: 1, y: 1).code == "position-unknown",
            "who has the link moves nothing")
        #expect(try await bench.send("DELETE", ShareBench.own, other).status == 204)
        #expect(try await bench.look(second).status == 200)
    }

    @Test("A site, a session and its body have limits, and nobody shares without a session")
    func limits() async throws {
        let bench = try await ShareBench(mostOfSite: 2)
        #expect(try await bench.app.send("POST", ShareBench.own).status == 401)
        let session = bench.session()
        let secret = try await bench.share(session)
        _ = try await bench.share(bench.session())
        let third = try await bench.send("POST", ShareBench.own, bench.session())
        #expect(third.status == 429 && third.code == "quota-exceeded", "\(third.text)")
        let long = try await bench.put(
            session, secret, x: 1, y: 1, #","note":"\#(String(repeating: "x", count: 1_100))""#)
        #expect(long.status == 413, "\(long.text)")
        var codes: [String?] = []
        for _ in 0..<12 { codes.append(try await bench.put(session, secret, x: 1, y: 1).code) }
        #expect(codes.prefix(10).allSatisfy { $0 == nil })
        #expect(codes.suffix(2).allSatisfy { $0 == "quota-exceeded" })
        bench.bench.pass(seconds: 2)
        #expect(try await bench.put(session, secret, x: 1, y: 1).status == 204)
        let looker = bench.session()
        var looks: [Int] = []
        for _ in 0..<21 { looks.append(try await bench.look(secret, looker).status) }
        #expect(looks.last == 429 && looks.first == 200)
    }

    @Test("An account's shares end when its sessions are ended, and with the site")
    func accounts() async throws {
        let bench = try await ShareBench()
        let account = AccountID(EventID(high: 3, low: 4))
        func rowsOfAccount() async throws {
            try await bench.pool.query(
                """
                INSERT INTO site_editor.position_shares
                    (session, site, visitor, link, from_at, until_at)
                VALUES ('\\x01', 'sample', $1, '\\x02', now(), now() + interval '1 hour')
                """, [.text("account/\(account)")])
        }
        try await rowsOfAccount()
        _ = try await bench.share(bench.session())
        try await bench.pool.withTransaction { connection in
            try PositionShareStore.endAll(of: account, connection: connection)
        }
        #expect(try await bench.rows() == 1)
    }
}
