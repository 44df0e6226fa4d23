import Events
import Postgres
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "The end of a pairing",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PairingEndTests {
    private let both = #"{"scanners": ["pi-1", "pi-2"]}"#

    private func state(_ editor: EditorBench, _ id: String?) async throws -> String? {
        let path = "\(EditorBench.requests)/\(id ?? "")"
        return try await editor.send("GET", path, as: editor.administrator)["state"]
    }

    private func pair(
        _ editor: EditorBench, _ scanner: String, _ token: String, as visitor: String
    ) async throws {
        let code = try await editor.shownCode(scanner, token)
        let made = try await editor.pair(code, as: visitor)
        #expect(made.status == 201, "\(made.text)")
    }

    /// Ends the pairing of the scanner with this token.
    private func end(_ editor: EditorBench, _ scanner: String, _ token: String) async throws {
        let path = "/v1/scanners/\(scanner)/pairing"
        #expect(try await editor.send("DELETE", path, as: token).status == 204)
    }

    @Test("What the asker's role permits without a pairing stays")
    func permitted() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        try await pair(editor, "pi-1", token, as: editor.surveyor)
        let asked = try await editor.ask(#"{"scanner": "pi-1"}"#)
        #expect(asked.status == 202, "\(asked.text)")
        try await end(editor, "pi-1", token)
        #expect(try await state(editor, asked["id"]) == "open")
        let events = try await editor.outbox(.scanRequests)
        #expect(!events.contains { $0.contains("cancelledAt") })
    }

    @Test("A request of several scanners stays while one of them may answer, and no longer")
    func several() async throws {
        let editor = try await EditorBench()
        let (first, second) = (
            try await editor.scanner("pi-1"), try await editor.scanner("pi-2")
        )
        try await pair(editor, "pi-1", first, as: editor.visitor)
        try await pair(editor, "pi-2", second, as: editor.visitor)
        let together = try await editor.ask(both, as: editor.visitor)
        #expect(together.status == 202, "\(together.text)")
        let alone = try await editor.ask(#"{"scanner": "pi-1"}"#, as: editor.visitor)["id"]
        let other = try await editor.ask(#"{"scanner": "pi-2"}"#, as: editor.visitor)["id"]
        try await end(editor, "pi-1", first)
        #expect(try await state(editor, alone) == "cancelled")
        #expect(try await state(editor, together["id"]) == "open")
        #expect(try await state(editor, other) == "open")
        try await end(editor, "pi-2", second)
        #expect(try await state(editor, together["id"]) == "cancelled")
        #expect(try await state(editor, other) == "cancelled")
    }

    @Test("A scanner that has answered keeps no request of another one")
    func answered() async throws {
        let editor = try await EditorBench()
        let (first, second) = (
            try await editor.scanner("pi-1"), try await editor.scanner("pi-2")
        )
        try await pair(editor, "pi-1", first, as: editor.visitor)
        try await pair(editor, "pi-2", second, as: editor.visitor)
        let asked = try await editor.ask(both, as: editor.visitor)
        let id = try #require(asked["id"].flatMap { EventID($0) }, "\(asked.text)")
        for value in try await editor.outbox(.scanRequests) {
            let requested = try ScanRequested(json: Array(value.utf8))
            try editor.apply(requested.record(source: "/site-editor"))
        }
        let key = ScanRequestKey(site: EditorBench.site, id: id, scanner: ScannerID("pi-2"))
        let done = ScanRequestDone(
            request: key, outcome: .answered, scan: EventID(high: 1, low: 1),
            doneAt: editor.bench.clock.now)
        try editor.apply(done.record(source: "/scan-ingest"))
        try await end(editor, "pi-1", first)
        #expect(try await state(editor, asked["id"]) == "cancelled")
    }

    @Test("While a site is removed, pairing, its end and asking wait for it, and hold no row")
    func removal() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let visitor = editor.visitor
        try await pair(editor, "pi-1", token, as: visitor)
        let code = try await editor.shownCode("pi-1", token)
        let tasks = try await editor.pool.withTransaction { connection in
            // As far as a removal locks, and in its order.
            try ErasureStore.lock([EditorBench.site], connection)
            let tasks: [Task<Answer, any Error>] = [
                Task.detached { try await editor.pair(code, as: visitor) },
                Task.detached {
                    try await editor.send("DELETE", "/v1/scanners/pi-1/pairing", as: token)
                },
                Task.detached { try await editor.ask(#"{"scanner": "pi-1"}"#, as: visitor) },
            ]
            try await untilWaiting(tasks.count, editor.pool)
            for table in ["scan_requests", "pairings", "pairing_codes"] {
                try connection.query(
                    "DELETE FROM site_editor.\(table) WHERE site = $1",
                    [.text(EditorBench.site.text)])
            }
            return tasks
        }
        #expect(try await tasks[0].value.code == "pairing-code-unknown")
        #expect(try await tasks[1].value.code == "pairing-unknown")
        #expect(try await tasks[2].value.code == "scanner-not-reached")
    }

    /// Prints the code of the scanner's label.
    private func label(_ editor: EditorBench, _ scanner: String) async throws -> String {
        let path = "/v1/sites/\(EditorBench.site)/scanners/\(scanner)/printed-code"
        let printed = try await editor.send("POST", path, as: editor.administrator)
        return try #require(printed["code"], "\(printed.text)")
    }

    private func count(_ editor: EditorBench, _ table: String) async throws -> Int {
        try await editor.pool.query("SELECT count(*) AS rows FROM site_editor.\(table)")[0]["rows"]
    }

    @Test("Fifty ended pairings of a scanner are kept, however often somebody pairs by its label")
    func manyByLabel() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let code = try await label(editor, "pi-1")
        for number in 0..<PairingStore.mostEnded + 5 {
            let made = try await editor.pair(code, as: editor.visitor)
            #expect(made.status == 201, "\(number): \(made.text)")
        }
        #expect(try await count(editor, "pairings") == PairingStore.mostEnded + 1)
    }

    @Test("A label's code goes a month after the last token of its scanner was revoked")
    func label() async throws {
        let editor = try await EditorBench()
        for scanner in ["pi-1", "pi-2"] {
            _ = try await editor.scanner(scanner)
            _ = try await label(editor, scanner)
        }
        let now = editor.bench.clock.now
        try await editor.pool.query(
            "UPDATE site_editor_names.tokens SET revoked_at = $1 WHERE device = 'pi-1'",
            [.timestamp(microseconds: now.microseconds)])
        let store = PairingStore(pool: editor.pool, requests: editor.requests)
        for (days, left) in [(0, 2), (29, 2), (31, 1)] {
            let moment = now.advanced(byMicroseconds: Int64(days) * 86_400_000_000)
            try await store.sweep(at: moment)
            #expect(try await count(editor, "pairing_codes") == left, "after \(days) days")
        }
    }

    /// Returns once this many sessions wait for locks.
    private func untilWaiting(_ count: Int, _ pool: PostgresPool) async throws {
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
}
