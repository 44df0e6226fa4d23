/// Slows those down who guess passwords. Pure: the moment is an argument.
///
/// An account is never locked, or anybody could keep its owner out: after a few failures each
/// further try has to wait longer, whoever makes it. An address that fails on and on is locked for
/// a while.
public struct SignInThrottle: Sendable {
    /// Why a try is not even looked at.
    public struct Refusal: Error, Hashable, Sendable {
        public enum Reason: Hashable, Sendable { case account, address }
        public var reason: Reason
        public var secondsToWait: Int
    }

    /// Failures in a row that cost nothing but themselves.
    public static let freeFailures = 5
    /// The wait after the sixth failure; it doubles with each further one.
    static let firstWaitSeconds = 1.0
    static let longestWaitSeconds = 60.0
    /// Failures of one address within the window that lock it.
    public static let addressFailures = 50
    static let addressWindowSeconds = 900.0
    /// More accounts and addresses than this are not told apart: the oldest are forgotten first.
    public static let maximumEntries = 100_000

    private struct Tries: Sendable {
        var failures = 0
        var lastAt = 0.0
    }

    private var byAccount: [String: Tries] = [:]
    private var byAddress: [String: Tries] = [:]

    public init() {}

    /// Asks before a password is looked at; nil when it may be.
    public func refusal(account: String, address: String, now: Double) -> Refusal? {
        if let tries = byAddress[address], tries.failures >= Self.addressFailures {
            let left = tries.lastAt + Self.addressWindowSeconds - now
            if left > 0 { return Refusal(reason: .address, secondsToWait: Self.whole(left)) }
        }
        if let tries = byAccount[account], tries.failures > Self.freeFailures {
            let left = tries.lastAt + Self.waitSeconds(afterFailures: tries.failures) - now
            if left > 0 { return Refusal(reason: .account, secondsToWait: Self.whole(left)) }
        }
        return nil
    }

    /// How long an account waits after so many failures in a row.
    static func waitSeconds(afterFailures count: Int) -> Double {
        guard count > freeFailures else { return 0 }
        // Twelve doublings are far beyond the longest wait.
        let doublings = min(count - freeFailures - 1, 12)
        return min(longestWaitSeconds, firstWaitSeconds * Double(1 << doublings))
    }

    /// Notes that a password was wrong.
    public mutating func failed(account: String, address: String, now: Double) {
        Self.note(&byAccount, account, now: now, forgettingAfter: .infinity)
        Self.note(&byAddress, address, now: now, forgettingAfter: Self.addressWindowSeconds)
    }

    /// Notes that a try that was noted as wrong was right. The address keeps its other failures: it
    /// may own one good account.
    public mutating func succeeded(account: String, address: String) {
        byAccount[account] = nil
        Self.takeBack(&byAddress, address)
    }

    /// Notes that a try that was noted as wrong was not looked at.
    public mutating func unjudged(account: String, address: String) {
        Self.takeBack(&byAccount, account)
        Self.takeBack(&byAddress, address)
    }

    private static func takeBack(_ tries: inout [String: Tries], _ key: String) {
        guard let entry = tries[key] else { return }
        tries[key]?.failures = max(0, entry.failures - 1)
    }

    private static func note(
        _ tries: inout [String: Tries], _ key: String, now: Double, forgettingAfter window: Double
    ) {
        if tries[key] == nil, tries.count >= maximumEntries { forgetOldest(&tries) }
        var entry = tries[key] ?? Tries()
        if now - entry.lastAt > window { entry.failures = 0 }
        entry.failures = min(entry.failures + 1, 1_000_000)
        entry.lastAt = now
        tries[key] = entry
    }

    private static func forgetOldest(_ tries: inout [String: Tries]) {
        let times = tries.values.map(\.lastAt).sorted()
        let middle = times[times.count / 2]
        tries = tries.filter { $0.value.lastAt > middle }
    }

    private static func whole(_ seconds: Double) -> Int { max(1, Int(seconds.rounded(.up))) }
}
