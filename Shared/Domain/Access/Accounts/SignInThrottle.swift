/// Slows down people who guess passwords. Pure: the time is an argument.
///
/// An account is never locked, or anybody could lock its owner out. After a few failures each
/// further attempt must wait longer, from any address. An address with many failures is locked for
/// a while.
public struct SignInThrottle: Sendable {
    /// The reason why an attempt is refused before its password is checked.
    public struct Refusal: Error, Hashable, Sendable {
        public enum Reason: Hashable, Sendable { case account, address }
        public var reason: Reason
        public var secondsToWait: Int
    }

    /// Failures in a row after which the next attempt need not wait.
    public static let freeFailures = 5
    /// The wait after the sixth failure; it doubles with each further one.
    static let firstWaitSeconds = 1.0
    static let longestWaitSeconds = 60.0
    /// Failures of one address within the window that lock it.
    public static let addressFailures = 50
    static let addressWindowSeconds = 900.0
    /// The most accounts, and the most addresses, that are remembered. Beyond it the oldest are
    /// removed.
    public static let maximumEntries = 100_000

    private struct Tries: Sendable {
        var failures = 0
        var lastAt = 0.0
    }

    private var byAccount: [String: Tries] = [:]
    private var byAddress: [String: Tries] = [:]

    public init() {}

    /// The refusal of an attempt, to be asked for before its password is checked; nil if it may go
    /// on.
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

    /// How long an account must wait after `count` failures in a row.
    static func waitSeconds(afterFailures count: Int) -> Double {
        guard count > freeFailures else { return 0 }
        // Twelve doublings already exceed the longest wait.
        let doublings = min(count - freeFailures - 1, 12)
        return min(longestWaitSeconds, firstWaitSeconds * Double(1 << doublings))
    }

    /// Counts an attempt as a failure. Called before the password is checked.
    public mutating func failed(account: String, address: String, now: Double) {
        Self.note(&byAccount, account, now: now, forgettingAfter: .infinity)
        Self.note(&byAddress, address, now: now, forgettingAfter: Self.addressWindowSeconds)
    }

    /// Clears the account's failures after a right password. The address only loses the failure
    /// that this attempt was counted as: an attacker may own one account there.
    public mutating func succeeded(account: String, address: String) {
        byAccount[account] = nil
        Self.removeFailure(&byAddress, address)
    }

    /// Removes a counted failure, since its password was never checked.
    public mutating func unjudged(account: String, address: String) {
        Self.removeFailure(&byAccount, account)
        Self.removeFailure(&byAddress, address)
    }

    private static func removeFailure(_ tries: inout [String: Tries], _ key: String) {
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
