import Events
import HTTP
import ServiceHost
import Synchronization
import Wire

/// How often shares are begun, renewed and looked at. Each process counts by itself, and begins
/// anew when it starts.
final class ShareQuotas: Sendable {
    struct Limit: Hashable, Sendable {
        var perSecond: Double
        var burst: Double
    }

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

    /// Above this number those with a full quota are forgotten, and then all.
    static let mostSenders = 50_000

    private let senders = Mutex<[String: TokenBucket]>([:])

    /// - Throws: a `Problem` with Retry-After where the caller or its address has none left.
    func spend(_ work: Work, _ request: HTTPRequest, at moment: Timestamp) throws(Problem) {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let now = moment.microseconds &* 1_000
        let seconds = senders.withLock { senders -> Int? in
            if let seconds = Self.spend("\(work) \(caller.id)", work.ofSession, now, &senders) {
                return seconds
            }
            guard caller.countsByAddress else { return nil }
            return Self.spend(
                "\(work) address \(request.senderText)", work.ofAddress, now, &senders)
        }
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded, "That is too often for shared positions: wait.",
            retryAfterSeconds: seconds)
    }

    private static func spend(
        _ sender: String, _ limit: Limit, _ now: Int64, _ senders: inout [String: TokenBucket]
    ) -> Int? {
        if senders[sender] == nil, senders.count >= mostSenders {
            senders = senders.filter { !$0.value.isFull(at: now) }
            // At least a tenth is removed at once, so that the search is rare.
            if senders.count >= mostSenders * 9 / 10 { senders.removeAll(keepingCapacity: true) }
        }
        var bucket =
            senders[sender]
            ?? TokenBucket(perSecond: limit.perSecond, burst: limit.burst, nowNanoseconds: now)
        defer { senders[sender] = bucket }
        return bucket.spend(1, at: now) ? nil : bucket.secondsToWait(for: 1, at: now)
    }
}
