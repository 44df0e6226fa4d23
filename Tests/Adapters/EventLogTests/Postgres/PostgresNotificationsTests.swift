import EventLog
import Postgres
import TestSupport
import Testing

@testable import PostgresLog

@Suite(
    "Notifications of the log in PostgreSQL", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresNotificationsTests {
    private static let place = TopicPartition("scans", 0)
    /// In the time of a test nobody asks without a reason.
    private static let never = Duration.seconds(3_600)
    /// A reader that waits this long need not ask at the end.
    private static let wait = Duration.milliseconds(600)

    /// The body gets a log whose readers may rely on notifications, and a connection beside it.
    private func withLog(
        asking interval: Duration = never,
        _ body: (PostgresLog, PostgresLogSettings, PostgresConnection) async throws -> Void
    ) async throws {
        var settings = PostgresLogSettings(try await PrivatePostgres.shared().makeDatabase())
        settings.quietPollInterval = interval
        settings.sessionTimeout = LogServer.patience
        let log = PostgresLog(settings)
        try await log.createTopics([.forever("scans", 2)])
        #expect(await isSoon { log.bell.isReliable })
        let connection = PostgresConnection(settings.database)
        try await body(log, settings, connection)
        await connection.close()
        await log.close()
    }

    /// Ends the oldest connection on which a process waits for notifications.
    private func endListener(_ connection: PostgresConnection) async throws {
        let ended = try await connection.query(
            """
            SELECT pg_terminate_backend(pid) FROM (
                SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE locktype = 'advisory' AND classid = 7312 AND datname = current_database()
                ORDER BY backend_start LIMIT 1) AS oldest
            """)
        #expect(ended.count == 1)
    }

    /// Appends a record as a process that is killed before it notifies anybody.
    private func appendSilently(_ value: String, _ connection: PostgresConnection) async throws {
        var statements = AppendStatements()
        statements.add(
            LogRecord("scans", "device", value), to: PartitionKey(topic: 1, partition: 0))
        try await connection.pipeline(statements.statements)
    }

    private func values(_ records: [StoredRecord]) -> [String?] { records.map { text($0.value) } }

    @Test("while they come, a reader asks only if it is notified, or must answer at once")
    func reliance() async throws {
        try await withLog { log, _, connection in
            let reader = try await log.reader(from: [Self.place: 0])
            #expect(try await reader.next(maximum: 10, wait: Self.wait).isEmpty)
            try await appendSilently("asked", connection)
            #expect(try await reader.next(maximum: 10, wait: Self.wait).isEmpty)
            #expect(values(try await reader.next(maximum: 10, wait: .zero)) == ["asked"])
            try await appendSilently("notified", connection)
            try await connection.query("SELECT pg_notify('whereabouts_log', 'p 1:0')")
            let notified = try await reader.next(maximum: 10, wait: .seconds(20))
            #expect(values(notified) == ["notified"])
            await reader.close()
        }
    }

    @Test("without a connection for them, a reader asks at once and goes on asking")
    func lostConnection() async throws {
        try await withLog { log, _, connection in
            let reader = try await log.reader(from: [Self.place: 0])
            #expect(try await reader.next(maximum: 10, wait: Self.wait).isEmpty)
            try await appendSilently("unnoticed", connection)
            try await endListener(connection)
            let found = try await reader.next(maximum: 10, wait: .seconds(20))
            #expect(values(found) == ["unnoticed"])
            #expect(!log.bell.isReliable)
            #expect(await isSoon { log.bell.isReliable })
            await reader.close()
        }
    }

    @Test("a record without one is found by the slow questions, by readers and by members")
    func lostNotification() async throws {
        try await withLog(asking: .seconds(1)) { log, _, connection in
            let reader = try await log.reader(from: [Self.place: 0])
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.owned.count == 2 }
            #expect(try await reader.next(maximum: 10, wait: Self.wait).isEmpty)
            try await appendSilently("late", connection)
            #expect(values(try await reader.next(maximum: 10, wait: .seconds(20))) == ["late"])
            guard
                case .records(let records) = try await member.poll(maximum: 10, wait: .seconds(20))
            else {
                Issue.record("the partitions changed")
                return
            }
            #expect(values(records) == ["late"])
            await member.close()
            await reader.close()
        }
    }

    @Test("the last append of a process that ends is notified")
    func lastAppend() async throws {
        try await withLog { log, settings, _ in
            let reader = try await log.reader(from: [Self.place: 0])
            #expect(try await reader.next(maximum: 10, wait: Self.wait).isEmpty)
            for number in 0..<5 {
                let other = PostgresLog(settings)
                try await other.append([
                    LogRecord("scans", "device", "\(number)", partition: 0)
                ])
                await other.close()
                let found = try await reader.next(maximum: 10, wait: .seconds(20))
                #expect(values(found) == ["\(number)"])
            }
            await reader.close()
        }
    }

    @Test("members that rely on them share out the partitions as others come and go")
    func members() async throws {
        try await withLog { log, settings, _ in
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.owned.count == 2 }
            let other = PostgresLog(settings)
            let second = try await other.join(group: "locator", topics: ["scans"])
            try await member.drive(&seen) { $0.owned.count == 1 }
            var others = Seen()
            try await second.drive(&others) { $0.owned.count == 1 }
            #expect(await isSoon { other.bell.isReliable })
            await member.close()
            try await second.drive(&others) { $0.owned.count == 2 }
            #expect(seen.owned.count == 1 && others.owned.count == 2)
            await second.close()
            await other.close()
        }
    }

    @Test("an append without an answer makes readers ask, and rely on nothing for a while")
    func doubt() async throws {
        try await withLog { log, _, _ in
            let signal = WakeSignal()
            let partition = PartitionKey(topic: 1, partition: 0)
            log.bell.subscribe(signal, to: [partition])
            var statements = AppendStatements()
            statements.add(LogRecord("scans", "device", "perhaps"), to: partition)
            log.bell.doubt(statements)
            #expect(signal.resetOthersNews().partitions == [partition])
            #expect(!log.bell.isReliable)
            #expect(await isSoon { log.bell.isReliable })
            log.bell.forget(signal, partitions: [partition], group: nil)
        }
    }

    @Test("a process repeats them when it is back, and after an append without an answer")
    func repeated() async throws {
        try await withLog { log, settings, connection in
            var events = PostgresListener.events(settings.database, channels: [LogBell.channel])
                .makeAsyncIterator()
            func payload() async -> String? {
                while let event = await events.next() {
                    if case .notification(_, let payload, _) = event { return payload }
                }
                return nil
            }
            // The process asks once a second whether anybody listens.
            while case .disconnected = await events.next() {}
            try await Task.sleep(for: .seconds(1.1))
            try await log.append([LogRecord("scans", "device", "first", partition: 0)])
            #expect(await payload() == "p 1:0")
            var statements = AppendStatements()
            statements.add(
                LogRecord("scans", "device", "perhaps"), to: PartitionKey(topic: 1, partition: 1))
            log.bell.doubt(statements)
            #expect(await payload() == "p 1:1")
            #expect(await payload() == "p 1:1")
            #expect(await isSoon { log.bell.isReliable })
            try await endListener(connection)
            #expect(try #require(await payload()).count == "p 1:0,1:1".count)
        }
    }
}
