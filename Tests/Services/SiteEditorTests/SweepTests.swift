import Events
import LogViews
import Postgres
import Retrying
import ServiceBench
import ServiceHost
import Synchronization
import TestSupport
import Testing

@testable import SiteEditor

@Suite(
    "What is past its end",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SweepTests {
    @Test("is forgotten without another invitation or sign-in, and nothing else is")
    func expired() async throws {
        let bench = try await ServiceBench()
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let people = try People(bench, pool)
        func invite(_ note: String) async throws {
            _ = try await people.invitations.invite(
                note: note, grants: [RoleGrant(.administrator)],
                by: Keeper(id: "t", grants: []), at: bench.clock.now)
        }
        func signIn(_ hash: String) async throws {
            try await pool.query(
                "INSERT INTO site_editor.provider_sign_ins VALUES ($1, 'n', 'v', '/', $2)",
                [.text(hash), .timestamp(microseconds: bench.clock.now.microseconds + 600_000_000)])
        }
        func left() async throws -> [String] {
            try await pool.query(
                """
                SELECT note AS name FROM site_editor_names.invitations
                UNION ALL SELECT hash FROM site_editor.provider_sign_ins ORDER BY 1
                """
            ).map { try $0["name"] }
        }
        _ = try await people.invitations.first(at: bench.clock.now)
        try await invite("anna")
        try await signIn("one")
        #expect(try await left() == ["anna", "one", "the first administrator"])
        bench.pass(seconds: 47 * 3_600)
        try await invite("bert")
        try await signIn("two")
        try await people.forgetExpired(at: bench.clock.now)
        #expect(try await left() == ["anna", "bert", "two"])
        bench.pass(seconds: 3_600)
        try await people.forgetExpired(at: bench.clock.now)
        #expect(try await left() == ["bert"])
    }

    @Test("is swept also where another sweep fails", .timeLimit(.minutes(1)))
    func kept() async throws {
        let done = Mutex<Set<String>>([])
        let bench = try await ServiceBench()
        struct Fault: Error {}
        let sweeps = [
            Sweep("failing") { _ in throw Fault() },
            Sweep("one") { _ in done.withLock { _ = $0.insert("one") } },
            Sweep("other") { _ in done.withLock { _ = $0.insert("other") } },
        ]
        let keeping = Task { await Sweep.keep(sweeps, bench.clock, .unheard) }
        while done.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(10)) }
        keeping.cancel()
        await keeping.value
    }
}
