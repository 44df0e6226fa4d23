import EventLog
import LogViews
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(
    .serialized, .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ProjectorTests {
    @Test("A projector writes every record once, even when it is stopped and another goes on")
    func goesOn() async throws {
        let fixture = try await Fixture()
        var wanted: [String] = []
        for round in 0..<3 {
            let values = (0..<50).map { "\(round)-\($0)" }
            wanted += values
            let running = Task {
                try await Projector(
                    SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
                    notices: .ignored
                ).run()
            }
            try await fixture.append(values)
            let total = wanted.count
            #expect(
                try await eventually { (try? await fixture.seen().count) ?? 0 >= total })
            running.cancel()
            try await running.value
        }
        #expect(try await fixture.seen() == wanted.sorted())
        await fixture.close()
    }

    @Test("A projector that slept while another took over rolls back and applies nothing twice")
    func pausedZombie() async throws {
        let fixture = try await Fixture()
        try await fixture.append(["a", "b", "c"])
        let isFirst = Mutex(true)
        let (waking, wake) = AsyncStream<Void>.makeStream()
        let (sleeping, sleeps) = AsyncStream<Void>.makeStream()
        var view = SeenView()
        view.pause = {
            let isMine = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard isMine else { return }
            sleeps.finish()
            for await _ in waking {}
        }
        let zombie = Task { [view] in
            try await Projector(
                view, log: fixture.log, pool: fixture.pool, deadLetters: .test, notices: .ignored
            ).run()
        }
        for await _ in sleeping {}
        // Another projector has meanwhile applied the same records and advanced the view.
        try await fixture.pool.withTransaction { connection in
            try connection.query("INSERT INTO seen_view.seen VALUES ('a'), ('b'), ('c')")
            for (partition, bound) in try await fixture.log.bounds(of: "in").enumerated() {
                try connection.query(
                    "UPDATE seen_view.view_positions SET next_offset = $1 WHERE partition = $2",
                    [.int64(bound.end), .int(partition)])
            }
        }
        wake.finish()
        try await fixture.append(["d"])
        #expect(try await eventually { try await fixture.seen().contains("d") })
        #expect(try await fixture.seen() == ["a", "b", "c", "d"])
        zombie.cancel()
        try await zombie.value
        await fixture.close()
    }

    @Test("A log that ends before the view's position stops the projector with an alarm")
    func alarm() async throws {
        let fixture = try await Fixture()
        try await fixture.append(["a"])
        let first = Task {
            try await Projector(
                SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
                notices: .ignored
            ).run()
        }
        #expect(try await eventually { (try? await fixture.seen()) == ["a"] })
        first.cancel()
        try await first.value
        try await fixture.pool.query("UPDATE seen_view.view_positions SET next_offset = 1000")
        await #expect(throws: ConsumerStopped.self) {
            try await Projector(
                SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
                notices: .ignored
            ).run()
        }
        await fixture.close()
    }

    @Test(
        "A log that loses the view's next record stops the projector, at the next start too",
        .timeLimit(.minutes(1)))
    func overtaken() async throws {
        let fixture = try await Fixture()
        let projector = Projector(
            SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test, notices: .ignored)
        let running = Task { try await projector.run() }
        try await fixture.append((0..<10).map { "before-\($0)" })
        #expect(try await eventually { ((try? await fixture.seen()) ?? []).count == 10 })
        // Simulates a retention that overtakes the view.
        try await fixture.pool.query(
            """
            UPDATE log.partitions
            SET start_offset = next_offset + 100, next_offset = next_offset + 100
            """)
        try await fixture.append((0..<10).map { "after-\($0)" })
        await #expect(throws: ConsumerStopped.self) { try await running.value }
        await #expect(throws: ConsumerStopped.self) { try await projector.run() }
        await fixture.close()
    }

    @Test("A rebuilt view equals the log, and a running projector goes on with it")
    func rebuild() async throws {
        let fixture = try await Fixture()
        let running = Task {
            try await Projector(
                SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
                notices: .ignored
            ).run()
        }
        try await fixture.append((0..<40).map { "before-\($0)" })
        #expect(
            try await eventually { ((try? await fixture.seen()) ?? []).count == 40 })
        // The rebuild repairs this damage to the view.
        try await fixture.pool.query("DELETE FROM seen_view.seen WHERE value LIKE '%-1%'")
        let rebuild = ViewRebuild(
            SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test, batchLimit: 7)
        #expect(try await rebuild.recordsAhead() == 40)
        #expect(try await rebuild.run() == 40)
        try await fixture.append((0..<10).map { "after-\($0)" })
        #expect(try await eventually { try await fixture.seen().count >= 50 })
        let wanted = (0..<40).map { "before-\($0)" } + (0..<10).map { "after-\($0)" }
        #expect(try await fixture.seen() == wanted.sorted())
        running.cancel()
        try await running.value
        await fixture.close()
    }

    @Test("A rebuild repeats the swap of its tables after the server ended it")
    func refusedSwap() async throws {
        let fixture = try await Fixture()
        try await fixture.append((0..<5).map { "value-\($0)" })
        let rebuild = ViewRebuild(
            SeenView(), log: fixture.log, pool: fixture.pool, deadLetters: .test)
        #expect(try await rebuild.run() == 5)
        // The first attempt to lock the table fails like the loser of a deadlock.
        let reader = fixture.pool.separateConnection(settings: [:])
        try await reader.execute(
            script: "BEGIN; LOCK TABLE ONLY seen_view.seen IN ACCESS SHARE MODE")
        let ended = Task {
            while true {
                let rows = try await fixture.pool.query(
                    """
                    SELECT pg_cancel_backend(pid) FROM pg_locks
                    WHERE NOT granted AND relation = 'seen_view.seen'::regclass
                    """)
                if !rows.isEmpty { return try await reader.execute(script: "ROLLBACK") }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(try await rebuild.run() == 5)
        try await ended.value
        #expect(try await fixture.seen().count == 5)
        await reader.close()
        await fixture.close()
    }
}
