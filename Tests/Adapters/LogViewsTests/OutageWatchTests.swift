import EventLog
import Postgres
import Synchronization
import Testing

@testable import LogViews

@Suite struct OutageWatchTests {
    private struct Away: Error {}

    /// A watch, and what it tells.
    private final class Watched: Sendable {
        let alarms = Mutex<[OutageWatch.Alarm]>([])
        let ends = Mutex<[String]>([])
        let told = Told()
        var watch: OutageWatch {
            OutageWatch(
                onAlarm: { alarm in self.alarms.withLock { $0.append(alarm) } },
                onEnd: { work in self.ends.withLock { $0.append(work) } })
        }
    }

    /// Longer than the watch is patient, from now on.
    private var later: ContinuousClock.Instant { .now + .seconds(31) }

    private func notices(_ watch: OutageWatch) -> Notices {
        Notices(onUnexpected: { _ in }, onRecovery: { _ in }, watch: watch)
    }

    @Test(
        "Work that fails for longer than half a minute is one alarm, which ends when it works again"
    )
    func alarm() {
        let watched = Watched()
        let watch = watched.watch
        var outage = Outage(of: "Reading", notices: notices(watch), isWatched: true)
        outage.failed(Away())
        watch.look(at: .now + .seconds(29))
        #expect(watched.alarms.withLock { $0 }.isEmpty)
        watch.look(at: later)
        outage.failed(Away())
        watch.look(at: later + .seconds(60))
        #expect(watched.alarms.withLock { $0.map(\.work) } == ["Reading"])
        #expect(watched.ends.withLock { $0 }.isEmpty)
        outage.ended()
        #expect(watched.ends.withLock { $0 } == ["Reading"])
        watch.look(at: later + .seconds(90))
        #expect(watched.alarms.withLock { $0.count } == 1)
    }

    @Test("Several that do the same work make one alarm, which lasts until the last of them works")
    func several() {
        let watched = Watched()
        let watch = watched.watch
        var outages = (0..<3).map { _ in
            Outage(of: "Working", notices: notices(watch), isWatched: true)
        }
        for index in outages.indices { outages[index].failed(Away()) }
        watch.look(at: later)
        #expect(watched.alarms.withLock { $0.count } == 1)
        outages[0].ended()
        outages[1].forgotten()
        #expect(watched.ends.withLock { $0 }.isEmpty)
        outages[2].ended()
        #expect(watched.ends.withLock { $0 } == ["Working"])
    }

    @Test("An attempt that hangs is an alarm as well; a route that nobody asks again is none")
    func hanging() async {
        let watched = Watched()
        let watch = watched.watch
        let (isHanging, hangs) = AsyncStream<Void>.makeStream()
        let running = Task { [notices = notices(watch)] in
            var attempts = 0
            await attemptUntilDone("Hanging", notices: notices) { _ in
                attempts += 1
                if attempts == 1 { throw Away() }
                hangs.finish()
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
        for await _ in isHanging {}
        var route = Outage(of: "GET /", notices: notices(watch))
        route.failed(Away())
        watch.look(at: later)
        #expect(watched.alarms.withLock { $0.map(\.work) } == ["Hanging"])
        running.cancel()
        await running.value
        #expect(watched.ends.withLock { $0 } == ["Hanging"])
    }

    @Test("What has stopped for good stays an alarm, and is told once")
    func stopped() {
        let watched = Watched()
        let watch = watched.watch
        var outage = Outage(of: "Keeping", notices: notices(watch), isWatched: true)
        outage.failed(Away())
        watch.look(at: later)
        watch.stopped("Keeping", reason: "it is broken")
        watch.stopped("Keeping", reason: "it is broken still")
        outage.ended()
        #expect(watched.alarms.withLock { $0.map(\.isFinal) } == [false, true])
        #expect(watched.ends.withLock { $0 }.isEmpty)
        #expect(watch.hasStopped("Keeping") && !watch.hasStopped("Reading"))
    }

    @Test(
        "PostgreSQL's classes say whose fault it is",
        arguments: [
            ("22021", FaultCause.record), ("22003", .record), ("23505", .record),
            ("54000", .record), ("08006", .world), ("40001", .world), ("40P01", .world),
            ("53100", .world), ("55P03", .world), ("57014", .world), ("57P01", .world),
            ("58030", .world), ("25006", .world), ("42703", .ours), ("42P01", .ours),
            ("XX000", .ours), ("0A000", .ours), ("", .ours), ("28P01", .ours),
        ])
    func causes(state: String, cause: FaultCause) {
        #expect(FaultCause(PostgresError(sqlState: state, reason: "")) == cause)
    }

    @Test("A lost connection, the log's faults and a stop are no record's; one too large is")
    func otherCauses() {
        let lost = PostgresError(sqlState: "", reason: "", isConnectionLost: true)
        #expect(FaultCause(lost) == .world)
        #expect(FaultCause(EventLogError(.unavailable, "")) == .world)
        #expect(FaultCause(EventLogError(.fenced, "")) == .world)
        #expect(FaultCause(EventLogError(.tooLarge, "")) == .record)
        #expect(FaultCause(EventLogError(.partitionMismatch, "")) == .ours)
        #expect(FaultCause(CancellationError()) == .world)
        #expect(FaultCause(Away()) == .ours)
    }
}
