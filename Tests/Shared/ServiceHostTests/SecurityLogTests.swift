import Access
import Events
import HTTP
import ServiceRuntime
import Synchronization
import Testing

@testable import ServiceHost

@Suite struct SecurityLogTests {
    /// A clock that the test sets.
    private final class HandClock: TimeSource {
        private let now = Atomic<Int64>(1_795_248_000_000_000)
        var nowMicroseconds: Int64 { now.load(ordering: .relaxed) }
        var monotonicNanoseconds: Int64 { nowMicroseconds * 1_000 }
        func pass(seconds: Int64) { now.add(seconds * 1_000_000, ordering: .relaxed) }
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        var count: Int { all.withLock { $0.count } }
    }

    @Test("Each action is one line; repetitions within a minute are counted and not written")
    func lines() {
        let (clock, lines) = (HandClock(), Lines())
        let log = SecurityLog(time: clock) { line in lines.all.withLock { $0.append(line) } }
        let caller = Caller(
            id: "token-7", grants: [Grant(.administrator)],
            account: AccountID("0193b2a4-7c3e-7a10-8000-00000000abcd"))
        for _ in 0..<50 { log.note(.tokenIssued, by: caller, ["token": "t"]) }
        #expect(lines.count == 1)
        log.note(.tokenIssued, by: caller, ["token": "other"])
        #expect(lines.count == 2)
        clock.pass(seconds: 61)
        log.note(.tokenIssued, by: caller, ["token": "t"])
        let last = lines.all.withLock { $0.last ?? "" }
        for part in [
            "token-7", "0193b2a4-7c3e-7a10-8000-00000000abcd", "\"leftOut\":49", "token issued",
        ] {
            #expect(last.contains(part), "\(last)")
        }
    }

    @Test("Each kind of line has a name of its own, and a sign-in names the account")
    func kinds() {
        #expect(Set(SecurityEvent.allCases.map(\.cause)).count == SecurityEvent.allCases.count)
        let lines = Lines()
        let log = SecurityLog(time: HandClock()) { line in lines.all.withLock { $0.append(line) } }
        let account = AccountID("0193b2a4-7c3e-7a10-8000-00000000abcd")
        if let account { log.note(.signedIn, by: account, ["way": "password"]) }
        let line = lines.all.withLock { $0.last ?? "" }
        #expect(line.contains("\"caller\":\"account/0193b2a4-7c3e-7a10-8000-00000000abcd\""))
        #expect(line.contains("\"message\":\"signed in\""))
    }

    @Test("Wrong tokens from many addresses can't fill the disk")
    func flood() {
        let (clock, lines) = (HandClock(), Lines())
        let log = SecurityLog(time: clock) { line in lines.all.withLock { $0.append(line) } }
        for number in 0..<20_000 {
            log.note(
                RefusedRequest(
                    method: "GET", pattern: "/v1/sites", code: "token-wrong", principal: nil,
                    remoteAddress: "address-\(number)"))
        }
        #expect(lines.count <= 601)
        #expect(lines.count > 500)
    }
}
