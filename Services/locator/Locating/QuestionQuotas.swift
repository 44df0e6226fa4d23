import Events
import HTTP
import ServiceHost
import Synchronization
import Wire

/// The questions that visitors without an account may still ask. Each costs computing, and stores
/// nothing.
///
/// A session asks as often as a phone scans. Anybody can begin many sessions, so their address
/// counts, too, generously: a campus may have one. Each process counts by itself, and begins anew
/// when it starts.
final class QuestionQuotas: Sendable {
    static let ofSession = (perSecond: 2.0, burst: 20.0)
    static let ofAddress = (perSecond: 200.0, burst: 1_000.0)
    /// Above this number those with a full quota are forgotten, and then all.
    static let mostSenders = 50_000

    private let mostSenders: Int
    private let senders = Mutex<[String: TokenBucket]>([:])

    init(mostSenders: Int = QuestionQuotas.mostSenders) { self.mostSenders = mostSenders }

    /// Spends one question of the caller's.
    ///
    /// - Throws: a `Problem` with Retry-After where the session or its address has none left.
    func spend(_ request: HTTPRequest, at moment: Timestamp) throws(Problem) {
        guard let caller = request.caller, caller.countsByAddress else { return }
        let address = "address/" + request.senderText
        let now = moment.microseconds &* 1_000
        let seconds = senders.withLock { senders in
            Self.spend(caller.id, Self.ofSession, now, &senders, mostSenders)
                ?? Self.spend(address, Self.ofAddress, now, &senders, mostSenders)
        }
        guard let seconds else { return }
        throw Problem(
            .quotaExceeded,
            "Without an account you may ask \(Int(Self.ofSession.perSecond)) times a second.",
            retryAfterSeconds: seconds)
    }

    private static func spend(
        _ sender: String, _ limit: (perSecond: Double, burst: Double), _ now: Int64,
        _ senders: inout [String: TokenBucket], _ most: Int
    ) -> Int? {
        if senders[sender] == nil, senders.count >= most {
            senders = senders.filter { !$0.value.isFull(at: now) }
            // At least a tenth is removed at once, so that the search is rare.
            if senders.count >= most * 9 / 10 { senders.removeAll(keepingCapacity: true) }
        }
        var bucket =
            senders[sender]
            ?? TokenBucket(perSecond: limit.perSecond, burst: limit.burst, nowNanoseconds: now)
        defer { senders[sender] = bucket }
        return bucket.spend(1, at: now) ? nil : bucket.secondsToWait(for: 1, at: now)
    }
}
