import ServiceRuntime
import Testing

@Suite("Backoff") struct BackoffTests {
    @Test("Waits double up to the maximum, and lie in the upper half", arguments: 0..<20)
    func growth(seed: UInt64) {
        var generator = Counting(state: seed &* 0x9E37_79B9_7F4A_7C15)
        var backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(3))
        for attempt in 0..<100 {
            let whole = min(0.1 * Double(1 << min(attempt, 20)), 3)
            let wait = backoff.next(using: &generator) / .seconds(1)
            #expect(wait >= whole / 2 - 1e-9 && wait <= whole + 1e-9)
        }
        backoff.reset()
        #expect(backoff.next(using: &generator) <= .milliseconds(100))
    }

    struct Counting: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return state
        }
    }
}
