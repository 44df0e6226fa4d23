import Events
import HTTP
import ServiceHost
import Wire

/// The barriers that each sender may still report.
///
/// Anybody can begin many sessions without an account, so their reports also count by address,
/// generously: a campus may have one. Each process counts by itself, and begins anew when it
/// starts. The limits of `BarrierCounts` are stored.
final class BarrierQuotas: Sendable {
    /// More than somebody meets on a walk.
    static let ofSender = limit(atOnce: 6, ofDay: 30)
    static let ofAddress = limit(atOnce: 100, ofDay: 1_000)

    private let buckets = SenderBuckets()

    private static func limit(atOnce: Double, ofDay: Double) -> SenderBuckets.Limit {
        SenderBuckets.Limit(perSecond: ofDay / 86_400, burst: atOnce)
    }

    /// Spends one report of the caller's.
    ///
    /// - Throws: a `Problem` with Retry-After where the caller or their address has none left.
    func spend(_ caller: Caller, _ address: String, at moment: Timestamp) throws(Problem) {
        let seconds = buckets.secondsToWait(
            for: caller, at: address, ofCaller: [Self.ofSender], ofAddress: [Self.ofAddress],
            moment: moment)
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded,
            "You may report \(Int((Self.ofSender.perSecond * 86_400).rounded())) barriers a day, "
                + "and \(Int(Self.ofSender.burst)) at once.",
            retryAfterSeconds: seconds)
    }
}
