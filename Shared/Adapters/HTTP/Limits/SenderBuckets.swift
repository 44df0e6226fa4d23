import Synchronization

/// The quotas of callers and addresses, in a bounded memory.
///
/// Anybody can begin many sessions, so the address is asked first, and is kept apart from them. A
/// request that is refused leaves nothing: new sessions of a spent address push nobody out.
public final class SenderBuckets: Sendable {
    /// A limit: tokens per second, and at once.
    public struct Limit: Hashable, Sendable {
        public var perSecond: Double
        public var burst: Double

        public init(perSecond: Double, burst: Double) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    /// The name of a sender with its limits; each of them has to have one token left.
    public struct Sender: Sendable {
        let name: String
        let limits: [Limit]

        public init(_ name: String, _ limits: [Limit]) {
            self.name = name
            self.limits = limits
        }
    }

    private struct Book {
        var senders: [String: [TokenBucket]] = [:]

        /// The sender's buckets; full ones for a new sender, who is not remembered yet.
        func buckets(of sender: Sender, at now: Int64) -> [TokenBucket] {
            senders[sender.name]
                ?? sender.limits.map {
                    TokenBucket(perSecond: $0.perSecond, burst: $0.burst, nowNanoseconds: now)
                }
        }

        /// Spends one token of each bucket; all have one.
        mutating func spend(_ name: String, _ buckets: [TokenBucket], most: Int, at now: Int64) {
            if senders[name] == nil, senders.count >= most { forget(most: most, at: now) }
            var buckets = buckets
            for index in buckets.indices { _ = buckets[index].spend(1, at: now) }
            senders[name] = buckets
        }

        /// Forgets those that have refilled. If that is less than a tenth, those go as well that
        /// have the greatest part left, so that the search is rare.
        private mutating func forget(most: Int, at now: Int64) {
            senders = senders.filter { !$0.value.allSatisfy { $0.isFull(at: now) } }
            let kept = most * 9 / 10
            guard senders.count > kept else { return }
            let left = senders.map { name, buckets in
                (name, buckets.map { Double($0.left(at: now)) / $0.burst }.min() ?? 1)
            }
            for (name, _) in left.sorted(by: { $0.1 > $1.1 }).prefix(senders.count - kept) {
                senders[name] = nil
            }
        }
    }

    /// The most that are remembered, of callers and of addresses.
    public static let mostSenders = 50_000

    private let most: Int
    private let books = Mutex((callers: Book(), addresses: Book()))

    /// - Parameter most: the most callers that are remembered, and as many addresses; at least one.
    public init(most: Int = SenderBuckets.mostSenders) { self.most = max(1, most) }

    /// Spends one token of the caller and of their address, or none.
    ///
    /// - Parameters:
    ///   - caller: the caller.
    ///   - address: their address; nil where it does not count.
    ///   - now: a time in nanoseconds, of any beginning.
    /// - Returns: nil, or the seconds to wait where one of them has none left.
    public func secondsToWait(
        _ caller: Sender, address: Sender?, nowNanoseconds now: Int64
    ) -> Int? {
        books.withLock { books in
            let ofAddress = address.map { books.addresses.buckets(of: $0, at: now) } ?? []
            let ofCaller = books.callers.buckets(of: caller, at: now)
            if let spent = (ofAddress + ofCaller).first(where: { $0.left(at: now) < 1 }) {
                return spent.secondsToWait(for: 1, at: now)
            }
            if let address {
                books.addresses.spend(address.name, ofAddress, most: most, at: now)
            }
            books.callers.spend(caller.name, ofCaller, most: most, at: now)
            return nil
        }
    }
}
