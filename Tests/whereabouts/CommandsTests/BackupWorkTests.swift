import Backups
import EventLog
import Foundation
import LogViews
import Postgres
import ServiceHost
import Storage
import Synchronization
import Testing

@testable import Commands

@Suite("Backups hold") struct BackupWorkTests {
    @Test("every schema of a service that is no view of the log")
    func schemas() {
        let all = DatabaseRoles.schemas.values.flatMap(\.self)
        let shadows = Set(all.map(ViewRebuild.shadow))
        let kept = all.filter { !shadows.contains($0) && !all.contains(ViewRebuild.shadow(of: $0)) }
        let stores = BackupWork.stores
        #expect(Set(stores.flatMap { [$0.migrator.schema] + $0.further }) == Set(kept))
    }

    @Test("and a check says all that would stop a restore, but no backup that is being made")
    func check() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "backup-work-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lines = Mutex<[String]>([])
        let invocation = Invocation(
            arguments: [], output: { line in lines.withLock { $0.append(line) } }, note: { _ in })
        // Files alone are read: there is no server.
        let work = try BackupWork(
            invocation,
            environment: [
                "DATABASE_URL": "postgresql:///none?host=/nowhere", "WHEREABOUTS_LOG": "postgres",
                "WHEREABOUTS_BACKUPS": folder, "WHEREABOUTS_LOG_LEVEL": "error",
            ])
        func check(_ name: String? = nil) async throws -> String? {
            try await work.run("check", name: name, ArgumentReader([], options: [], flags: []))
            return lines.withLock { $0.last }
        }
        let (place, making) = (FolderPlace(path: folder), "2026-11-24T030000Z")
        try await place.write("erasures/begun", Array("2026-11-24T03:00:00Z".utf8))
        try await place.write("\(making)/tables/a.zst", [1])
        await #expect(throws: CommandFault.self, "nothing was checked") { _ = try await check() }
        #expect(
            lines.withLock { $0.last }
                == #"{"checked":0,"bytes":0,"erasures":0,"unfinished":["\#(making)"],"unfit":[]}"#)
        await #expect(throws: CommandFault.self) { _ = try await check(making) }
        try await place.write("erasures/one", [1])
        await #expect(throws: BackupFault.self) { _ = try await check() }
        await work.host.log.close()
    }
}
