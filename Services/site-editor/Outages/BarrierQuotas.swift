import Events
import HTTP
import ServiceHost
import Wire

/// The barriers that each sender may still report, or say to be gone.
///
/// Anybody can begin many sessions without an account, so both also count by address. Reports do so
/// generously: a campus may have one. One denial undoes a report, so few are granted. Each process
/// counts by itself, and begins anew when it starts. The limits of `BarrierCounts` are stored.
final class BarrierQuotas: Sendable {
    enum Work: String, Sendable {
        case report, deny

        /// The limit of each address, for this work alone.
        var ofAddress: SenderBuckets.Limit {
            switch self {
            case .report: limit(atOnce: 100, ofDay: 1_000)
            case .deny: limit(atOnce: 10, ofDay: 50)
            }
        }
    }

    /// More than somebody meets on a walk, reports and denials together.
    static let ofSender = limit(atOnce: 6, ofDay: 30)

    private let buckets = SenderBuckets()

    /// Spends one report or denial of the caller's.
    ///
    /// - Throws: a `Problem` with Retry-After where the caller or their address has none left.
    func spend(
        _ work: Work, _ caller: Caller, _ address: String, at moment: Timestamp
    ) throws(Problem) {
        let seconds = buckets.secondsToWait(
            SenderBuckets.Sender(caller.id, [Self.ofSender]),
            address: caller.countsByAddress
                ? SenderBuckets.Sender("\(work.rawValue) \(address)", [work.ofAddress]) : nil,
            nowNanoseconds: moment.microseconds &* 1_000)
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded,
            "You may report or deny \(Self.ofSender.ofDay) barriers a day, and "
                + "\(Int(Self.ofSender.burst)) at once. All visitors at your address may "
                + "\(work.rawValue) \(work.ofAddress.ofDay) a day.",
            retryAfterSeconds: seconds)
    }
}

private func limit(atOnce: Double, ofDay: Double) -> SenderBuckets.Limit {
    SenderBuckets.Limit(perSecond: ofDay / 86_400, burst: atOnce)
}

extension SenderBuckets.Limit {
    fileprivate var ofDay: Int { Int((perSecond * 86_400).rounded()) }
}
