import HTTP

/// What senders of one partition of `scans-inbound` have used of their quotas, by the time at which
/// the log took the records: a backlog is judged as it was sent, however fast it is read.
///
/// It is begun anew, full, when the partition comes to this process, and after a fault.
struct InboundQuotas: Sendable {
    /// More senders are not told apart.
    private static let mostSenders = 10_000

    private var buckets: [String: (records: TokenBucket, bytes: TokenBucket, quota: Quota)] = [:]

    init() {}

    /// Whether the sender may send one more record, of so many bytes.
    mutating func take(
        _ sender: String, _ quota: Quota?, bytes: Int, atMicroseconds: Int64
    ) -> Bool {
        guard let quota else { return true }
        let (now, isTooFar) = atMicroseconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooFar else { return true }
        var own: (records: TokenBucket, bytes: TokenBucket, quota: Quota)
        if let known = buckets[sender], known.quota == quota {
            own = known
        } else {
            if buckets.count >= Self.mostSenders { buckets = [:] }
            own = (
                TokenBucket(
                    perSecond: quota.recordsPerSecond, burst: quota.burst, nowNanoseconds: now),
                TokenBucket(
                    perSecond: quota.bytesPerSecond, burst: quota.burstBytes, nowNanoseconds: now),
                quota
            )
        }
        let isGranted = own.records.spend(1, at: now) && own.bytes.spend(Double(bytes), at: now)
        buckets[sender] = own
        return isGranted
    }
}
