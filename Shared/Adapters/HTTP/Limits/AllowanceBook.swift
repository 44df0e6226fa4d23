import Synchronization

/// The allowances of tokens or of addresses, by name.
final class AllowanceBook: Sendable {
    /// The largest number of senders counted separately. Above it, those with full allowances are
    /// forgotten first.
    static let maximumSenders = 100_000

    private let requestsPerSecond: Double?
    private let burst: Double
    private let senders = Mutex<[String: Allowance]>([:])

    /// - Parameter requestsPerSecond: nil sets no limit on requests.
    init(requestsPerSecond: Double?, burst: Double) {
        self.requestsPerSecond = requestsPerSecond
        self.burst = max(1, burst)
    }

    subscript(sender: String, nowNanoseconds: Int64) -> Allowance {
        senders.withLock { senders in
            if let known = senders[sender] { return known }
            if senders.count >= Self.maximumSenders { forgetFull(&senders, nowNanoseconds) }
            let new = Allowance(
                requests: requestsPerSecond.map {
                    TokenBucket(perSecond: $0, burst: burst, nowNanoseconds: nowNanoseconds)
                })
            senders[sender] = new
            return new
        }
    }

    private func forgetFull(_ senders: inout [String: Allowance], _ nowNanoseconds: Int64) {
        senders = senders.filter { !$0.value.isFull(at: nowNanoseconds) }
        // At least a tenth is removed at once, so that the search is rare.
        guard senders.count >= Self.maximumSenders * 9 / 10 else { return }
        senders.removeAll(keepingCapacity: true)
    }
}
