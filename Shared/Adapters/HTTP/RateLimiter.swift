import Synchronization

/// Counts requests by token or address: a token bucket each, which holds `burst` requests and is
/// refilled by `requestsPerSecond`.
final class RateLimiter: Sendable {
    /// More senders than this are not told apart: the oldest full buckets are forgotten first.
    static let maximumBuckets = 100_000

    private struct Bucket {
        var tokens: Double
        var filledAtNanoseconds: Int64
    }

    private let requestsPerSecond: Double
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    init(requestsPerSecond: Double, burst: Double) {
        precondition(requestsPerSecond > 0 && burst >= 1, "a rate limit must let something pass")
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst
    }

    /// Takes one request from the sender's bucket; returns nil, or after how many whole seconds
    /// there is one again.
    func secondsToWait(for sender: String, nowNanoseconds: Int64) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.maximumBuckets, buckets[sender] == nil {
                forgetFull(&buckets, nowNanoseconds)
            }
            var bucket =
                buckets[sender] ?? Bucket(tokens: burst, filledAtNanoseconds: nowNanoseconds)
            bucket.tokens = filled(bucket, nowNanoseconds)
            bucket.filledAtNanoseconds = nowNanoseconds
            defer { buckets[sender] = bucket }
            if bucket.tokens >= 1 {
                bucket.tokens -= 1
                return nil
            }
            return max(1, Int(((1 - bucket.tokens) / requestsPerSecond).rounded(.up)))
        }
    }

    private func filled(_ bucket: Bucket, _ nowNanoseconds: Int64) -> Double {
        let seconds = Double(nowNanoseconds - bucket.filledAtNanoseconds) / 1e9
        return min(burst, bucket.tokens + max(0, seconds) * requestsPerSecond)
    }

    private func forgetFull(_ buckets: inout [String: Bucket], _ nowNanoseconds: Int64) {
        buckets = buckets.filter { filled($0.value, nowNanoseconds) < burst }
        if buckets.count >= Self.maximumBuckets { buckets.removeAll(keepingCapacity: true) }
    }
}
