import EventLog
import Events
import MemoryLog
import Postgres
import ServiceRuntime
import TestSupport
import Testing
import Wire

@testable import ServiceHost

@Suite(
    "While a backup is restored",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RestoreMarkTests {
    @Test("a service does not begin, and begins by itself when the restore has ended")
    func waits() async throws {
        let log = MemoryLog(MemoryLogServer())
        let host = try Host.make(
            environment: [
                "DATABASE_URL": try await PrivatePostgres.shared().makeDatabase().connectionString,
                "WHEREABOUTS_LOG_LEVEL": "error",
            ], service: "test", log: log)
        let pool = host.requiredDatabase()
        let before = try await RestoreMark.unfinished(pool)
        #expect(before == nil)
        try await RestoreMark(backup: "2026-11-24T030000Z", begunAt: host.now).write(pool)
        #expect(try await RestoreMark.unfinished(pool)?.description.contains("2026-11-24") == true)
        let preparation = try #require(host.foundation().first { $0.name == "log" })
        let running = Task { try await preparation.run() }
        func hasTopics() async -> Bool {
            (try? await log.partitionCount(of: Topic.site.name)) != nil
        }
        try await Task.sleep(for: .milliseconds(500))
        #expect(await !hasTopics())
        try await pool.withTransaction { try RestoreMark.finish(at: host.now, $0) }
        let deadline = ContinuousClock.now + .seconds(30)
        while await !hasTopics(), .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(await hasTopics())
        running.cancel()
        _ = await running.result
        await pool.close()
    }
}
