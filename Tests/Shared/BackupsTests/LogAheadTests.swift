import EventLog
import Events
import Foundation
import Postgres
import ServiceHost
import Storage
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "Records of a log whose clock was ahead",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct LogAheadTests {
    @Test("get the time of the restore that brings them back, so that they outlive nothing")
    func restored() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await BackupBench(.postgres, folder: folder)
        try await old.prepare()
        func ahead(_ bench: BackupBench) async throws -> Double {
            try await DatabaseFigures.read(bench.pool, now: { bench.host.now.microseconds })
                .logAheadSeconds
        }
        #expect(try await ahead(old) == 0)
        let log = try #require(old.host.log as? any RestorableLog)
        let record = LogRecord(
            topic: Topic.positions.name, partition: 0, key: Array("museum/anna".utf8),
            value: Array("{}".utf8))
        let year: Int64 = 365 * 86_400_000_000
        try await log.restore([
            RestoredRecord(record, appendedAtMicroseconds: old.host.now.microseconds + year)
        ])
        // All that follows is pinned there.
        try await old.host.log.append([record])
        #expect(try await ahead(old) > 364 * 86_400)
        let files = BackupFiles(FolderPlace(path: folder))
        try await BackupBench.eraseBeside(files.place)
        let name = try await old.making(files).make(.init()).name
        let new = try await BackupBench(.postgres, folder: folder)
        let begin = new.host.now.microseconds
        _ = try await new.restoring(files).restore(name)
        let restored = try #require(try await new.records(.positions)[0])
        let times = restored.map(\.appendedAtMicroseconds)
        #expect(restored.suffix(2).allSatisfy { $0.value == record.value })
        #expect(times.suffix(2).allSatisfy { $0 >= begin && $0 <= new.host.now.microseconds })
        #expect(times == times.sorted())
        #expect(try await ahead(new) == 0)
        await old.close()
        await new.close()
    }
}
