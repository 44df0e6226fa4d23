import Foundation
import ServiceHost
import Storage
import Testing
import Wire

@testable import Backups

/// An installation with a place for backups that can refuse files.
struct Night {
    let bench: BackupBench
    let place: RefusingPlace
    let folder: String

    init() async throws {
        folder = BackupBench.folder()
        bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        place = RefusingPlace(FolderPlace(path: folder))
        try await ErasureFiles(place).beat(at: BackupBench.time(0))
    }

    func nightly(
        copied: BackupRestoring.Copied? = nil,
        catchUp: @escaping @Sendable () async throws -> Void = {}
    ) -> NightlyBackup {
        let files = BackupFiles(place)
        return NightlyBackup(
            bench.host, files: files, making: bench.making(files),
            restoring: bench.restoring(files, copied: copied), catchUp: catchUp, note: { _ in })
    }

    func report() async throws -> LastBackup { try #require(try await nightly().last()) }

    /// How the last night stands, as the doctor finds it.
    func standing() async throws -> LastBackup.Standing? {
        let pool = bench.pool
        let (report, isUnderWay) = try await place.lastBackup(at: bench.host.now) {
            try await NightlyBackup.isUnderWay(pool)
        }
        return report?.standing(isUnderWay: isUnderWay ?? true)
    }

    func isFailedForAlarms() async throws -> Bool {
        let pool = bench.pool
        var watch = BackupWatch(place, begunAt: bench.host.now) {
            try await NightlyBackup.isUnderWay(pool)
        }
        try await watch.look(at: bench.host.now)
        return watch.isFailed
    }

    func kinds() async throws -> [BackupManifest.Kind?] {
        try await BackupFiles(place).list().map { $0.manifest?.kind }
    }

    func close() async {
        await bench.close()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
