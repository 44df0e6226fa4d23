import EventLog
import Events
import Foundation
import MemoryLog
import Postgres
import PostgresLog
import ServiceHost
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "What happens while a backup is made or restored", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BackupRaceTests {
    private let folder = BackupBench.folder()
    private var place: FolderPlace { FolderPlace(path: folder) }

    private func bench(stores: [BackupStore] = BackupBench.stores) async throws -> BackupBench {
        try await BackupBench(.postgres, folder: folder, stores: stores)
    }

    /// Other tests have other databases of the same server.
    private static let isHere =
        "database = (SELECT oid FROM pg_database WHERE datname = current_database())"

    private func token(_ value: String) -> LogRecord {
        LogRecord(
            topic: Topic.tokens.name, partition: 2, key: Array("live".utf8),
            value: Array(value.utf8))
    }

    private func values(of key: String, _ bench: BackupBench) async throws -> [String] {
        try await bench.records(.tokens)[2, default: []]
            .filter { $0.key == Array(key.utf8) }
            .map { String(decoding: $0.value ?? [], as: UTF8.self) }
    }

    @Test("The newest of a moment is in the backup, although it is replaced and compacted then")
    func compacted() async throws {
        let bench = try await bench()
        try await bench.prepare()
        try await bench.host.log.append([token("first")])
        let log = try #require(bench.host.log as? PostgresLog)
        let hooked = HookedPlace(place, at: [1]) {
            try await log.append([token("second")])
            try await log.maintain()
        }
        try await ErasureFiles(place).beat(at: bench.host.now)
        let made = try await bench.making(BackupFiles(hooked)).make(.init())
        #expect(try await values(of: "live", bench) == ["first", "second"])
        // It was the backup that kept compaction away.
        try await log.maintain()
        #expect(try await values(of: "live", bench) == ["second"])
        let new = try await self.bench()
        _ = try await new.restoring(BackupFiles(place)).restore(made.name)
        #expect(try await values(of: "live", new) == ["first"])
        await bench.close()
        await new.close()
    }

    @Test("What the tables announce and the log lacks is announced again, and nothing else")
    func announced() async throws {
        let stores = [BackupBench.stores[0].announcing(.site)]
        let bench = try await bench(stores: stores)
        try await bench.prepare()
        // The log has one as it is, and the other one in an older form.
        func animal(_ id: String, _ value: [UInt8]) -> LogRecord {
            LogRecord(topic: Topic.site.name, partition: 0, key: Array(id.utf8), value: value)
        }
        try await bench.host.log.append([animal("bern", []), animal("london", [1])])
        let files = BackupFiles(place)
        try await ErasureFiles(place).beat(at: bench.host.now)
        let name = try await bench.making(files).make(.init()).name
        let new = try await self.bench(stores: stores)
        let summary = try await new.restoring(files).restore(name)
        #expect(summary.announced == 3)
        let waiting: [String] = try await new.pool.query(
            "SELECT convert_from(key, 'UTF8') AS key FROM radio_maps.outbox ORDER BY id"
        ).map { try $0["key"] }
        #expect(waiting == ["large\tzoo\n", "london", "made by the migration"])
        await bench.close()
        await new.close()
    }

    @Test("Erasures since the backup are applied when this release's own tables are there")
    func laterTables() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let files = BackupFiles(place)
        let name = try await bench.making(files).make(.init()).name
        let moment = bench.host.now
        func erased(_ hours: Int64) -> DeviceErased {
            DeviceErased(
                id: EventID(high: 9, low: UInt64(hours + 100)), site: BackupBench.site,
                device: DeviceID("late"),
                at: moment.advanced(byMicroseconds: hours * 3_600_000_000))
        }
        try await ErasureFiles(place).catchUp([erased(-30), erased(2)])
        try await ErasureFiles(place).beat(at: moment)
        var later = BackupBench.stores
        later[0].migrator.steps.append(
            Migrator.Step("legs", "ALTER TABLE radio_maps.animals ADD COLUMN legs int"))
        let new = try await self.bench(stores: later)
        let seen = Mutex<[DeviceErased]>([])
        let restoring = new.restoring(
            files,
            reapply: { events, connection in
                seen.withLock { $0 = events }
                try connection.query("UPDATE radio_maps.animals SET legs = 4")
            })
        _ = try await restoring.restore(name)
        // The one from before the backup is in the backup's own tables.
        #expect(seen.withLock(\.self).map(\.id) == [erased(2).id])
        let legs: Int = try await new.pool.query(
            "SELECT sum(legs)::int AS legs FROM radio_maps.animals")[0]["legs"]
        #expect(legs == 12)
        await bench.close()
        await new.close()
    }

    @Test("A backup is not whole when another installation removes its files")
    func sharedPlace() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let hooked = HookedPlace(place, at: [4]) {
            try await BackupFiles(place).removeUnfinished(note: { _ in })
        }
        await #expect(throws: BackupFault.self) {
            try await bench.making(BackupFiles(hooked)).make(.init())
        }
        #expect(try await BackupFiles(place).list().allSatisfy { $0.manifest == nil })
        await bench.close()
    }

    @Test("A backup ends when the session with its lock is lost")
    func lostLock() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let other = bench.pool.separateConnection()
        let hooked = HookedPlace(place, at: [2]) {
            let ended = try await other.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
                    AND \(Self.isHere) AND (classid::bigint << 32 | objid::bigint)
                        = hashtextextended('whereabouts backup', 0)
                """)
            #expect(ended.count == 1)
        }
        await #expect(throws: BackupFault.self) {
            try await bench.making(BackupFiles(hooked)).make(.init())
        }
        await other.close()
        await bench.close()
    }

    /// Begins a restore that fails at its fourth file after the check.
    private func interrupt(_ new: BackupBench, _ name: String) async throws {
        let count = FailingPlace(place, reads: .max)
        _ = try await new.restoring(BackupFiles(count)).check(name)
        await #expect(throws: StorageError.self) {
            let failing = FailingPlace(place, reads: count.read + 4)
            _ = try await new.restoring(BackupFiles(failing)).restore(name)
        }
    }

    @Test("An unfinished restore lets no backup begin, and no second restore")
    func unfinished() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let files = BackupFiles(place)
        let name = try await bench.making(files).make(.init()).name
        try await ErasureFiles(place).beat(at: bench.host.now)
        let new = try await self.bench()
        let turn = new.pool.sessionLock("whereabouts backup")
        #expect(try await turn.tryAcquire())
        await #expect(throws: BackupFault.self) { try await new.restoring(files).restore(name) }
        await turn.release()
        try await interrupt(new, name)
        do {
            _ = try await new.making(files).make(.init())
            Issue.record("a backup was made of half a restore")
        } catch let fault as BackupFault {
            #expect(fault.description.contains(name) && fault.description.contains("not finished"))
        }
        _ = try await new.restoring(files).restore(name)
        // A backup's name is its second, so this one needs another place.
        let second = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: second) }
        _ = try await new.making(BackupFiles(FolderPlace(path: second))).make(.init())
        await bench.close()
        await new.close()
    }

    @Test("A record that came twice, or from somebody else, ends the restore")
    func counted() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let files = BackupFiles(place)
        let name = try await bench.making(files).make(.init()).name
        try await ErasureFiles(place).beat(at: bench.host.now)
        let new = try await self.bench()
        // The first topics are there.
        try await interrupt(new, name)
        try await new.host.log.append([
            LogRecord(
                topic: Topic.positions.name, partition: 0, key: [1], value: [1],
                headers: RestoredOffset.replace(in: LogHeaders(), with: 5))
        ])
        do {
            _ = try await new.restoring(files).restore(name)
            Issue.record("nobody has counted")
        } catch let fault as BackupFault {
            #expect(fault.description.contains("whereabouts.positions/0"))
        }
        await bench.close()
        await new.close()
    }

    @Test("Tables that no backup has, and unknown columns, are refused")
    func strangeTables() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let files = BackupFiles(place)
        let made = try await bench.making(files).make(.init())
        try await ErasureFiles(place).beat(at: bench.host.now)
        let zoo = try #require(made.tables.first { $0.name == "radio_maps.zoo" })
        var (secret, column, table) = (made, made, made)
        secret.tables.append(
            .init(name: "radio_maps.secrets", columns: ["id"], rows: 0, files: []))
        column.tables[0].columns[0] = "nothing"
        table.tables.append(.init(name: "radio_maps.nowhere", columns: ["id"], rows: 0, files: []))
        #expect(zoo.columns == ["id", "bytes"])
        for changed in [secret, column, table] {
            try await files.write(changed)
            let new = try await self.bench()
            await #expect(throws: BackupFault.self) {
                try await new.restoring(files).restore(made.name)
            }
            await new.close()
        }
        await bench.close()
    }

    @Test("Dead letters that were set aside get other offsets, as those on the log do")
    func aside() async throws {
        let bench = try await bench()
        try await bench.prepare()
        let letter = DeadLettered(
            topic: Topic.scans.name, partition: 1, offset: 8, code: "not-json", detail: "no",
            key: nil, value: [1], at: BackupBench.time(1), headers: [],
            appendedAt: BackupBench.time(1)
        ).record(source: "/test")
        try await bench.pool.query(
            """
            CREATE TABLE radio_maps.outbox_set_aside (
                id bigint PRIMARY KEY, topic text NOT NULL, key bytea NOT NULL, value bytea,
                headers bytea NOT NULL, reason text NOT NULL,
                at timestamptz NOT NULL DEFAULT clock_timestamp())
            """)
        try await bench.pool.query(
            """
            INSERT INTO radio_maps.outbox_set_aside (id, topic, key, value, headers, reason)
            VALUES (1, $1, $2, $3, $4, 'too large')
            """,
            [
                .text(letter.topic), .bytes(letter.key), .bytes(letter.value ?? []),
                .bytes(letter.headers.encoded),
            ])
        let files = BackupFiles(place)
        let name = try await bench.making(files).make(.init()).name
        try await ErasureFiles(place).beat(at: bench.host.now)
        let new = try await self.bench()
        _ = try await new.restoring(files).restore(name)
        let value: [UInt8] = try await new.pool.query(
            "SELECT value FROM radio_maps.outbox_set_aside")[0]["value"]
        #expect(try DeadLettered(json: value).offset == 8 + RestoredOffset.beyond)
        await bench.close()
        await new.close()
    }

    @Test("The pause of an outbox is noticed when it was too short")
    func pause() async throws {
        let bench = try await bench()
        let pause = OutboxPause(["radio_maps"], bench.pool)
        try await pause.begin()
        try await pause.check()
        try await bench.pool.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
                AND pid <> pg_backend_pid() AND \(Self.isHere)
            """)
        await #expect(throws: BackupFault.self) { try await pause.check() }
        await pause.end()
        await bench.close()
    }

    @Test("Records that retention removes before they are read are left out")
    func retention() async throws {
        let now = Moment()
        let server = MemoryLogServer(tombstoneAge: .seconds(10), now: { now.value })
        let log = MemoryLog(server)
        let topic = "whereabouts.scans"
        try await log.createTopics([
            TopicSpecification(
                name: topic, partitions: 2, cleanup: .delete(after: .seconds(100)))
        ])
        func append(_ text: String) async throws {
            for partition in 0..<2 {
                try await log.append([
                    LogRecord(
                        topic: topic, partition: partition, key: [1], value: Array(text.utf8))
                ])
            }
        }
        for number in 0..<5 { try await append("old \(number)") }
        now.pass(90)
        for number in 0..<3 { try await append("new \(number)") }
        let ranges = try await log.ranges(of: [topic])
        now.pass(20)
        try await append("later")
        let files = BackupFiles(place)
        let copied = try await RecordCopying(
            log: log, files: files, backup: "2026-11-24T030000Z", erased: ErasedDevices()
        ).copy(topic, ranges)
        #expect(copied.records == 6)
    }
}

extension BackupStore {
    /// Each row of `zoo` is announced on this topic.
    fileprivate func announcing(_ topic: Topic) -> BackupStore {
        var store = self
        store.outbox = BackupBench.outbox
        store.announced = { connection, _, put in
            for row in try connection.query("SELECT id, bytes FROM radio_maps.zoo ORDER BY id") {
                let (id, bytes): (String, [UInt8]) = (try row["id"], try row["bytes"])
                try put(
                    connection, [LogRecord(topic: topic.name, key: Array(id.utf8), value: bytes)])
            }
        }
        return store
    }
}

/// A place where something happens before some writes.
private final class HookedPlace: StoragePlace {
    private let place: any StoragePlace
    private let numbers: Set<Int>
    private let hook: @Sendable () async throws -> Void
    private let count = Mutex(0)

    /// - Parameter numbers: the writes, from 1.
    init(
        _ place: any StoragePlace, at numbers: Set<Int>,
        _ hook: @escaping @Sendable () async throws -> Void
    ) {
        self.place = place
        self.numbers = numbers
        self.hook = hook
    }

    var name: String { place.name }

    func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await place.list(prefix)
    }

    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        try await place.read(file, most: most)
    }

    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if numbers.contains(number) {
            do { try await hook() } catch {
                Issue.record(error)
            }
        }
        try await place.write(file, bytes)
    }

    func delete(_ file: String) async throws(StorageError) { try await place.delete(file) }
}

/// A clock that the test moves.
private final class Moment: Sendable {
    private let microseconds = Mutex<Int64>(1_795_305_600_000_000)

    var value: Int64 { microseconds.withLock(\.self) }

    func pass(_ seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }
}
