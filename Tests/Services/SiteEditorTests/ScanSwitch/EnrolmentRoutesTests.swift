import Access
import Cryptography
import Events
import Foundation
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Codes by which scanners enrol",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct EnrolmentRoutesTests {
    private func code(
        _ editor: EditorBench, _ scanner: String = "pi-1", as token: String? = nil
    ) async throws -> String {
        let answer = try await editor.send(
            "POST", EditorBench.codes, as: token ?? editor.administrator,
            #"{"scanner": "\#(scanner)"}"#)
        return try #require(answer["code"], "\(answer.text)")
    }

    private func enrol(_ editor: EditorBench, _ code: String) async throws -> Answer {
        try await editor.send("POST", "/v1/enrolments", as: nil, #"{"code": "\#(code)"}"#)
    }

    private func store(_ editor: EditorBench) -> EnrolmentStore {
        EnrolmentStore(
            pool: editor.pool, tokens: editor.tokens, directory: editor.bench.tokens)
    }

    /// Codes of the same lookup, the first group, that are others.
    private func wrong(_ code: String, _ count: Int) -> [String] {
        (0..<count).map { number in
            let last = code.last == "0" ? "1" : "0"
            let digit = String(number)
            return String(code.prefix(5)) + "\(digit)\(digit)" + code.dropFirst(7).dropLast() + last
        }
    }

    @Test("A code is one token of its maker's, once, however it is written")
    func once() async throws {
        let editor = try await EditorBench()
        let code = try await code(editor)
        #expect(code.filter { $0 != "-" }.count == 10, "50 bits of 5 each")
        let written = code.lowercased().replacing("-", with: " ")
            .replacing("0", with: "o").replacing("1", with: "l")
        let enrolled = try await enrol(editor, written)
        #expect(enrolled.status == 201, "\(enrolled.text)")
        #expect(enrolled["scanner"] == "pi-1" && enrolled["role"] == "scanner")
        #expect(enrolled["site"] == EditorBench.site.text)
        let rows = try await editor.tokens.live(at: editor.bench.clock.now)
        #expect(rows.map(\.issued.device) == [DeviceID("pi-1")])
        #expect(rows[0].issued.hash == BearerToken.hash(of: enrolled["token"] ?? ""))
        let maker = editor.bench.tokens.caller(forBearer: editor.administrator)?.id
        #expect(rows[0].issued.issuedBy == maker)
        let end = try #require(rows[0].issued.expiresAt)
        #expect(enrolled["expiresAt"] == end.text)
        #expect(try await enrol(editor, code).code == "enrolment-code-unknown")
        let lines = editor.bench.securityLines
        #expect(lines.contains { $0.contains("pi-1") } && !lines.contains { $0.contains(code) })
        #expect(!lines.contains { $0.contains(enrolled["token"] ?? "") })
    }

    @Test("A code ends after ten minutes")
    func expiry() async throws {
        let editor = try await EditorBench()
        let (early, late) = (try await code(editor), try await code(editor, "pi-2"))
        let start = editor.bench.clock.now
        _ = try await store(editor).redeem(
            early, at: start.advanced(byMicroseconds: 599_999_999))
        await #expect(throws: EnrolmentStore.Refusal.unknown) {
            try await store(editor).redeem(
                late, at: start.advanced(byMicroseconds: 600_000_000))
        }
    }

    @Test("The fifth wrong try ends a code, and other codes live on")
    func fiveTries() async throws {
        let editor = try await EditorBench()
        let now = editor.bench.clock.now
        let (first, second) = (try await code(editor), try await code(editor, "pi-2"))
        #expect(first.prefix(4) != second.prefix(4))
        for attempt in wrong(first, 5) {
            await #expect(throws: EnrolmentStore.Refusal.unknown) {
                try await store(editor).redeem(attempt, at: now)
            }
        }
        await #expect(throws: EnrolmentStore.Refusal.unknown) {
            try await store(editor).redeem(first, at: now)
        }
        #expect(try await store(editor).redeem(second, at: now).issued.device?.text == "pi-2")
    }

    @Test("Four wrong tries leave a code as it is")
    func fourTries() async throws {
        let editor = try await EditorBench()
        let now = editor.bench.clock.now
        let code = try await code(editor)
        for attempt in wrong(code, 4) {
            await #expect(throws: EnrolmentStore.Refusal.unknown) {
                try await store(editor).redeem(attempt, at: now)
            }
        }
        #expect(try await store(editor).redeem(code, at: now).issued.device?.text == "pi-1")
    }

    @Test("Wrong codes that begin as no code does end none, at no site")
    func strangers() async throws {
        let editor = try await EditorBench()
        try await editor.publishOther()
        let administrator = editor.bench.issue(.administratorOfSite, site: EditorBench.other)
        let now = editor.bench.clock.now
        let own = try await code(editor)
        let other = try await editor.send(
            "POST", "/v1/sites/\(EditorBench.other)/enrolment-codes", as: administrator,
            #"{"scanner": "pi-1"}"#)
        let elsewhere = try #require(other["code"], "\(other.text)")
        // Formerly two letters were looked up, in all sites.
        for number in 0..<20 {
            for begin in [own.prefix(2), elsewhere.prefix(2)] {
                let attempt = "\(begin)\(number % 10)\(number / 10)-0000-00"
                guard ![own.prefix(4), elsewhere.prefix(4)].contains(attempt.prefix(4)) else {
                    continue
                }
                await #expect(throws: EnrolmentStore.Refusal.unknown) {
                    try await store(editor).redeem(attempt, at: now)
                }
            }
        }
        #expect(try await store(editor).redeem(own, at: now).issued.site == EditorBench.site)
        #expect(
            try await store(editor).redeem(elsewhere, at: now).issued.site == EditorBench.other)
    }

    @Test("No two open codes have the same lookup")
    func lookups() async throws {
        let editor = try await EditorBench()
        let code = try await code(editor)
        await #expect(throws: PostgresError.self) {
            try await editor.pool.query(
                """
                INSERT INTO \(EnrolmentStore.table)
                    (hash, lookup, site, scanner, role, buildings, note, made_by, expires_at)
                VALUES ('x', $1, 'other', 'pi', 'scanner', '', '', 'test', now())
                """, [.text(ScannerCodes.lookup(ScannerCodes.plain(code)))])
        }
    }

    @Test("Of many tries at once five are looked at, and a code bears five of them")
    func atOnce() async throws {
        let editor = try await EditorBench()
        let code = try await code(editor)
        let codes = try await codesAtOnce(30) { number in
            try await editor.send(
                "POST", "/v1/enrolments", as: nil, #"{"code": "ZZZ\#(number % 10)-ZZZZ-ZZ"}"#)
        }
        #expect(codes.count { $0 == "enrolment-code-unknown" } == 5)
        #expect(codes.count { $0 == "enrolment-slowed" } == 25)
        let now = editor.bench.clock.now
        let store = self.store(editor)
        let attempts = wrong(code, 8)
        await withTaskGroup { group in
            for attempt in attempts {
                group.addTask { _ = try? await store.redeem(attempt, at: now) }
            }
        }
        await #expect(throws: EnrolmentStore.Refusal.unknown) {
            try await store.redeem(code, at: now)
        }
    }

    @Test("A body that can't be read uses up no try")
    func unread() async throws {
        let editor = try await EditorBench()
        for _ in 0..<6 {
            let unread = try await editor.send("POST", "/v1/enrolments", as: nil, "{}")
            #expect(unread.status == 400)
        }
        #expect(try await enrol(editor, try await code(editor)).status == 201)
    }

    @Test("A code of a clock that was ahead is worth nothing")
    func ahead() async throws {
        let editor = try await EditorBench()
        let start = editor.bench.clock.now
        editor.bench.pass(seconds: 3_601)
        let code = try await code(editor)
        try await store(editor).sweep(at: start)
        await #expect(throws: EnrolmentStore.Refusal.unknown) {
            try await store(editor).redeem(code, at: editor.bench.clock.now)
        }
    }

    @Test("An address with five wrong codes waits until an hour has passed")
    func slowed() async throws {
        let editor = try await EditorBench()
        for number in 0..<5 {
            let answer = try await enrol(editor, "ZZZ\(number)-ZZZZ-ZZ")
            #expect(answer.status == 404 && answer.code == "enrolment-code-unknown")
        }
        let code = try await code(editor)
        let refused = try await enrol(editor, code)
        #expect(refused.status == 429 && refused.code == "enrolment-slowed")
        let seconds = refused.headers["retry-after"].flatMap { Int($0) } ?? 0
        #expect((3_500...3_601).contains(seconds))
        editor.bench.pass(seconds: 3_601)
        #expect(try await enrol(editor, code).code == "enrolment-code-unknown", "it is too old")
    }

    @Test("Only administrators of the site make codes, and not beyond their own rights")
    func rights() async throws {
        let editor = try await EditorBench()
        let order = #"{"scanner": "pi-1"}"#
        func make(_ token: String, _ body: String = order) async throws -> Answer {
            try await editor.send("POST", EditorBench.codes, as: token, body)
        }
        #expect(try await make(editor.surveyor).status == 403)
        #expect(try await make(editor.visitor).status == 403)
        let other = editor.bench.issue(.administratorOfSite, site: SiteID("other"))
        #expect(try await make(other).code == "site-not-yours")
        let all = try await make(editor.administrator, #"{"scanner": "pi-1", "role": "gateway"}"#)
        #expect(all.status == 400, "\(all.text)")
        #expect(try await make(editor.administrator, #"{"scanner": "no such name"}"#).status == 400)
    }

    @Test("A code is for buildings that the published site has")
    func buildings() async throws {
        let editor = try await EditorBench()
        let house = SampleSite.index.document.buildings[0].id.text
        for (building, status) in [("nohouse", 400), (house, 201)] {
            let answer = try await editor.send(
                "POST", EditorBench.codes, as: editor.administrator,
                #"{"scanner": "pi-1", "buildings": ["\#(building)"]}"#)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test("A code of somebody whose rights have ended is worth nothing")
    func makerGone() async throws {
        let editor = try await EditorBench()
        let code = try await code(editor)
        editor.bench.revoke(editor.administrator)
        await #expect(throws: EnrolmentStore.Refusal.unknown) {
            try await store(editor).redeem(code, at: editor.bench.clock.now)
        }
        #expect(try await editor.tokens.live(at: editor.bench.clock.now).isEmpty)
    }

    @Test("A site has a thousand open codes at most")
    func many() async throws {
        let editor = try await EditorBench()
        try await editor.pool.query(
            """
            INSERT INTO \(EnrolmentStore.table)
                (hash, lookup, site, scanner, role, buildings, note, made_by, expires_at)
            SELECT int8send(n), n::text, $1, 'pi', 'scanner', '', '', 'test', $2
            FROM generate_series(1, 1000) AS n
            """,
            [
                .text(EditorBench.site.text),
                .timestamp(
                    microseconds: editor.bench.clock.now.advanced(byMicroseconds: 1_000_000)
                        .microseconds),
            ])
        let refused = try await editor.send(
            "POST", EditorBench.codes, as: editor.administrator, #"{"scanner": "pi-1"}"#)
        #expect(refused.code == "too-many-invitations", "\(refused.text)")
        editor.bench.pass(seconds: 1)
        _ = try await code(editor)
    }
}
