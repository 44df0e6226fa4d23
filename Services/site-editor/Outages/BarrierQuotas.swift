import Events
import HTTP
import ServiceHost
import Synchronization
import Wire

/// The barriers that each sender may still report.
///
/// Anybody can begin many sessions without an account, so their reports also count by address,
/// generously: a campus may have one. Each process counts by itself, and begins anew when it
/// starts. The limits of `BarrierCounts` are stored.
final class BarrierQuotas: Sendable {
    /// The most reports at once, and in a day.
    struct Limit: Hashable, Sendable {
        var atOnce: Double
        var ofDay: Double
    }

    /// More than somebody meets on a walk.
    static let ofSender = Limit(atOnce: 6, ofDay: 30)
    static let ofAddress = Limit(atOnce: 100, ofDay: 1_000)
    /// Above this number those with a full quota are forgotten, and then all.
    static let mostSenders = 50_000

    private let mostSenders: Int
    private let senders = Mutex<[String: TokenBucket]>([:])

    init(mostSenders: Int = BarrierQuotas.mostSenders) { self.mostSenders = mostSenders }

    /// Spends one report of the caller's.
    ///
    /// - Throws: a `Problem` with Retry-After where the caller or their address has none left.
    func spend(_ caller: Caller, _ address: String, at moment: Timestamp) throws(Problem) {
        let now = moment.microseconds &* 1_000
        let seconds = senders.withLock { senders in
            spend("caller/" + caller.id, Self.ofSender, now, &senders)
                ?? (caller.countsByAddress
                    ? spend("address/" + address, Self.ofAddress, now, &senders) : nil)
        }
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded,
            "You may report \(Int(Self.ofSender.ofDay)) barriers a day, and "
                + "\(Int(Self.ofSender.atOnce)) at once.",
            retryAfterSeconds: seconds)
    }

    private func spend(
        _ sender: String, _ limit: Limit, _ now: Int64, _ senders: inout [String: TokenBucket]
    ) -> Int? {
        if senders[sender] == nil, senders.count >= mostSenders {
            senders = senders.filter { !$0.value.isFull(at: now) }
            // At least a tenth is removed at once, so that the search is rare.
            if senders.count >= mostSenders * 9 / 10 { senders.removeAll(keepingCapacity: true) }
        }
        var bucket =
            senders[sender]
            ?? TokenBucket(
                perSecond: limit.ofDay / 86_400, burst: limit.atOnce, nowNanoseconds: now)
        defer { senders[sender] = bucket }
        return bucket.spend(1, at: now) ? nil : bucket.secondsToWait(for: 1, at: now)
    }
}
