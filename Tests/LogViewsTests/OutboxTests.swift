import EventLog
import LogViews
import Postgres
import Testing

@Suite(.serialized) struct OutboxTests {
    private struct Refused: Error {}

    private let outbox = Outbox(schema: "decisions")

    private func prepare(_ fixture: Fixture) async throws {
        try await fixture.pool.withConnection { connection in
            _ = try await Migrator(
                schema: "decisions",
                steps: [Migrator.Step("schema", "CREATE SCHEMA decisions"), outbox.migration]
            ).migrate(connection)
        }
    }

    @Test("Who rings need not wait for the relay's turn")
    func bell() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let bell = OutboxBell()
        let relay = Task {
            // Its first turn is at once, and the second after the test.
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

    @Test("Nothing is lost when transactions commit in another order than they wrote in")
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
                            // Some commit at once, others are overtaken.
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

    @Test("What was decided is appended in order; what was rolled back is not")
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
                // Decided against: nothing may come of it.
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
}
