import EventLog
import LogViews
import Postgres
import Retrying
import Synchronization
import TestSupport
import Testing

@Suite(
    .serialized, .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct OutboxTests {
    private struct Refused: Error {}

    private let outbox = Outbox(schema: "decisions", largestRecord: DeadLetters.test.largestRecord)

    private func prepare(_ fixture: Fixture) async throws {
        try await fixture.pool.withConnection { connection in
            _ = try await Migrator(
                schema: "decisions",
                steps: [
                    Migrator.Step("schema", "CREATE SCHEMA decisions"), outbox.migration,
                    outbox.markMigration,
                ]
            ).migrate(connection)
        }
    }

    @Test("A ring wakes the relay before its next turn")
    func bell() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let bell = OutboxBell()
        let relay = Task {
            // Its first turn is at once, and the second is after the end of the test.
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .seconds(3_600), bell: bell,
                notices: .recordingIssues)
        }
        for number in 1...5 {
            try await fixture.pool.withTransaction { connection in
                try outbox.put(
                    [LogRecord(topic: "out", partition: 0, key: [1], value: [UInt8(number)])],
                    connection: connection)
            }
            bell.ring()
            #expect(
                try await eventually { try await fixture.values(of: "out").count >= number },
                "\(number) was not appended")
        }
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("An event whose ring found the lock taken is appended soon, long before the next turn")
    func brieflyHeld() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let bell = OutboxBell()
        let relay = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .seconds(3_600), bell: bell,
                notices: .recordingIssues)
        }
        // Its first turn is over when it has appended this.
        try await decide(1, fixture)
        bell.ring()
        #expect(try await eventually { try await fixture.values(of: "out") == ["1"] })
        let other = fixture.pool.separateConnection()
        try await other.query(
            "SELECT pg_advisory_lock(hashtextextended('whereabouts outbox decisions', 0))")
        try await decide(2, fixture)
        bell.ring()
        try await Task.sleep(for: .milliseconds(100))
        await other.close()
        #expect(try await eventually { try await fixture.values(of: "out") == ["1", "2"] })
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("An id that the tables know first stops nobody; the relay waits until it is known here")
    func newID() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let guarding = OutboxGuard()
        guarding.set(.new, logID: nil, newest: 0)
        try await fixture.pool.withTransaction { connection in
            try outbox.adopt("log 1", connection: connection)
            try outbox.put(
                [LogRecord(topic: "out", partition: 0, key: [1], value: [1])],
                connection: connection)
        }
        let relay = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, guarding: guarding,
                every: .milliseconds(10), notices: .recordingIssues)
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(guarding.fit == .new)
        #expect(try await fixture.values(of: "out").isEmpty)
        guarding.set(.fits, logID: "log 1", newest: 0)
        #expect(try await eventually { try await fixture.values(of: "out").count == 1 })
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("No event is lost when transactions commit in another order than they wrote")
    func overtaking() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let relay = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .milliseconds(1),
                notices: .recordingIssues)
        }
        let (writers, events) = (6, 25)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<events {
                        let value = Array("\(writer)-\(number)".utf8)
                        try await fixture.pool.withTransaction { connection in
                            try outbox.put(
                                [LogRecord(topic: "out", key: [UInt8(writer)], value: value)],
                                connection: connection)
                            // Some transactions commit at once, others are overtaken.
                            try await Task.sleep(for: .milliseconds(7 * number * writer % 13))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = Set((0..<writers).flatMap { one in (0..<events).map { "\(one)-\($0)" } })
        #expect(try await eventually { try await Set(fixture.values(of: "out")) == all })
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("Committed events are appended in order; rolled back ones are not")
    func order() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let relays = (0..<2).map { _ in
            Task {
                await outbox.relay(
                    log: fixture.log, pool: fixture.pool, every: .milliseconds(10),
                    notices: .recordingIssues)
            }
        }
        for number in 0..<30 {
            do {
                try await fixture.pool.withTransaction { connection in
                    try outbox.put(
                        [
                            LogRecord(
                                topic: "out", partition: 0, key: [1], value: Array("\(number)".utf8)
                            )
                        ], connection: connection)
                    if number % 3 == 2 { throw Refused() }
                }
            } catch is Refused {
                // This transaction rolls back, so nothing may be appended for it.
            }
        }
        #expect(try await eventually { try await fixture.values(of: "out").count >= 20 })
        for relay in relays {
            relay.cancel()
            await relay.value
        }
        let wanted = (0..<30).filter { $0 % 3 != 2 }.map(String.init)
        #expect(try await fixture.values(of: "out") == wanted)
        await fixture.close()
    }

    @Test("No transaction is open during an append, and new commands go on")
    func appendOutsideTransactions() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        try await decide(1, fixture)
        let held = HeldLog(fixture.log)
        let relay = Task {
            await outbox.relay(
                log: held, pool: fixture.pool, every: .milliseconds(10), notices: .recordingIssues)
        }
        #expect(try await eventually { held.isAsked })
        let open = try await fixture.pool.query(
            """
            SELECT query FROM pg_stat_activity WHERE datname = current_database()
                AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
            """)
        #expect(open.isEmpty)
        try await decide(2, fixture)
        held.letGo()
        #expect(try await eventually { try await fixture.values(of: "out") == ["1", "2"] })
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("Records carry their numbers, and nothing is sent while tables and log do not fit")
    func guarded() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let guarding = OutboxGuard()
        let relay = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, guarding: guarding,
                every: .milliseconds(10), notices: .recordingIssues)
        }
        try await decide(1, fixture)
        try await fixture.pool.withConnection { connection in
            try await self.outbox.adopt("log", connection: connection)
        }
        // Nobody has compared them yet.
        guarding.set(.behind(log: 5, tables: 0), logID: "log", newest: 5)
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await fixture.values(of: "out").isEmpty)
        guarding.forget()
        guarding.set(.fits, logID: "log", newest: 0)
        #expect(try await eventually { try await fixture.values(of: "out") == ["1"] })
        #expect(
            try await eventually {
                try await outbox.mark(fixture.pool, number: 0) == OutboxMark(logID: "log", sent: 1)
            })
        var headers: [LogHeaders] = []
        try await fixture.log.readRange(fixture.log.ranges(of: ["out"])) {
            headers += $0.map(\.headers)
        }
        #expect(headers.map { OutboxNumber.of($0, in: "decisions") } == [1])
        // An older database is put in place while the relay runs.
        try await fixture.pool.query("UPDATE decisions.outbox_mark SET sent = 0")
        try await decide(2, fixture)
        #expect(try await eventually { !guarding.fits })
        #expect(try await fixture.values(of: "out") == ["1"])
        // An event that waits with a number that was sent goes; numbers go on behind it.
        let dropped = try await fixture.pool.withTransaction { connection in
            try self.outbox.holdRelays(connection)
            return try self.outbox.settle(on: "log", newest: 40, connection: connection)
        }
        #expect(dropped == 1)
        guarding.set(.fits, logID: "log", newest: 40)
        try await decide(3, fixture)
        #expect(try await eventually { try await fixture.values(of: "out") == ["1", "3"] })
        #expect(
            try await eventually {
                try await outbox.mark(fixture.pool, number: 0) == OutboxMark(logID: "log", sent: 41)
            })
        relay.cancel()
        await relay.value
        await fixture.close()
    }

    @Test("A silent relay blocks its successor for a while, but not for ever")
    func heir() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let outbox = Outbox(
            schema: "decisions", largestRecord: DeadLetters.test.largestRecord,
            claimLimit: .seconds(2))
        try await decide(1, fixture)
        let held = HeldLog(fixture.log)
        let silent = Task {
            await outbox.relay(
                log: held, pool: fixture.pool, every: .milliseconds(10), notices: .ignored)
        }
        #expect(try await eventually { held.isAsked })
        let heir = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .milliseconds(10), notices: .ignored)
        }
        try await decide(2, fixture)
        #expect(try await eventually { try await fixture.values(of: "out") == ["1", "2"] })
        heir.cancel()
        await heir.value
        held.letGo()
        silent.cancel()
        await silent.value
        await fixture.close()
    }

    @Test("An event that the log would refuse is refused by the outbox, and nothing of it stays")
    func door() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        await #expect(throws: RecordTooLarge.self) {
            try await fixture.pool.withTransaction { connection in
                try outbox.put(
                    [
                        LogRecord(
                            topic: "out", key: [1], value: [UInt8](repeating: 0, count: 100_001))
                    ],
                    connection: connection)
            }
        }
        let rows = try await fixture.pool.query("SELECT 1 FROM decisions.outbox")
        #expect(rows.isEmpty)
        await fixture.close()
    }

    @Test("A row that can't be relayed is set aside in full with a report, and blocks no other")
    func badRows() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        try await decide(1, fixture)
        // One row as an earlier release accepted it, and one that is damaged.
        for (value, headers) in [(1_200_000, [UInt8]()), (1, [1])] {
            try await fixture.pool.query(
                "INSERT INTO decisions.outbox (topic, key, value, headers) VALUES ($1, $2, $3, $4)",
                [
                    .text("out"), .bytes([1]), .bytes([UInt8](repeating: 7, count: value)),
                    .bytes(headers),
                ])
        }
        try await decide(2, fixture)
        let told = Told()
        let relay = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .milliseconds(10),
                notices: told.notices)
        }
        #expect(try await eventually { try await fixture.values(of: "out") == ["1", "2"] })
        relay.cancel()
        await relay.value
        let kept = try await fixture.pool.query(
            "SELECT length(value) AS size FROM decisions.outbox_set_aside ORDER BY id")
        let sizes: [Int] = try kept.map { try $0["size"] }
        #expect(sizes == [1_200_000, 1])
        // One report for each event, and perhaps one for the alarm.
        #expect((2...3).contains(told.unexpected.count))
        // The events are still there when the process starts again.
        let alarms = Mutex<[RetryWatch.Alarm]>([])
        let watch = RetryWatch(
            patience: .zero, onAlarm: { alarm in alarms.withLock { $0.append(alarm) } },
            onEnd: { _ in })
        let next = Task {
            await outbox.relay(
                log: fixture.log, pool: fixture.pool, every: .milliseconds(10),
                notices: Notices(onUnexpected: { _ in }, onRecovery: { _ in }, watch: watch))
        }
        #expect(
            try await eventually {
                watch.look(at: .now)
                return alarms.withLock { !$0.isEmpty }
            })
        next.cancel()
        await next.value
        let alarm = alarms.withLock { $0.first }
        #expect(alarm?.isFinal == false)
        #expect(alarm?.reason.hasPrefix("2 events are in decisions.outbox_set_aside") == true)
        await fixture.close()
    }

    private func decide(_ number: Int, _ fixture: Fixture) async throws {
        try await fixture.pool.withTransaction { connection in
            try outbox.put(
                [LogRecord(topic: "out", partition: 0, key: [1], value: Array("\(number)".utf8))],
                connection: connection)
        }
    }
}
