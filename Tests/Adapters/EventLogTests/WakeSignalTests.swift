import SeededRandomness
import Testing

@testable import PostgresLog

@Suite("A wake-up signal")
struct WakeSignalTests {
    @Test("ends each wait in time, however close a wake-up comes to the end of its time")
    func limits() async throws {
        let signal = WakeSignal()
        let ended = Shared(0)
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
                // The first wait ends one that was woken after its time; nothing wakes the second.
                await signal.wait(for: .milliseconds(1))
                await signal.wait(for: .milliseconds(1))
                ended.change { $0 += 1 }
            }
        }
        let watchdog = Task {
            var before = -1
            // A busy machine needs long for all waits, but not for one.
            while ended.read(\.self) != before {
                before = ended.read(\.self)
                try await Task.sleep(for: .seconds(60))
            }
            Issue.record("a wait of 1 ms did not end")
            // This ends the hanging wait, so that the test ends too.
            waiting.cancel()
        }
        await waiting.value
        watchdog.cancel()
    }

    @Test("keeps a wake-up that comes before a wait, and ends a cancelled wait")
    func keptAndCancelled() async {
        let signal = WakeSignal()
        signal.wake()
        await signal.wait(for: .seconds(3_600))
        let waiting = Task { await signal.wait(for: .seconds(3_600)) }
        waiting.cancel()
        await waiting.value
    }
}
