import EventLog
import LogViews
import Postgres
import Retrying
import TestSupport
import Testing

@Suite struct ServerAwayTests {
    @Test(
        "Each loop reports once that PostgreSQL is away, and once that it works again",
        .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
    func serverAway() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let fixture = try await Fixture(on: server)
        let (log, pool) = (fixture.log, fixture.pool)
        let outbox = Outbox(schema: "mail", largestRecord: { _ in nil })
        try await pool.withConnection { connection in
            let steps = [
                Migrator.Step("mail", "CREATE SCHEMA mail"), outbox.migration, outbox.markMigration,
            ]
            _ = try await Migrator(schema: "mail", steps: steps).migrate(connection)
        }
        let loops = ["table", "processor", "projector", "outbox"]
        let told = Dictionary(uniqueKeysWithValues: loops.map { ($0, Told()) })
        func notices(_ loop: String) -> Notices { told[loop]?.notices ?? .recordingIssues }
        let table = LogTable<Int>(
            log: log, topic: "in", initial: 0, apply: { count, _ in count += 1 },
            notices: notices("table"))
        let processor = copier(log, notices("processor"))
        let projector = Projector(
            SeenView(), log: log, pool: pool, deadLetters: .test, notices: notices("projector"))
        let running = [
            Task { await table.run() },
            Task { [notices = notices("outbox")] in
                await outbox.relay(
                    log: log, pool: pool, every: .milliseconds(50), notices: notices)
            },
        ]
        let projecting = Task { try await projector.run() }
        let processing = Task { try await processor.run() }
        func hasRead(_ count: Int) async -> Bool {
            let copied = try? await fixture.values(of: "out").count
            let seen = try? await fixture.seen().count
            return [copied, seen, table.current] == [count, count, count]
        }
        try await fixture.append(["before"])
        #expect(try await eventually { await hasRead(1) })
        // This is long enough for several attempts of each loop.
        server.stop()
        try await Task.sleep(for: .seconds(4))
        #expect(told.values.allSatisfy { $0.unexpected.count == 1 && $0.recoveries.isEmpty })
        try server.start()
        #expect(try await eventually { told.values.allSatisfy { $0.recoveries.count == 1 } })
        // The appender's connection notices only now that its server has gone.
        #expect(try await eventually { (try? await fixture.append(["later"])) != nil })
        #expect(try await eventually { await hasRead(2) })
        for (loop, told) in told {
            #expect(told.unexpected.count == 1, "\(loop): \(told.unexpected)")
            #expect(told.recoveries.count == 1, "\(loop): \(told.recoveries)")
        }
        for task in running { task.cancel() }
        projecting.cancel()
        processing.cancel()
        for task in running { await task.value }
        try await projecting.value
        try await processing.value
        await fixture.close()
    }

    @Test(
        "Rows that a crash of PostgreSQL took are written again, though no record follows",
        .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
    func crash() async throws {
        // The server writes to the disk so late that the crash takes the last transaction.
        let server = try PrivatePostgres(settings: ["wal_writer_delay=10s"])
        defer { server.stop() }
        let fixture = try await Fixture(viewsOn: server)
        let projector = Projector(
            SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
            notices: Told().notices)
        let projecting = Task { try await projector.run() }
        try await fixture.append(["first"])
        #expect(try await eventually { (try? await fixture.seen()) == ["first"] })
        server.kill()
        try server.start()
        #expect(try await eventually { (try? await fixture.seen()) == ["first"] })
        projecting.cancel()
        try await projecting.value
        await fixture.close()
    }

    /// Copies records from one topic to another.
    private func copier(_ log: any EventLog, _ notices: Notices) -> Processor<Void> {
        Processor<Void>(
            log: log, configuration: .init(group: "copier", input: "in", stateTopic: nil),
            emptyState: { _ in }, restore: { _, _ in },
            work: { _, records in ProcessorOutputs(copying: records) }, deadLetters: .test,
            notices: notices)
    }
}
