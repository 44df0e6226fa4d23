import Events
import HTTP
import ServiceHost
import Wire

/// The questions that visitors without an account may still ask. Each costs computing, and stores
/// nothing.
///
/// A session asks as often as a phone scans. Anybody can begin many sessions, so their address
/// counts, too, generously: a campus may have one. Each process counts by itself, and begins anew
/// when it starts.
final class QuestionQuotas: Sendable {
    static let ofSession = SenderBuckets.Limit(perSecond: 2, burst: 20)
    static let ofAddress = SenderBuckets.Limit(perSecond: 200, burst: 1_000)

    private let buckets: SenderBuckets

    init(mostSenders: Int = SenderBuckets.mostSenders) {
        buckets = SenderBuckets(most: mostSenders)
    }

    /// Spends one question of the caller's.
    ///
    /// - Throws: a `Problem` with Retry-After where the session or its address has none left.
    func spend(_ request: HTTPRequest, at moment: Timestamp) throws(Problem) {
        guard let caller = request.caller, caller.countsByAddress else { return }
        let seconds = buckets.secondsToWait(
            for: caller, at: request.senderText, ofCaller: [Self.ofSession],
            ofAddress: [Self.ofAddress], moment: moment)
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded,
            "Without an account you may ask \(Int(Self.ofSession.perSecond)) times a second.",
            retryAfterSeconds: seconds)
    }
}
