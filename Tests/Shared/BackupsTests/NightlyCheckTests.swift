import Events
import Postgres
import Storage
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "A night's check of backups", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct NightlyCheckTests {
    @Test("that finds an erasure which can't be read says so, and checks the backups all the same")
    func unreadableErasure() async throws {
        let night = try await Night()
        let large = [UInt8](repeating: 32, count: StoredFile.fewBytes + 1)
        try await night.place.write("erasures/large", large)
        await #expect(throws: NightlyBackup.Damage.self) { _ = try await night.nightly().run() }
        let report = try await night.report()
        #expect(report.isOK && report.damage?.contains("erasures/large") == true)
        #expect(night.place.files.contains { $0.contains("/tables/") })
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
            await #expect(throws: NightlyBackup.Damage.self) {
                _ = try await night.nightly().run()
            }
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

    @Test("and a check by hand find the same, whatever is damaged, and check all the others")
    func checkedByHand() async throws {
        let night = try await Night()
        try await ErasureFiles(night.place).catchUp([BackupBench.erased])
        _ = try await night.nightly().run()
        let names = try await BackupFiles(night.place).list().map(\.name)
        let erasure = try #require(
            try await night.place.list("erasures/").first { $0.name != "erasures/begun" }?.name)
        let whole = try #require(try await night.place.read(erasure))
        try await night.place.write(erasure, whole + [32])
        let table = try #require(
            try await night.place.list("\(names[0])/").first { $0.name.contains("/tables/") }?.name)
        try await night.place.delete(table)
        // Somebody makes a backup meanwhile, older by its name than the others.
        let making = "2020-11-24T030000Z"
        try await night.place.write("\(making)/tables/a.zst", [1])
        let check = try await night.nightly().check()
        #expect(check.checked.map(\.name) == [names[1]] && check.unfinished == [making])
        #expect(check.damage?.contains(erasure) == true && check.erasures == nil)
        #expect(check.damage?.contains(table) == true && check.damage?.contains(making) == false)
        #expect(try await night.report().damage == check.damage)
        #expect(try await night.nightly().check(names[1]).damage?.contains(table) == false)
        await night.close()
    }

    @Test("that misses an erasure which the tables call copied says so, until it is there again")
    func missingErasure() async throws {
        let night = try await Night()
        let erasures = ErasureFiles(night.place)
        try await erasures.catchUp([BackupBench.erased])
        _ = try await night.nightly().run()
        let file = try #require(
            try await night.place.list("erasures/").first { $0.name != "erasures/begun" }?.name)
        try await night.place.delete(file)
        let nightly = night.nightly(
            copied: { [BackupBench.erased] },
            catchUp: { try await erasures.catchUp([BackupBench.erased]) })
        let damage = try await nightly.check().damage
        #expect(damage?.contains(BackupBench.erased.id.description) == true)
        #expect(damage?.contains("`whereabouts backup nightly`") == true)
        #expect(try await night.report().damage == damage)
        try await Task.sleep(for: .seconds(1))  // A backup's name has its second.
        _ = try await nightly.run()
        #expect(try await night.report().damage == nil)
        #expect(try await night.place.list(file).count == 1)
        await night.close()
    }

    @Test("that misses an erasure notices it without tables too, and so does a restore")
    func fewerErasures() async throws {
        let night = try await Night()
        try await ErasureFiles(night.place).catchUp([BackupBench.erased])
        let name = try #require(try await night.nightly().run()).name
        let file = try #require(
            try await night.place.list("erasures/").first { $0.name != "erasures/begun" }?.name)
        try await night.place.delete(file)
        for _ in 0..<2 {
            let damage = try await night.nightly().check().damage
            #expect(damage?.contains("1 erasures lay beside the backups") == true)
        }
        let restoring = night.bench.restoring(BackupFiles(night.place))
        await #expect(throws: BackupFault.self) { _ = try await restoring.check(name) }
        // It is lost for good.
        try await night.place.delete(LastBackup.file)
        #expect(try await restoring.check(name).records > 0)
        #expect(try await night.nightly().check().damage == nil)
        await night.close()
    }

    @Test(
        "A night keeps what a check by hand has found meanwhile, whether it ends well or not",
        arguments: [true, false])
    func checkedMeanwhile(endsWell: Bool) async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let checkedAt = try await night.report().checkedAt
        try await Task.sleep(for: .seconds(1))  // A backup's name has its second.
        let table = try #require(
            try await night.place.list("").first { $0.name.contains("/tables/") }?.name)
        night.place.meanwhile(at: "/tables/", isRefused: !endsWell) {
            try await FolderPlace(path: night.folder).write(table, [1])
            let check = try await night.nightly().check()
            #expect(check.damage?.contains(table) == true)
        }
        await #expect(throws: (any Error).self) { _ = try await night.nightly().run() }
        let report = try await night.report()
        #expect(report.isOK == endsWell && report.damage?.contains(table) == true)
        #expect(report.checkedAt == checkedAt)
        await night.close()
    }

    @Test("A check does not end the alarm for what another check has found behind it")
    func checkedTwice() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let name = try #require(try await BackupFiles(night.place).list().first?.name)
        let table = try #require(
            try await night.place.list("\(name)/").first { $0.name.contains("/tables/") }?.name)
        // The first backup was read by then.
        night.place.meanwhile(at: "-lasting/tables/") {
            try await FolderPlace(path: night.folder).write(table, [1])
            try await night.nightly().check()
        }
        #expect(try await night.nightly().check().damage == nil)
        #expect(try await night.report().damage?.contains(table) == true)
        await night.close()
    }

    @Test("finds a backup damaged that has lost only its sum")
    func lostSum() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let names = try await BackupFiles(night.place).list().map(\.name)
        try await night.place.delete("\(names[1])/\(BackupFiles.sum)")
        let check = try await night.nightly().check()
        #expect(check.damage?.contains(names[1]) == true)
        #expect(check.checked.map(\.name) == [names[0]] && check.unfinished.isEmpty)
        #expect(try await night.report().damage == check.damage)
        await night.close()
    }

    @Test("finds a backup damaged that has lost only its manifest, and the next night keeps it")
    func lostManifest() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let names = try await BackupFiles(night.place).list().map(\.name)
        for name in names.reversed() {
            let manifest = "\(name)/\(BackupFiles.manifest)"
            let bytes = try #require(try await night.place.read(manifest))
            try await night.place.delete(manifest)
            let check = try await night.nightly().check()
            #expect(check.damage?.contains(manifest) == true && check.unfinished.isEmpty)
            #expect(!check.checked.contains { $0.name == name } && check.checked.count >= 1)
            await #expect(throws: NightlyBackup.Damage.self) {
                _ = try await night.nightly().run()
            }
            try await night.place.write(manifest, bytes)
            #expect(try await night.nightly().check().damage == nil)
        }
        await night.close()
    }

    @Test("finds no damage in a backup that gets its manifest just now")
    func aboutToBeWhole() async throws {
        let night = try await Night()
        night.place.meanwhile(at: "-lasting/\(BackupFiles.manifest)") {
            let check = try await night.nightly().check()
            #expect(check.damage == nil && check.unfinished.count == 1)
        }
        _ = try await night.nightly().run()
        #expect(try await night.kinds() == [.whole, .lasting])
        await night.close()
    }

    @Test("A check that finds unfinished backups alone is no good check")
    func nothingChecked() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let checkedAt = try await night.report().checkedAt
        for name in try await BackupFiles(night.place).list().map(\.name) {
            try await night.place.delete("\(name)/\(BackupFiles.sum)")
            try await night.place.delete("\(name)/\(BackupFiles.manifest)")
        }
        let check = try await night.nightly().check()
        #expect(check.damage == nil && check.checked.isEmpty && check.unfinished.count == 2)
        #expect(!check.isGood)
        #expect(try await night.report().checkedAt == checkedAt)
        await night.close()
    }

    @Test(
        "A night that can't write the end leaves an unfinished backup, and no damaged one",
        arguments: [BackupFiles.sum, BackupFiles.manifest])
    func refusedEnd(_ file: String) async throws {
        let night = try await Night()
        night.place.refuses(file)
        await #expect(throws: StorageError.self) { _ = try await night.nightly().run() }
        #expect(try await night.nightly().check().damage == nil)
        night.place.refuses(nil)
        _ = try await night.nightly().run()
        #expect(try await night.kinds() == [.whole, .lasting])
        await night.close()
    }

    @Test("that only finds an unfinished backup finds no damage")
    func unfinished() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        try await night.place.write("2020-11-24T030000Z/tables/a.zst", [1])
        let check = try await night.nightly().check()
        #expect(check.damage == nil && check.checked.count == 2 && check.unfinished.count == 1)
        #expect(try await night.report().damage == nil)
        await night.close()
    }

    @Test("finds a whole backup that can't be restored here no damage, but says so")
    func unfit() async throws {
        let night = try await Night()
        _ = try await night.nightly().run()
        let files = BackupFiles(night.place)
        var manifest = try #require(try await files.list().first?.manifest)
        manifest.partitions += 1
        try await files.write(manifest)
        let check = try await night.nightly().check()
        #expect(check.damage == nil && check.checked.count == 2)
        #expect(check.unfit == [manifest.name])
        await night.close()
    }
}
