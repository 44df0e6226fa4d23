import Retrying
import TestSupport
import Testing

@Suite struct RetryTests {
    private struct Away: Error {}
    private struct Final: Error {}

    @Test("Each failure and each recovery is reported once, however many attempts lie between")
    func onceEach() async {
        let told = Told()
        var failures = 3
        await attemptUntilDone("Asking", notices: told.notices) { retry in
            if failures > 0 {
                failures -= 1
                throw Away()
            }
            retry.ended()
            retry.ended()
            retry.failed(Away())
            retry.failed(Away())
        }
        #expect(told.unexpected.count == 2)
        #expect(told.recoveries == ["Asking works again.", "Asking works again."])
    }

    @Test("Pauses double up to five seconds, and are short again after success")
    func pauses() {
        var retry = Retry(of: "Asking", notices: .unheard)
        let pauses = (0..<8).map { _ in retry.failed(Away()) }
        #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        retry.ended()
        #expect(retry.failed(Away()) == .milliseconds(100))
    }

    @Test("An error that no retry can help is thrown and not reported")
    func final() async {
        let told = Told()
        await #expect(throws: Final.self) {
            let stopAtFinal = { (error: any Error) throws(Final) in
                if let error = error as? Final { throw error }
            }
            try await attemptUntilDone(
                "Asking", notices: told.notices, throwIfFinal: stopAtFinal
            ) { _ in throw Final() }
        }
        #expect(told.unexpected.isEmpty)
    }

    @Test("A stop during a failure ends the attempts and reports no recovery")
    func stopped() async {
        let told = Told()
        let running = Task {
            await attemptUntilDone("Asking", notices: told.notices) { _ in throw Away() }
        }
        while told.unexpected.isEmpty { await Task.yield() }
        running.cancel()
        await running.value
        #expect(told.recoveries.isEmpty)
    }
}

@Suite struct GrowingPauseTests {
    @Test("Jitter shortens a pause by at most a half, and the longest pause is the limit")
    func jitter() {
        var pause = GrowingPause(from: .milliseconds(50), to: .milliseconds(400))
        for whole in [50, 100, 200, 400, 400, 400] {
            let jittered = pause.nextWithJitter()
            #expect(jittered <= .milliseconds(whole) && jittered >= .milliseconds(whole) / 2)
        }
        for _ in 0..<100 { #expect(pause.next() == .milliseconds(400)) }
        pause.reset()
        #expect(pause.next() == .milliseconds(50))
    }
}
