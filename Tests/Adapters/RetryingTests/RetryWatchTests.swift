import Retrying
import Synchronization
import Testing

@Suite struct RetryWatchTests {
    private struct Away: Error {}

    /// A watch with the alarms that it raised.
    private final class Watched: Sendable {
        let alarms = Mutex<[RetryWatch.Alarm]>([])
        let ends = Mutex<[String]>([])
        var watch: RetryWatch {
            RetryWatch(
                onAlarm: { alarm in self.alarms.withLock { $0.append(alarm) } },
                onEnd: { work in self.ends.withLock { $0.append(work) } })
        }
    }

    /// A time after the watch's patience, counted from now.
    private var later: ContinuousClock.Instant { .now + .seconds(31) }

    private func notices(_ watch: RetryWatch) -> Notices {
        Notices(onUnexpected: { _ in }, onRecovery: { _ in }, watch: watch)
    }

    @Test(
        "Work that fails for longer than half a minute is one alarm, which ends when it works again"
    )
    func alarm() {
        let watched = Watched()
        let watch = watched.watch
        var retry = Retry(of: "Reading", notices: notices(watch), isWatched: true)
        retry.failed(Away())
        watch.look(at: .now + .seconds(29))
        #expect(watched.alarms.withLock { $0 }.isEmpty)
        watch.look(at: later)
        retry.failed(Away())
        watch.look(at: later + .seconds(60))
        #expect(watched.alarms.withLock { $0.map(\.work) } == ["Reading"])
        #expect(watched.ends.withLock { $0 }.isEmpty)
        retry.ended()
        #expect(watched.ends.withLock { $0 } == ["Reading"])
        watch.look(at: later + .seconds(90))
        #expect(watched.alarms.withLock { $0.count } == 1)
    }

    @Test("Several failures of the same work make one alarm, until the last of them is over")
    func several() {
        let watched = Watched()
        let watch = watched.watch
        var retries = (0..<3).map { _ in
            Retry(of: "Working", notices: notices(watch), isWatched: true)
        }
        for index in retries.indices { retries[index].failed(Away()) }
        watch.look(at: later)
        #expect(watched.alarms.withLock { $0.count } == 1)
        retries[0].ended()
        retries[1].forgotten()
        #expect(watched.ends.withLock { $0 }.isEmpty)
        retries[2].ended()
        #expect(watched.ends.withLock { $0 } == ["Working"])
    }

    @Test("An attempt that hangs raises an alarm too; a route tried once does not")
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
        var route = Retry(of: "GET /", notices: notices(watch))
        route.failed(Away())
        watch.look(at: later)
        #expect(watched.alarms.withLock { $0.map(\.work) } == ["Hanging"])
        running.cancel()
        await running.value
        #expect(watched.ends.withLock { $0 } == ["Hanging"])
    }

    @Test("Work that has stopped for good keeps its alarm, which is raised once")
    func stopped() {
        let watched = Watched()
        let watch = watched.watch
        var retry = Retry(of: "Keeping", notices: notices(watch), isWatched: true)
        retry.failed(Away())
        watch.look(at: later)
        watch.stopped("Keeping", reason: "it is broken")
        watch.stopped("Keeping", reason: "it is broken still")
        retry.ended()
        #expect(watched.alarms.withLock { $0.map(\.isFinal) } == [false, true])
        #expect(watched.ends.withLock { $0 }.isEmpty)
        #expect(watch.hasStopped("Keeping") && !watch.hasStopped("Reading"))
    }
}
