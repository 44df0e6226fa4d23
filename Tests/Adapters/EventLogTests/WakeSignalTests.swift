import SeededRandomness
import Testing

@testable import PostgresLog

@Suite("A wake-up signal")
struct WakeSignalTests {
    @Test("lets no wait outlast its time, however wake-ups and the end of its time fall together")
    func limits() async throws {
        let signal = WakeSignal()
        let waiting = Task {
            var random = SeededRandom(seed: 1)
            for _ in 0..<2_000 where !Task.isCancelled {
                let moment = Duration.microseconds(Int.random(in: 900...1_100, using: &random))
                let start = ContinuousClock.now
                let waking = Task.detached {
                    while .now - start < moment {}
                    signal.wake()
                }
                await signal.wait(for: .milliseconds(1))
                await waking.value
                // The first ends one that was woken after its time; the second nobody wakes.
                await signal.wait(for: .milliseconds(1))
                await signal.wait(for: .milliseconds(1))
            }
        }
        let watchdog = Task {
            try await Task.sleep(for: .seconds(60))
            Issue.record("a wait of 1 ms did not end")
            // Ends the wait that hangs, so that the test ends too.
            waiting.cancel()
        }
        await waiting.value
        watchdog.cancel()
    }

    @Test("keeps a wake-up that comes while nobody waits, and ends a wait that is cancelled")
    func keptAndCancelled() async {
        let signal = WakeSignal()
        signal.wake()
        await signal.wait(for: .seconds(3_600))
        let waiting = Task { await signal.wait(for: .seconds(3_600)) }
        waiting.cancel()
        await waiting.value
    }
}
