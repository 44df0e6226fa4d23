import Devices
import EventLog
import Events
import Foundation
import Postgres
import ServiceHost
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "Backups", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BackupTests {
    /// Both directions, where there is a Kafka.
    private static let ways: [(BackupBench.Engine, BackupBench.Engine)] =
        RealKafka.isInstalled && LogsToTest.obstacle("kafka") == nil
        ? [(.postgres, .kafka), (.kafka, .postgres)] : [(.postgres, .postgres)]

    @Test(
        "bring tables and log of one engine to the other, without erased devices", arguments: ways)
    func both(from: BackupBench.Engine, to: BackupBench.Engine) async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await BackupBench(from, folder: folder)
        try await old.prepare()
        let files = BackupFiles(FolderPlace(path: folder))
        let erasures = ErasureFiles(files.place)
        try await erasures.beat(at: BackupBench.time(0))
        let manifest = try await old.making(files).make(.init())
        #expect(manifest.tables.map(\.name).contains("radio_maps.secrets") == false)
        // Erased after the backup, so the file beside it has to do it.
        try await erasures.write(BackupBench.erased)
        let new = try await BackupBench(to, folder: folder)
        let summary = try await new.restoring(files).restore(manifest.name)
        #expect(summary.erased == 9 && summary.aged == 0 && !summary.isContinued)
        try await expectSameTables(old, new)
        try await expectSameLog(old, new)
        await #expect(throws: BackupFault.self) {
            try await new.restoring(files).restore(manifest.name)
        }
        await old.close()
        await new.close()
    }

    private func expectSameTables(_ old: BackupBench, _ new: BackupBench) async throws {
        for table in ["zoo", "animals", "secrets", "keys", "judged"] {
            func rows(_ bench: BackupBench) async throws -> [String] {
                try await bench.pool.query(
                    "SELECT t::text AS row FROM radio_maps.\(table) t ORDER BY 1"
                ).map { try $0["row"] }
            }
            let (before, after) = (try await rows(old), try await rows(new))
            switch table {
            case "secrets", "keys": #expect(!before.isEmpty && after.isEmpty)
            default: #expect(after == before && !after.isEmpty)
            }
        }
    }

    private func expectSameLog(_ old: BackupBench, _ new: BackupBench) async throws {
        let topics: [Topic] = [
            .surveys, .surveyRecords, .positions, .tokens, .deadLetters, .surveyReviews,
        ]
        for topic in topics {
            let (before, after) = (try await old.records(topic), try await new.records(topic))
            for partition in 0..<BackupBench.partitions {
                let left = (before[partition] ?? []).filter { record in
                    let text = String(decoding: record.value ?? [], as: UTF8.self)
                    let key = String(decoding: record.key ?? [], as: UTF8.self)
                    return !text.contains(#""erased""#) && !key.hasPrefix("session-key/")
                }
                let right = after[partition] ?? []
                #expect(right.map(\.offset) == left.indices.map(Int64.init))
                #expect(right.map(\.key) == left.map(\.key))
                #expect(
                    right.map { $0.appendedAtMicroseconds / 1_000 }
                        == left.map { $0.appendedAtMicroseconds / 1_000 })
                #expect(right.map { $0.headers["ce_id"] } == left.map { $0.headers["ce_id"] })
                if topic != .deadLetters {
                    #expect(right.map(\.value) == left.map(\.value))
                }
            }
        }
        let letter = try #require(try await new.records(.deadLetters)[1]?.first)
        #expect(try DeadLettered(record: letter).offset == 7 + RestoredOffset.beyond)
        // Scans that nobody has located come again, and no others.
        let scans = try await new.records(.scans).mapValues(\.count)
        #expect(scans == [0: 3, 1: 2, 2: 1])
        let committed = try await new.host.log.committed(
            group: "locator", topics: [Topic.scans.name])
        #expect(committed.values.allSatisfy { $0 == 0 } && committed.count == 3)
        // Each partition has a segment of seen scans, and that of anna has hers.
        let states = try await new.records(.locatorState)
        let segments = try states.mapValues { records in
            try records.filter { $0.key.flatMap(SeenSegmentKey.number) != nil }
                .map { try SeenSegmentCodec.decode($0.value ?? []) }
        }
        #expect(segments.values.map { Set($0.map(\.number)) } == [[0], [0], [0]])
        let anna = SeenScans.hash(of: DeviceKey(BackupBench.site, DeviceID("anna")))
        let devices = Set(segments.values.flatMap(\.self).flatMap(\.deviceHashes))
        #expect(devices == [anna])
    }

    @Test("that are made after an erasure hold no survey and no dead letter of the device")
    func afterErasure() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await BackupBench(.postgres, folder: folder)
        try await old.prepare()
        try await old.host.log.append([BackupBench.erased.record(source: "/test")])
        let files = BackupFiles(FolderPlace(path: folder))
        try await ErasureFiles(files.place).catchUp([BackupBench.erased])
        try await ErasureFiles(files.place).beat(at: BackupBench.time(0))
        let manifest = try await old.making(files).make(.init())
        for file in manifest.topics.flatMap(\.files) {
            let unpacked = try await files.read(file, of: manifest.name)
            for record in try BackupRecordCodec.records(unpacked, topic: "any") {
                guard !DeviceErased.isIn(record) else { continue }
                let text = String(decoding: record.value ?? [], as: UTF8.self)
                #expect(!text.contains(#""erased""#), "\(file.name): \(text)")
            }
        }
        let new = try await BackupBench(.postgres, folder: folder)
        #expect(try await new.restoring(files).restore(manifest.name).erased == 0)
        await old.close()
        await new.close()
    }

    @Test("are refused with the file's name when one byte of any file was changed")
    func changed() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        let place = FolderPlace(path: folder)
        let files = BackupFiles(place)
        try await BackupBench.eraseBeside(place)
        let name = try await bench.making(files).make(.init()).name
        let restoring = bench.restoring(files)
        #expect(try await restoring.check(name).records > 0)
        for file in try await place.list("") where file.name != "erasures/begun" {
            let bytes = try #require(try await place.read(file.name))
            for position in [0, bytes.count / 2, bytes.count - 1] {
                var changed = bytes
                changed[position] ^= 1
                try await place.write(file.name, changed)
                do {
                    _ = try await restoring.check(name)
                    Issue.record("\(file.name) was changed at \(position), and nobody noticed")
                } catch {
                    #expect("\(error)".contains(file.name), "\(error)")
                }
            }
            try await place.write(file.name, bytes)
        }
        #expect(try await restoring.check(name).records > 0)
        await bench.close()
    }

    @Test(
        "are refused where a name of the manifest would be a statement or a path",
        arguments: ["radio_maps.zoo; SELECT 1", "pg_catalog.pg_authid", "zoo", "radio_maps.zoo "])
    func names(_ name: String) async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (bench, files, made) = try await BackupBench.backedUp(in: folder)
        var (table, column, file, sequence) = (made, made, made, made)
        table.tables[0].name = name
        column.tables[0].columns[0] = name + ")"
        file.topics[0].files[0].name = "../../" + name
        sequence.sequences.append(.init(name: name, last: 1))
        for changed in [table, column, file, sequence] {
            // Somebody who can write there writes the right sum, too.
            try await files.write(changed)
            await #expect(throws: BackupFault.self) {
                try await bench.restoring(files).check(made.name)
            }
        }
        try await files.write(made)
        #expect(try await bench.restoring(files).check(made.name).records > 0)
        await bench.close()
    }

    @Test("that were interrupted are not whole, and the next one removes them")
    func interrupted() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        let whole = FolderPlace(path: folder)
        for after in [0, 3, 9] {
            let files = BackupFiles(FailingPlace(whole, writes: after))
            await #expect(throws: StorageError.self) {
                try await bench.making(files).make(.init())
            }
        }
        #expect(try await BackupFiles(whole).list().allSatisfy { $0.manifest == nil })
        let manifest = try await bench.making(BackupFiles(whole)).make(.init())
        let listed = try await BackupFiles(whole).list()
        #expect(listed.map(\.name) == [manifest.name] && listed[0].manifest == manifest)
        await bench.close()
    }

    @Test("whose restore was interrupted go on, and end as if nothing had happened")
    func restoreGoesOn() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await BackupBench(.postgres, folder: folder)
        try await old.prepare()
        let whole = FolderPlace(path: folder)
        try await BackupBench.eraseBeside(whole)
        let name = try await old.making(BackupFiles(whole)).make(.init()).name
        let new = try await BackupBench(.postgres, folder: folder)
        let reads = FailingPlace(whole, reads: .max)
        _ = try await new.restoring(BackupFiles(reads)).check(name)
        // Each attempt ends a little later: within the log, and within the tables.
        for more in [2, 4, 6, 8] {
            let files = BackupFiles(FailingPlace(whole, reads: reads.read + more))
            await #expect(throws: StorageError.self) {
                try await new.restoring(files).restore(name)
            }
        }
        let other = try await old.making(BackupFiles(whole)).make(.init(kind: .lasting)).name
        await #expect(throws: BackupFault.self) {
            try await new.restoring(BackupFiles(whole)).restore(other)
        }
        let summary = try await new.restoring(BackupFiles(whole)).restore(name)
        #expect(summary.isContinued)
        try await expectSameTables(old, new)
        try await expectSameLog(old, new)
        await old.close()
        await new.close()
    }

    @Test("need an empty database, an empty log, the erasures, and the same partitions")
    func refused() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await BackupBench(.postgres, folder: folder)
        try await old.prepare()
        let files = BackupFiles(FolderPlace(path: folder))
        let name = try await old.making(files).make(.init()).name
        func reason(_ bench: BackupBench) async -> String {
            do { _ = try await bench.restoring(files).restore(name) } catch { return "\(error)" }
            return ""
        }
        let new = try await BackupBench(.postgres, folder: folder)
        #expect(await reason(new).contains("erasures/begun"))
        try await ErasureFiles(files.place).beat(at: BackupBench.time(0))
        #expect(await reason(old).contains("database is not empty"))
        try await new.host.log.createTopics(new.host.topics)
        try await new.host.log.append([
            LogRecord(topic: Topic.site.name, key: [1], value: [1])
        ])
        #expect(await reason(new).contains("log is not empty"))
        let other = try await BackupBench(
            .postgres, folder: folder, settings: ["WHEREABOUTS_PARTITIONS": "4"])
        #expect(await reason(other).contains("WHEREABOUTS_PARTITIONS=3"))
        for bench in [old, new, other] { await bench.close() }
    }

    @Test("that are kept long have nothing with a retention")
    func lasting() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        let files = BackupFiles(FolderPlace(path: folder))
        let manifest = try await bench.making(files).make(.init(kind: .lasting))
        let kept = Set(manifest.topics.map(\.name))
        for topic in [Topic.scans, .scansInbound, .taps, .positions, .visits, .deadLetters] {
            #expect(!kept.contains(topic.name))
        }
        #expect(kept.isSuperset(of: [Topic.surveys.name, Topic.surveyRecords.name]))
        #expect(manifest.groups.map(\.topic) == [Topic.surveys.name])
        await bench.close()
    }

    @Test("of a night are two in the first night, and last-backup.json says how it ended")
    func nightly() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        let place = FolderPlace(path: folder)
        try await BackupBench.eraseBeside(place)
        func night(_ place: any StoragePlace) -> NightlyBackup {
            let files = BackupFiles(place)
            return NightlyBackup(
                bench.host, files: files, making: bench.making(files),
                restoring: bench.restoring(files), catchUp: {}, note: { _ in })
        }
        #expect(try await night(place).last() == nil)
        let manifest = try #require(try await night(place).run())
        let kinds = try await BackupFiles(place).list().map { $0.manifest?.kind }
        #expect(kinds == [.whole, .lasting])
        func last() async throws -> LastBackup {
            try LastBackup(json: try #require(try await place.read(LastBackup.file)))
        }
        let good = try await last()
        #expect(good.isOK && good.name == manifest.name && good.checkedAt != nil)
        // A lock of another backup makes the night fail.
        let other = bench.pool.separateConnection()
        try await other.query(
            "SELECT pg_advisory_lock(hashtextextended('whereabouts backup', 0))")
        await #expect(throws: BackupFault.self) { try await night(place).run() }
        let bad = try await last()
        #expect(!bad.isOK && bad.reason?.contains("another backup") == true)
        #expect(bad.goodAt == good.goodAt && bad.checkedAt == good.checkedAt)
        await other.close()
        await bench.close()
    }

    @Test("leave out what is past its retention when they are restored")
    func aged() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (old, files, manifest) = try await BackupBench.backedUp(in: folder)
        // The shortest retention of a setting is longer than this test, so the backup gets older.
        let new = try await BackupBench(.postgres, folder: folder)
        let aged = try await new.restoring(files, later: 31 * 86_400)
            .restore(manifest.name)
        #expect(aged.aged == 30 + 2 + 6)
        #expect(try await new.records(.positions).isEmpty)
        #expect(try await new.records(.surveys).values.reduce(0) { $0 + $1.count } == 12)
        await old.close()
        await new.close()
    }
}

/// A place that fails after some reads or writes, like a network or a full disk.
final class FailingPlace: StoragePlace {
    private let place: any StoragePlace
    private let left: Mutex<(reads: Int, writes: Int)>
    private let limit: Int

    init(_ place: any StoragePlace, reads: Int = .max, writes: Int = .max) {
        self.place = place
        limit = reads
        left = Mutex((reads, writes))
    }

    /// The number of reads so far.
    var read: Int { limit - left.withLock(\.reads) }
    var name: String { place.name }

    func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await place.list(prefix)
    }

    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        guard
            left.withLock({
                $0.reads -= 1
                return $0.reads >= 0
            })
        else {
            throw StorageError(file, "cut off", isRetriable: true)
        }
        return try await place.read(file, most: most)
    }

    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        guard
            left.withLock({
                $0.writes -= 1
                return $0.writes >= 0
            })
        else {
            throw StorageError(file, "cut off", isRetriable: true)
        }
        try await place.write(file, bytes)
    }

    func delete(_ file: String) async throws(StorageError) { try await place.delete(file) }
}
