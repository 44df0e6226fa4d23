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

    @Test("A failure of a start is reported only if it lasts, and its alarm is not late")
    func atStart() {
        let (told, early, alarms) = (Told(), Told(), Told())
        let start = ContinuousClock.now
        let watch = RetryWatch(
            onAlarm: { alarms.notices.onUnexpected($0.work) }, onEnd: alarms.notices.onRecovery)
        let notices = Notices(
            onUnexpected: told.notices.onUnexpected, onRecovery: told.notices.onRecovery,
            watch: watch, start: StartPhase(from: start, onFailure: early.notices.onUnexpected))
        var brief = Retry(of: "Asking", notices: notices)
        brief.failed(Away(), at: start)
        brief.failed(Away(), at: start + .seconds(9))
        brief.ended()
        #expect(told.unexpected.isEmpty && told.recoveries.isEmpty)
        #expect(early.unexpected.count == 2)
        brief.failed(Away(), at: start + .seconds(11))
        #expect(told.unexpected.count == 1)

        var lasting = Retry(of: "Reading", notices: notices, isWatched: true)
        lasting.failed(Away(), at: start + .seconds(1))
        watch.look(at: start + .seconds(40))
        #expect(alarms.unexpected == ["Reading"])
        lasting.failed(Away(), at: start + .seconds(12))
        lasting.failed(Away(), at: start + .seconds(17))
        lasting.ended()
        #expect(told.unexpected.last?.hasPrefix("Reading fails for now") == true)
        #expect(told.unexpected.count == 2 && told.recoveries == ["Reading works again."])
        #expect(alarms.recoveries == ["Reading"])
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
