import Events
import HTTP
import ServiceHost
import Synchronization

/// The taps that each sender may still send, beside the quota that it has for everything.
///
/// Anybody can begin many sessions without an account, so their taps also count by address. Each
/// process counts by itself, and begins anew when it starts.
final class TapQuotas: Sendable {
    /// The most taps at a time, or in a minute, and in a day.
    struct Limit: Hashable, Sendable {
        var ofMinute: Double
        var ofDay: Double

        fileprivate var inWords: String { "\(Int(ofMinute)) taps a minute and \(Int(ofDay)) a day" }
    }

    /// More than somebody says who walks from room to room.
    static let ofSender = Limit(ofMinute: 6, ofDay: 100)
    /// Some visitors may share an address.
    static let ofAddress = Limit(ofMinute: 60, ofDay: 1_000)
    /// Both limits, for people.
    static let limits =
        "\(ofSender.inWords); senders without an account, \(ofAddress.inWords) from one address"
    /// Above this number those with a full quota are forgotten, and then all.
    static let mostSenders = 50_000

    private struct Buckets {
        var minute: TokenBucket
        var day: TokenBucket

        init(_ limit: Limit, _ now: Int64) {
            minute = TokenBucket(
                perSecond: limit.ofMinute / 60, burst: limit.ofMinute, nowNanoseconds: now)
            day = TokenBucket(
                perSecond: limit.ofDay / 86_400, burst: limit.ofDay, nowNanoseconds: now)
        }

        /// Spends one tap. Returns nil, or the seconds until there is one.
        mutating func spend(_ now: Int64) -> Int? {
            for bucket in [minute, day] where bucket.left(at: now) < 1 {
                return bucket.secondsToWait(for: 1, at: now)
            }
            _ = minute.spend(1, at: now)
            _ = day.spend(1, at: now)
            return nil
        }

        func isFull(_ now: Int64) -> Bool { minute.isFull(at: now) && day.isFull(at: now) }
    }

    private let mostSenders: Int
    private let senders = Mutex<[String: Buckets]>([:])

    init(mostSenders: Int = TapQuotas.mostSenders) { self.mostSenders = mostSenders }

    /// Spends one tap of the caller's. Returns nil, or the seconds to wait.
    ///
    /// - Parameter address: counts for visitors without an account.
    func secondsToWait(_ caller: Caller, _ address: String, at moment: Timestamp) -> Int? {
        // Times of arrival are of this century, and fit.
        let now = moment.microseconds &* 1_000
        if let seconds = spend("caller/" + caller.id, Self.ofSender, now) { return seconds }
        guard caller.countsByAddress else { return nil }
        return spend("address/" + address, Self.ofAddress, now)
    }

    private func spend(_ sender: String, _ limit: Limit, _ now: Int64) -> Int? {
        senders.withLock { senders in
            if senders[sender] == nil, senders.count >= mostSenders { forget(&senders, now) }
            var buckets = senders[sender] ?? Buckets(limit, now)
            defer { senders[sender] = buckets }
            return buckets.spend(now)
        }
    }

    private func forget(_ senders: inout [String: Buckets], _ now: Int64) {
        senders = senders.filter { !$0.value.isFull(now) }
        // At least a tenth is removed at once, so that the search is rare.
        if senders.count >= mostSenders * 9 / 10 { senders.removeAll(keepingCapacity: true) }
    }
}
