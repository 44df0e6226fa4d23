import Events
import HTTP
import ServiceHost
import Wire

/// How often shares are begun, renewed and looked at. Each process counts by itself, and begins
/// anew when it starts.
final class ShareQuotas: Sendable {
    typealias Limit = SenderBuckets.Limit

    enum Work: String, Hashable, Sendable {
        case begin, put, look

        var ofSession: Limit {
            switch self {
            case .begin: Limit(perSecond: 1.0 / 60, burst: 10)
            case .put: Limit(perSecond: 1, burst: 10)
            case .look: Limit(perSecond: 2, burst: 20)
            }
        }

        /// Anybody can begin many sessions, so their address counts, too: generously, since a
        /// campus may have one.
        var ofAddress: Limit {
            switch self {
            case .begin: Limit(perSecond: 300.0 / 3_600, burst: 300)
            case .put: Limit(perSecond: 100, burst: 1_000)
            case .look: Limit(perSecond: 200, burst: 1_000)
            }
        }
    }

    private let buckets = SenderBuckets()

    /// - Throws: a `Problem` with Retry-After where the caller or its address has none left.
    func spend(_ work: Work, _ request: HTTPRequest, at moment: Timestamp) throws(Problem) {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let seconds = buckets.secondsToWait(
            for: caller, at: request.senderText, work: work.rawValue, ofCaller: [work.ofSession],
            ofAddress: [work.ofAddress], moment: moment)
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded, "That is too often for shared positions: wait.",
            retryAfterSeconds: seconds)
    }
}
