import Events
import Foundation
import ServiceHost
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "A night of backups", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct NightlyBackupTests {
    private struct Away: Error {}

    /// An installation with a place for backups that can refuse files.
    private struct Night {
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

        func nightly(catchUp: @escaping @Sendable () async throws -> Void = {}) -> NightlyBackup {
            let files = BackupFiles(place)
            return NightlyBackup(
                bench.host, files: files, making: bench.making(files),
                restoring: bench.restoring(files), catchUp: catchUp, note: { _ in })
        }

        func report() async throws -> LastBackup { try #require(try await nightly().last()) }

        func kinds() async throws -> [BackupManifest.Kind?] {
            try await BackupFiles(place).list().map { $0.manifest?.kind }
        }

        func close() async {
            await bench.close()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("that can't make its lasting backup has one whole backup, however often it is tried")
    func lastingFails() async throws {
        let night = try await Night()
        night.place.refuses("-lasting/")
        for _ in 0..<3 {
            await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        }
        #expect(try await night.kinds().filter { $0 == .whole }.count == 1)
        let failed = try await night.report()
        #expect(!failed.isOK && failed.goodAt != nil && failed.name != nil)
        night.place.refuses(nil)
        #expect(try await night.nightly().run() == nil)
        #expect(try await night.kinds() == [.whole, .lasting])
        #expect(try await night.report().isOK)
        await night.close()
    }

    @Test("that finds a damaged backup says so until a check finds all well")
    func damaged() async throws {
        let night = try await Night()
        let name = try #require(try await night.nightly().run()).name
        let file = try #require(
            try await night.place.list(name).first { $0.name.contains("tables/") })
        let bytes = try #require(try await night.place.read(file.name))
        try await night.place.write(file.name, bytes.map { $0 ^ 1 })
        let good = try await night.report()
        // A week later.
        var old = good
        old.checkedAt = good.finishedAt.advanced(byMicroseconds: -8 * 86_400_000_000)
        try await night.place.write(LastBackup.file, old.json)
        for _ in 0..<2 {
            try await Task.sleep(for: .seconds(1))  // A backup's name has its second.
            await #expect(throws: BackupFault.self) { _ = try await night.nightly().run() }
            let report = try await night.report()
            #expect(report.isOK && report.checkedAt == old.checkedAt)
            #expect(report.damage?.contains(file.name) == true)
        }
        try await night.place.write(file.name, bytes)
        try await Task.sleep(for: .seconds(1))
        _ = try await night.nightly().run()
        let mended = try await night.report()
        #expect(mended.damage == nil && mended.checkedAt != old.checkedAt)
        await night.close()
    }

    @Test("removes what is too many before it makes the lasting backup")
    func surplus() async throws {
        let night = try await Night()
        let files = BackupFiles(night.place)
        for day in 1...7 {
            let at = night.bench.host.now.advanced(byMicroseconds: Int64(-day) * 86_400_000_000)
            let manifest = BackupManifest(
                name: BackupFiles.name(at: at, .whole), kind: .whole, program: "1", log: "postgres",
                partitions: 3, hasScans: false, tablesAt: at, recordsAt: at, finishedAt: at)
            try await files.write(manifest)
        }
        night.place.refuses("-lasting/")
        await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        #expect(try await night.kinds().count { $0 == .whole } == 7)
        await night.close()
    }

    @Test("whose erasures can't be written is a failed one in the report")
    func erasures() async throws {
        let night = try await Night()
        await #expect(throws: Away.self) {
            _ = try await night.nightly(catchUp: { throw Away() }).run()
        }
        #expect(try await night.report().isOK == false)
        await night.close()
    }

    @Test("A backup by hand ends the alarm of a failed night, and keeps what a check has found")
    func byHand() async throws {
        let night = try await Night()
        await #expect(throws: Away.self) {
            _ = try await night.nightly(catchUp: { throw Away() }).run()
        }
        var report = try await night.report()
        report.damage = "x"
        try await night.place.write(LastBackup.file, report.json)
        let manifest = try await night.bench.making(BackupFiles(night.place)).make(.init())
        try await night.nightly().noteMade(manifest)
        report = try await night.report()
        #expect(report.isOK && report.name == manifest.name && report.damage == "x")
        try await night.nightly().noteChecked(nil)
        #expect(try await night.report().damage == nil)
        await night.close()
    }

    @Test("A place without any backup is as old as the first look at it, also after a restart")
    func neverMade() async throws {
        let place = RefusingPlace(FolderPlace(path: BackupBench.folder()))
        let first = try #require(Timestamp(text: "2026-11-24T03:00:00Z"))
        let later = first.advanced(byMicroseconds: 3 * 86_400_000_000)
        var watch = BackupWatch(place, begunAt: first)
        try await watch.look(at: first)
        var restarted = BackupWatch(place, begunAt: later)
        try await restarted.look(at: later)
        #expect(restarted.lastGood == first && restarted.report == nil)
        // A failure keeps the time of the last good one.
        let failed = LastBackup(
            finishedAt: later, isOK: false, name: "a", reason: "b", goodAt: later)
        try await place.write(LastBackup.file, failed.json)
        try await restarted.look(at: later)
        #expect(restarted.lastGood == later && restarted.report?.isOK == false)
    }

    @Test("A restore that would drop what was kept before is refused, and can be forced")
    func retentions() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let long = ["WHEREABOUTS_RETENTION_POSITIONS": "365d"]
        let old = try await BackupBench(.postgres, folder: folder, settings: long)
        try await old.prepare()
        let files = BackupFiles(FolderPlace(path: folder))
        try await ErasureFiles(files.place).beat(at: BackupBench.time(0))
        let name = try await old.making(files).make(.init()).name
        let new = try await BackupBench(.postgres, folder: folder)
        do {
            _ = try await new.restoring(files).restore(name)
            Issue.record("positions of 335 days would be dropped")
        } catch {
            #expect("\(error)".contains("whereabouts.positions was kept 365d, and is kept 30d"))
        }
        #expect(try await new.restoring(files).check(name).records > 0)
        _ = try await new.restoring(files).restore(name, allowsDropping: true)
        await new.close()
        let same = try await BackupBench(.postgres, folder: folder, settings: long)
        _ = try await same.restoring(files).restore(name)
        await same.close()
        await old.close()
    }
}

/// A place that refuses to write files whose names contain a text.
private final class RefusingPlace: StoragePlace {
    private let place: any StoragePlace
    private let refused = Mutex<String?>(nil)

    init(_ place: any StoragePlace) { self.place = place }

    var name: String { place.name }
    func refuses(_ text: String?) { refused.withLock { $0 = text } }

    func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await place.list(prefix)
    }
    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        try await place.read(file, most: most)
    }
    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        if let text = refused.withLock(\.self), file.contains(text) {
            throw StorageError(file, "no room")
        }
        try await place.write(file, bytes)
    }
    func delete(_ file: String) async throws(StorageError) { try await place.delete(file) }
}
