import Foundation
import Postgres
import ServiceBench
import Synchronization
import TestSupport
import Testing

@testable import SiteEditor

@Suite(
    "Rewriting the tables with names",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"),
    .timeLimit(.minutes(2)))
struct NamesRewritingTests {
    /// Runs on a server of its own, and returns what was kept and the notes.
    private static func run(
        _ pool: PostgresPool
    ) async throws -> (kept: [String], notes: [String]) {
        let notes = Mutex<[String]>([])
        let kept = try await NamesRewriting(pool, lockMilliseconds: 5_000, pauses: [])
            .run { note in notes.withLock { $0.append(note) } }
        return (kept, notes.withLock(\.self))
    }

    private static func ownSetting(_ pool: PostgresPool) async throws -> [String] {
        try await pool.query("SELECT setting FROM pg_file_settings WHERE name = 'wal_recycle'")
            .map { try $0["setting"] }
    }

    @Test("gives up where a backup reads a table, names it, and keeps nobody else waiting")
    func readTable() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let backup = pool.separateConnection(settings: ["application_name": "a backup"])
        try await backup.execute(
            script: "BEGIN; LOCK TABLE site_editor_names.devices IN ACCESS SHARE MODE")
        let process: Int32 = try await backup.query("SELECT pg_backend_pid() AS pid")[0]["pid"]
        let rewriting = NamesRewriting(
            pool, lockMilliseconds: 200, pauses: [.milliseconds(10), .milliseconds(10)])
        do {
            _ = try await rewriting.run { _ in }
            Issue.record("the table was rewritten while the backup had it")
        } catch let error as PostgresError {
            #expect(error.isLockNotAvailable)
            #expect(error.reason.contains("process \(process) of postgres (a backup)"), "\(error)")
        }
        try await pool.query("SELECT count(*) FROM site_editor_names.devices")
        await backup.close()
    }

    @Test("refuses a role that is no superuser before it rewrites anything")
    func plainRole() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let owner = PostgresPool(server.configuration())
        try await SiteEditorSchema.migrate(owner)
        try await owner.query("CREATE ROLE keeper LOGIN")
        let pool = PostgresPool(
            PostgresConfiguration(
                server.connectionString().replacing("user=postgres", with: "user=keeper")))
        do {
            _ = try await Self.run(pool)
            Issue.record("the tables of another role were rewritten")
        } catch let error as PostgresError {
            #expect(error.reason.contains("keeper is no superuser"), "\(error)")
        }
        await pool.close()
        await owner.close()
    }

    @Test("drops the log of before, and puts back what an operator set for it")
    func operatorsSetting() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let pool = PostgresPool(server.configuration())
        try await SiteEditorSchema.migrate(pool)
        let plain = try await Self.run(pool)
        #expect(plain.kept == [] && plain.notes == [])
        #expect(try await Self.ownSetting(pool) == [])
        for value in ["on", "off"] {
            try await pool.query("ALTER SYSTEM SET wal_recycle = \(value)")
            let (kept, notes) = try await Self.run(pool)
            #expect(kept == [] && notes.count == (value == "off" ? 1 : 0))
            #expect(try await Self.ownSetting(pool) == [value])
        }
        // A run that was interrupted left it off, and the operator did as the note said.
        try await pool.query("ALTER SYSTEM RESET wal_recycle")
        try await pool.query("SELECT pg_reload_conf()")
        #expect(try await Self.run(pool).notes == [])
        await pool.close()
    }

    @Test("ends where another timeline left a file that is never used, and says so")
    func otherTimeline() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let pool = PostgresPool(server.configuration())
        try await SiteEditorSchema.migrate(pool)
        let file = "\(server.path)/data/pg_wal/000000FF000000FF000000FF"
        try #require(FileManager.default.createFile(atPath: file, contents: Data()))
        let (kept, _) = try await Self.run(pool)
        #expect(kept == ["pg_wal, which has files of another timeline"])
        #expect(try await Self.ownSetting(pool) == [])
        await pool.close()
    }
}
