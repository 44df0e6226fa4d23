import Events
import Foundation
import ServiceHost
import Storage
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "A night of backups", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct NightlyBackupTests {
    private struct Away: Error {}

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

    @Test("whose process dies goes on with its one whole backup, and is a failed one meanwhile")
    func interrupted() async throws {
        let night = try await Night()
        for number in 0..<3 {
            night.place.dies(at: "-lasting/")
            await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
            let left = try await night.report()
            #expect(left.isUnfinished && left.goodAt != nil && left.name != nil)
            #expect(left.isOK == false)
            #expect(number == 0 || left.reason?.contains("interrupted") == true)
        }
        #expect(try await night.kinds().filter { $0 == .whole }.count == 1)
        night.place.refuses(nil)
        #expect(try await night.nightly().run() == nil)
        #expect(try await night.kinds() == [.whole, .lasting])
        let ended = try await night.report()
        #expect(ended.isOK && !ended.isUnfinished && ended.reason == nil)
        await night.close()
    }

    @Test("that dies while it makes its backup is a failed one for doctor and alarms at once")
    func diesWhileMaking() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let good = try await night.report()
        try await Task.sleep(for: .seconds(1))  // A backup's name has its second.
        night.place.meanwhile(at: "/tables/") {
            // The process goes on, so nothing is wrong yet.
            let (standing, isFailed) = (
                try await night.standing(), try await night.isFailedForAlarms()
            )
            #expect(standing == .underWay && !isFailed)
            await #expect(throws: BackupFault.self) { _ = try await night.nightly().run() }
            night.place.dies(at: "/tables/")
        }
        await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        let left = try await night.report()
        #expect(left.isOK && left.name == good.name && left.isUnfinished)
        #expect(left.begunAt.map { $0 > good.finishedAt } == true)
        #expect(try await night.standing() == .interrupted)
        #expect(try await night.isFailedForAlarms())
        night.place.refuses(nil)
        #expect(try await night.nightly().run() != nil)
        #expect(try await night.standing() == .good)
        #expect(try await night.isFailedForAlarms() == false)
        await night.close()
    }

    @Test("that dies between its backup and the note makes no second one, and notes the first")
    func diesBeforeNote() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let first = try await night.report().name
        try await Task.sleep(for: .seconds(1))  // A backup's name has its second.
        night.place.meanwhile(at: "/topics/") { night.place.dies(at: LastBackup.file) }
        await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        #expect(try await night.kinds().count { $0 == .whole } == 2)
        #expect(try await night.report().name == first)
        night.place.refuses(nil)
        #expect(try await night.nightly().run() == nil)
        let newest = try #require(
            try await BackupFiles(night.place).list().compactMap(\.manifest)
                .last { $0.kind == .whole })
        #expect(try await night.kinds().count { $0 == .whole } == 2)
        let report = try await night.report()
        #expect(report.name == newest.name && report.goodAt == newest.finishedAt && report.isOK)
        await night.close()
    }

    @Test("that was interrupted is over with a backup by hand")
    func byHandAfterDeath() async throws {
        let night = try await Night()
        night.place.dies(at: "/tables/")
        await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        #expect(try await night.standing() == .interrupted)
        night.place.refuses(nil)
        let manifest = try await night.bench.making(BackupFiles(night.place)).make(.init())
        try await night.nightly().noteMade(manifest)
        #expect(try await night.standing() == .good)
        await night.close()
    }

    @Test("reads the erasures once for all backups, and says how many there are")
    func erasuresOnce() async throws {
        let night = try await Night()
        try await ErasureFiles(night.place).catchUp([BackupBench.erased])
        _ = try await night.nightly().run()
        #expect(try await night.kinds().count == 2)
        let read = night.place.files.filter { $0.hasPrefix("erasures/\(BackupBench.erased.id)") }
        #expect(read.count == 1)
        #expect(try await night.report().erasures == 1)
        await night.close()
    }

    @Test("begins anew where nobody understands how the last one ended")
    func unreadable() async throws {
        let night = try await Night()
        try await night.place.write(LastBackup.file, Array("{".utf8))
        #expect(try await night.report().isOK == false)
        #expect(try await night.nightly().run() != nil)
        #expect(try await night.report().isOK)
        await night.close()
    }

    @Test("that can write no report makes one backup, and not one an hour")
    func noReport() async throws {
        let night = try await Night()
        try FileManager.default.createDirectory(
            atPath: "\(night.folder)/\(LastBackup.file)", withIntermediateDirectories: false)
        for _ in 0..<2 {
            #expect(try await night.report().isOK == false)
            await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        }
        #expect(try await night.kinds().count { $0 == .whole } == 1)
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
        #expect(try await night.nightly().check().damage == nil)
        #expect(try await night.report().damage == nil)
        await night.close()
    }

    @Test("A place without any backup is as old as the first look at it, also after a restart")
    func neverMade() async throws {
        let place = RefusingPlace(FolderPlace(path: BackupBench.folder()))
        let first = try #require(Timestamp(text: "2026-11-24T03:00:00Z"))
        let later = first.advanced(byMicroseconds: 3 * 86_400_000_000)
        var watch = BackupWatch(place, begunAt: first, isUnderWay: { false })
        try await watch.look(at: first)
        var restarted = BackupWatch(place, begunAt: later, isUnderWay: { false })
        try await restarted.look(at: later)
        #expect(restarted.lastGood == first && restarted.report == nil)
        // A failure keeps the time of the last good one.
        let failed = LastBackup(
            finishedAt: later, isOK: false, name: "a", reason: "b", goodAt: later)
        try await place.write(LastBackup.file, failed.json)
        try await restarted.look(at: later)
        #expect(restarted.lastGood == later && restarted.report?.isOK == false)
    }

    @Test("A time in the future is no age, and a report that can't be read is a failure")
    func strangeReports() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = FolderPlace(path: folder)
        let first = BackupBench.time(0)
        let now = first.advanced(byMicroseconds: 3 * 86_400_000_000)
        let ahead = now.advanced(byMicroseconds: 365 * 86_400_000_000)
        try await place.write(BackupWatch.begun, Array(first.text.utf8))
        try await place.write(
            LastBackup.file, LastBackup(finishedAt: ahead, isOK: true, name: "a").json)
        var watch = BackupWatch(place, begunAt: now, isUnderWay: { false })
        try await watch.look(at: now)
        #expect(watch.lastGood == first && watch.report?.isOK == true)
        for text in ["", "{", String(repeating: " ", count: StoredFile.fewBytes + 1)] {
            try await place.write(LastBackup.file, Array(text.utf8))
            watch = BackupWatch(place, begunAt: now, isUnderWay: { false })
            try await watch.look(at: now)
            #expect(watch.report?.isOK == false && watch.report?.reason != nil)
        }
        try await place.write(BackupWatch.begun, Array(ahead.text.utf8))
        try await watch.look(at: now)
        #expect(watch.lastGood == now)
        #expect(try await place.read(BackupWatch.begun) == Array(now.text.utf8))
    }

    @Test("A restore on a machine whose clock is behind the backup is refused, and can be forced")
    func clockBehind() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (old, files, manifest) = try await BackupBench.backedUp(in: folder)
        let new = try await BackupBench(.postgres, folder: folder)
        let restoring = new.restoring(files, later: -30 * 86_400)
        do {
            _ = try await restoring.restore(manifest.name)
            Issue.record("records would get times from a month ago")
        } catch {
            #expect("\(error)".contains("--clock-is-right"))
        }
        _ = try await restoring.restore(manifest.name, .init(isClockRight: true))
        await new.close()
        await old.close()
    }

    @Test("A restore that would drop what was kept before is refused, and can be forced")
    func retentions() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let long = ["WHEREABOUTS_RETENTION_POSITIONS": "365d"]
        let (old, files, manifest) = try await BackupBench.backedUp(in: folder, settings: long)
        let name = manifest.name
        let new = try await BackupBench(.postgres, folder: folder)
        do {
            _ = try await new.restoring(files).restore(name)
            Issue.record("positions of 335 days would be dropped")
        } catch {
            #expect("\(error)".contains("whereabouts.positions was kept 365d, and is kept 30d"))
        }
        #expect(try await new.restoring(files).check(name).records > 0)
        _ = try await new.restoring(files).restore(name, .init(isShorterAllowed: true))
        await new.close()
        let same = try await BackupBench(.postgres, folder: folder, settings: long)
        _ = try await same.restoring(files).restore(name)
        await same.close()
        await old.close()
    }
}
