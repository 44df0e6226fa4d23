import EventLog
import LogViews
import Postgres
import Testing

@Suite(.serialized) struct OutboxTests {
    private struct Refused: Error {}

    @Test("What was decided is appended in order; what was rolled back is not")
    func order() async throws {
        let fixture = try await Fixture()
        let outbox = Outbox(schema: "decisions")
        try await fixture.pool.withConnection { connection in
            _ = try await Migrator(
                schema: "decisions",
                steps: [Migrator.Step("schema", "CREATE SCHEMA decisions"), outbox.migration]
            ).migrate(connection)
        }
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
