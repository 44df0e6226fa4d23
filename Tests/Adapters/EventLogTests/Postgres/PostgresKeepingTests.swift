import EventLog
import Postgres
import Retrying
import SeededRandomness
import Synchronization
import TestSupport
import Testing

@testable import PostgresLog

@Suite(
    "How the log in PostgreSQL keeps records", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresKeepingTests {
    /// Opens a log on a new database. Maintenance runs only when the test asks for it.
    func withPostgresLog(
        _ topics: [TopicSpecification], tombstoneAge: Duration = .seconds(3600),
        patience: Duration = .seconds(900),
        _ body: (PostgresLog, PostgresConnection) async throws -> Void
    ) async throws {
        var settings = PostgresLogSettings(try await PrivatePostgres.shared().makeDatabase())
        // The log's own maintenance would interfere with the steps of a test.
        settings.maintenanceInterval = nil
        settings.tombstoneAge = tombstoneAge
        settings.maintenancePatience = patience
        let log = PostgresLog(settings)
        let connection = PostgresConnection(settings.database)
        try await log.createTopics(topics)
        try await body(log, connection)
        await log.close()
    }

    @Test(
        "compaction leaves the newest record of each key, as a dictionary would", arguments: 0..<5)
    func compaction(_ seed: UInt64) async throws {
        let topic = TopicSpecification(name: "site", partitions: 2, cleanup: .compact)
        try await withPostgresLog([topic]) { log, _ in
            var random = SeededRandom(seed: seed)
            var newest: [String: String] = [:]
            for round in 0..<4 {
                let batch = (0..<30).map { number in
                    let key = "room-\(UInt64.random(in: 0..<12, using: &random))"
                    newest[key] = "\(round).\(number)"
                    return LogRecord("site", key, newest[key])
                }
                try await log.append(batch)
                try await log.maintain()
                let kept = try await log.readAll("site")
                #expect(kept.count == newest.count)
                for record in kept { #expect(newest[text(record.key) ?? ""] == text(record.value)) }
            }
        }
    }

    @Test("a topic kept for ever can get a retention, unless it has had records")
    func endsLater() async throws {
        func topics(_ cleanup: TopicSpecification.Cleanup) -> [TopicSpecification] {
            ["empty", "full"].map { TopicSpecification(name: $0, partitions: 1, cleanup: cleanup) }
        }
        try await withPostgresLog(topics(.forever)) { log, _ in
            try await log.append([LogRecord("full", "a", "1")])
            let ending = topics(.delete(after: .seconds(31 * 86_400)))
            try await log.createTopics(ending)
            let left = try await log.differences(from: ending)
            #expect(Set(left.map(\.topic)) == ["full"])
            try await log.append([LogRecord("empty", "a", "2"), LogRecord("full", "a", "3")])
            #expect(try await log.readAll("empty").count == 1)
            #expect(try await log.readAll("full").count == 2)
        }
    }

    @Test("a topic that was kept whole can become a compacted one, and stays one")
    func becomesCompacted() async throws {
        let whole = TopicSpecification(name: "site", partitions: 1, cleanup: .forever)
        var compacted = whole
        compacted.cleanup = .compact
        try await withPostgresLog([whole]) { log, _ in
            let history = (1...9).map { LogRecord("site", "room-\($0 % 3)", "\($0)") }
            try await log.append(history)
            try await log.maintain()
            #expect(try await log.readAll("site").count == 9)
            for specification in [compacted, compacted, whole] {
                try await log.createTopics([specification])
                try await log.append([LogRecord("site", "room-0", "next")])
                try await log.maintain()
                let kept = try await log.readAll("site").map { text($0.value) }
                #expect(kept == ["7", "8", "next"])
            }
        }
    }

    @Test(
        "a tombstone removes its key at once, and later itself unless it is the last record")
    func tombstones() async throws {
        let topic = TopicSpecification(name: "site", partitions: 1, cleanup: .compact)
        try await withPostgresLog([topic], tombstoneAge: .zero) { log, _ in
            try await log.append([LogRecord("site", "a", "1"), LogRecord("site", "b", "1")])
            try await log.append([LogRecord("site", "a", nil)])
            try await log.maintain()
            #expect(try await log.readAll("site").map { text($0.key) } == ["b", "a"])
            try await log.append([LogRecord("site", "c", "1")])
            try await log.maintain()
            #expect(try await log.readAll("site").map { text($0.key) } == ["b", "c"])
        }
    }

    @Test(
        "retention removes old records; offsets go on, and old offsets are out of range"
    )
    func retention() async throws {
        let topic = TopicSpecification(
            name: "scans", partitions: 1, cleanup: .delete(after: .seconds(2)))
        try await withPostgresLog([topic]) { log, _ in
            try await log.append((0..<5).map { LogRecord("scans", "k", "\($0)") })
            let reader = try await log.reader(from: [TopicPartition("scans", 0): 0])
            #expect(try await reader.next(maximum: 2, wait: .seconds(10)).count == 2)
            let deadline = ContinuousClock.now + .seconds(60)
            while try await log.bounds(of: "scans")[0].start < 5, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(300))
                try await log.maintain()
            }
            #expect(try await log.bounds(of: "scans") == [PartitionBounds(start: 5, end: 5)])
            // This also shows that a missing table for the current time is created.
            try await log.append([LogRecord("scans", "k", "new")])
            #expect(try await log.read(1, from: [TopicPartition("scans", 0): 5])[0].offset == 5)
            await expect(.offsetOutOfRange) {
                _ = try await log.read(1, from: [TopicPartition("scans", 0): 0])
            }
            await expect(.offsetOutOfRange) {
                _ = try await reader.next(maximum: 10, wait: .seconds(10))
            }
        }
    }

    @Test(
        "tables are read anew after the server was restored to an earlier moment"
    )
    func takenBack() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let settings = PostgresLogSettings(try await server.makeDatabase())
        let first = PostgresLog(settings)
        try await first.createTopics([.forever("tokens", 1)])
        try await first.append([LogRecord("tokens", "a", "1")])
        await first.close()
        server.stop()
        try server.saveFiles()
        try server.start()
        let log = PostgresLog(settings)
        let table = LogTable<[String: String]>(
            log: log, topic: "tokens", initial: [:],
            apply: { table, record in table[text(record.key) ?? ""] = text(record.value) },
            notices: .unheard)
        let reading = Task { await table.run() }
        let other = PostgresLog(settings)
        for number in 1...3 { try await other.append([LogRecord("tokens", "lost", "\(number)")]) }
        #expect(await isSoon { table.current?["lost"] == "3" })
        // Simulates a standby that takes over without the last records and then gets new ones.
        server.stop()
        try server.startFromSavedFiles()
        let heir = PostgresLog(settings)
        for number in 1...5 { try await heir.append([LogRecord("tokens", "b", "\(number)")]) }
        #expect(await isSoon { table.current == ["a": "1", "b": "5"] }, "\(table.current ?? [:])")
        reading.cancel()
        await reading.value
        for log in [log, other, heir] { await log.close() }
    }

    @Test("a topic that can't be compacted is named, and others still get their retention")
    func brokenTopic() async throws {
        let topics = [
            TopicSpecification(name: "broken", partitions: 2, cleanup: .compact),
            TopicSpecification(name: "scans", partitions: 1, cleanup: .delete(after: .seconds(2))),
            TopicSpecification(name: "site", partitions: 1, cleanup: .compact),
        ]
        try await withPostgresLog(topics) { log, connection in
            try await log.append([LogRecord("scans", "k", "v")])
            try await log.append((1...3).map { LogRecord("site", "k", "\($0)") })
            try await connection.execute(
                script: "ALTER TABLE log.records_1 RENAME TO records_away")
            var failure: EventLogError?
            let isDropped = await isSoon {
                do throws(EventLogError) { try await log.maintain() } catch { failure = error }
                return (try? await log.bounds(of: "scans")[0].start) == 1
            }
            #expect(isDropped)
            #expect(try await log.readAll("site").count == 1)
            let sentence = failure?.reason ?? ""
            #expect(sentence.contains("broken/0"), "\(sentence)")
            #expect(!sentence.contains("scans"), "\(sentence)")
        }
    }

    @Test(
        "roles without rights can't block maintenance, and a lock held too long is an alarm")
    func heldMaintenance() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        var settings = PostgresLogSettings(try await server.makeDatabase())
        settings.maintenanceInterval = .milliseconds(50)
        settings.maintenancePatience = .milliseconds(500)
        let told = Mutex<[String]>([])
        let alarms = Mutex<[RetryWatch.Alarm]>([])
        let watch = RetryWatch(
            patience: .zero, onAlarm: { alarm in alarms.withLock { $0.append(alarm) } },
            onEnd: { work in told.withLock { $0.append("end: \(work)") } })
        let log = PostgresLog(
            settings,
            notices: Notices(
                onUnexpected: { sentence in told.withLock { $0.append(sentence) } },
                onRecovery: { _ in }, watch: watch))
        try await log.createTopics([
            TopicSpecification(name: "site", partitions: 1, cleanup: .compact)
        ])
        let stranger = PostgresConnection(settings.database)
        try await stranger.execute(script: "CREATE ROLE a_stranger; SET ROLE a_stranger")
        // Older programs used this advisory lock, which needs no rights.
        try await stranger.query("SELECT pg_advisory_lock($1)", [.int64(0x5748_4552_4541_4202)])
        await #expect(throws: PostgresError.self) {
            try await stranger.execute(script: "LOCK TABLE log.compactions IN ROW EXCLUSIVE MODE")
        }
        try await log.append((1...3).map { LogRecord("site", "k", "\($0)") })
        #expect(await isSoon { (try? await log.readAll("site").count) == 1 })
        #expect(told.withLock { $0 } == [])
        let owner = PostgresConnection(settings.database)
        try await owner.execute(
            script: "BEGIN; LOCK TABLE log.compactions IN SHARE ROW EXCLUSIVE MODE")
        let process: Int32 = try await owner.query("SELECT pg_backend_pid() AS pid")[0]["pid"]
        #expect(
            await isSoon {
                watch.look(at: .now)
                return alarms.withLock { $0.count } == 1
            })
        let reason = alarms.withLock { $0.first?.reason } ?? ""
        #expect(reason.contains("process \(process) of postgres"), "\(reason)")
        #expect(told.withLock { $0.count } == 1)
        try await owner.execute(script: "ROLLBACK")
        #expect(await isSoon { told.withLock { $0.last?.hasPrefix("end: ") } == true })
        await log.close()
    }

    @Test("an endless reader is named when its table is overdue for retention")
    func endlessReader() async throws {
        let topic = TopicSpecification(
            name: "scans", partitions: 1, cleanup: .delete(after: .seconds(2)))
        try await withPostgresLog([topic], patience: .seconds(1)) { log, connection in
            try await log.append([LogRecord("scans", "k", "v")])
            try await connection.execute(script: "BEGIN; SELECT FROM log.scans")
            let process: Int32 =
                try await connection.query("SELECT pg_backend_pid() AS pid")[0]["pid"]
            var reason = ""
            #expect(
                await isSoon {
                    do throws(EventLogError) { try await log.maintain() } catch {
                        reason = error.reason
                    }
                    return !reason.isEmpty
                })
            #expect(reason.contains("process \(process) of postgres"), "\(reason)")
            try await connection.execute(script: "ROLLBACK")
            try await log.maintain()
            #expect(try await log.bounds(of: "scans")[0].start == 1)
        }
    }

    @Test("a changed retention applies to an existing topic")
    func changedRetention() async throws {
        var topic = TopicSpecification(
            name: "scans", partitions: 1, cleanup: .delete(after: .seconds(86_400 * 9)))
        try await withPostgresLog([topic]) { log, connection in
            try await log.append([LogRecord("scans", "k", "v")])
            // Makes a day's table of eight days ago.
            try await connection.execute(
                script: """
                    CREATE TABLE log.records_old (LIKE log.records_1 INCLUDING ALL);
                    ALTER TABLE log.records_1 ATTACH PARTITION log.records_old
                        FOR VALUES FROM ('2020-01-01') TO ('2020-01-02');
                    INSERT INTO log.spans VALUES (1, now() - interval '8 days',
                        now() - interval '7 days', 'records_old')
                    """)
            func isThere() async throws -> Bool {
                try await connection.query(
                    "SELECT to_regclass('log.records_old') IS NOT NULL AS is")[0]["is"]
            }
            try await log.maintain()
            #expect(try await isThere())
            topic.cleanup = .delete(after: .seconds(86_400 * 3))
            try await log.createTopics([topic])
            try await log.maintain()
            #expect(try await !isThere())
        }
    }

    @Test("compaction in steps keeps the same records as compaction at once", arguments: 0..<3)
    func compactionInPieces(_ seed: UInt64) async throws {
        // A topic that the log's own maintenance leaves alone, because its first run may come this
        // late.
        let topic = TopicSpecification.forever("site", 1)
        try await withPostgresLog([topic]) { log, connection in
            var random = SeededRandom(seed: seed)
            var newest: [String: String] = [:]
            let batch = (0..<40).map { number in
                let key = "room-\(UInt64.random(in: 0..<9, using: &random))"
                newest[key] = "\(number)"
                return LogRecord("site", key, newest[key])
            }
            try await log.append(batch)
            var isMore = true
            var pieces = 0
            while isMore {
                pieces += 1
                isMore = try await connection.query(
                    "SELECT log.compact_piece(1, 0, 3, 1000000) AS more")[0]["more"]
            }
            #expect(pieces == 14)
            let kept = try await log.readAll("site")
            #expect(kept.count == newest.count)
            for record in kept { #expect(newest[text(record.key) ?? ""] == text(record.value)) }
        }
    }

    @Test("an append creates the table for the day if it is missing")
    func missingSpan() async throws {
        try await withPostgresLog([.aDay("scans", 1)]) { log, connection in
            for row in try await connection.query("SELECT table_name FROM log.spans") {
                let table: String = try row["table_name"]
                try await connection.query("SELECT log.drop_span(1, $1)", [.text(table)])
            }
            try await log.append([LogRecord("scans", "k", "v")])
            #expect(try await log.readAll("scans").count == 1)
        }
    }

    @Test("an analyst reads a topic as text")
    func view() async throws {
        try await withPostgresLog([.forever("whereabouts.site", 1)]) { log, connection in
            var headers = LogHeaders()
            headers.append("ce_type", "published")
            try await log.append([
                LogRecord(
                    topic: "whereabouts.site", key: bytes("bush-house"),
                    value: bytes(#"{"a":"ü"}"#),
                    headers: headers),
                LogRecord(topic: "whereabouts.site", key: [0xff], value: nil),
            ])
            let rows = try await connection.query(
                #"SELECT key, value, headers FROM log."whereabouts.site" ORDER BY "offset""#)
            let keys: [String] = try rows.map { try $0["key"] }
            let values: [String?] = try rows.map { try $0["value"] }
            #expect(keys == ["bush-house", #"\xff"#])
            #expect(values == [#"{"a":"ü"}"#, nil])
            #expect(try rows[0]["headers"] == #"{"ce_type": "published"}"#)
        }
    }

    @Test("a member that works longer than the session but still polls keeps its partitions")
    func busyMember() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        var settings = PostgresLogSettings(database)
        settings.sessionTimeout = .seconds(4)
        settings.heartbeatInterval = .milliseconds(300)
        let log = PostgresLog(settings)
        let otherLog = PostgresLog(settings)
        try await log.createTopics([.forever("scans", 2)])
        try await log.append([LogRecord("scans", "k", "v")])
        let busy = try await log.join(group: "locator", topics: ["scans"])
        var seen = Seen()
        try await busy.drive(&seen) { !$0.records.isEmpty }
        let other = try await otherLog.join(group: "locator", topics: ["scans"])
        var seenByOther = Seen()
        try await other.drive(&seenByOther, for: .seconds(3)) { !$0.owned.isEmpty }
        // One of the two partitions is now meant for the other member, but its owner still has it.
        #expect(seenByOther.owned.isEmpty)
        try await busy.commit([], next: next(after: seen.records))
        for member in [busy, other] { await member.close() }
        for log in [log, otherLog] { await log.close() }
    }
}
