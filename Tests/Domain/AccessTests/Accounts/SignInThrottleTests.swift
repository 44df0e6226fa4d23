import Testing

@testable import Access

@Suite struct SignInThrottleTests {
    @Test(
        "Five wrong passwords cost no wait, each further one twice the last wait")
    func doubling() {
        var throttle = SignInThrottle()
        var now = 1_000.0
        for _ in 0..<SignInThrottle.freeFailures {
            #expect(throttle.refusal(account: "anna", address: "a", now: now) == nil)
            throttle.failed(account: "anna", address: "a", now: now)
        }
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(throttle.refusal(account: "anna", address: "a", now: now) == nil)
            throttle.failed(account: "anna", address: "a", now: now)
            let refusal = throttle.refusal(account: "anna", address: "b", now: now)
            #expect(refusal == .init(reason: .account, secondsToWait: wait))
            now += Double(wait)
        }
    }

    @Test("Nobody can lock another's account: the wait is a minute at most")
    func neverLocked() {
        var throttle = SignInThrottle()
        for step in 0..<10_000 {
            throttle.failed(account: "anna", address: "\(step)", now: Double(step) / 100)
        }
        #expect(throttle.refusal(account: "anna", address: "home", now: 100)?.secondsToWait == 60)
        #expect(throttle.refusal(account: "anna", address: "home", now: 160) == nil)
    }

    @Test("An address that fails with many accounts is locked, and others are not")
    func address() {
        var throttle = SignInThrottle()
        for step in 0..<SignInThrottle.addressFailures {
            throttle.failed(account: "account\(step)", address: "bad", now: 10)
        }
        let refusal = throttle.refusal(account: "anna", address: "bad", now: 20)
        #expect(refusal == .init(reason: .address, secondsToWait: 890))
        #expect(throttle.refusal(account: "anna", address: "good", now: 20) == nil)
        #expect(throttle.refusal(account: "anna", address: "bad", now: 911) == nil)
    }

    @Test("A right password clears the account's failures and keeps those of the address")
    func success() {
        var throttle = SignInThrottle()
        for _ in 0..<SignInThrottle.addressFailures - 1 {
            throttle.failed(account: "anna", address: "a", now: 0)
        }
        // Every attempt is counted as a failure until its password is checked.
        throttle.failed(account: "anna", address: "a", now: 0)
        throttle.succeeded(account: "anna", address: "a")
        #expect(throttle.refusal(account: "anna", address: "a", now: 0) == nil)
        throttle.failed(account: "bob", address: "a", now: 0)
        #expect(throttle.refusal(account: "anna", address: "a", now: 0)?.reason == .address)
    }

    @Test("An unchecked attempt does not count, and simultaneous attempts wait like others")
    func together() {
        var throttle = SignInThrottle()
        var passed = 0
        for _ in 0..<22 where throttle.refusal(account: "anna", address: "a", now: 0) == nil {
            throttle.failed(account: "anna", address: "a", now: 0)
            passed += 1
        }
        #expect(passed == SignInThrottle.freeFailures + 1)
        for _ in 0..<passed { throttle.unjudged(account: "anna", address: "a") }
        #expect(throttle.refusal(account: "anna", address: "a", now: 0) == nil)
    }

    @Test("Attempts for made-up accounts can't fill the memory")
    func bounded() {
        var throttle = SignInThrottle()
        for step in 0..<SignInThrottle.maximumEntries + 10 {
            throttle.failed(account: "\(step)", address: "\(step)", now: Double(step))
        }
        // The newest account is still remembered.
        let last = "\(SignInThrottle.maximumEntries + 9)"
        for _ in 0..<6 { throttle.failed(account: last, address: "x", now: 200_000) }
        #expect(throttle.refusal(account: last, address: "y", now: 200_000) != nil)
    }
}
