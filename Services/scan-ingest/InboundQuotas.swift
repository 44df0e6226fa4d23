import HTTP

/// How much of their quotas the senders of one partition of `scans-inbound` have used.
///
/// Records count at the time at which the log received them, so a backlog is judged at the pace at
/// which it was sent. The quotas start full when this process gets the partition, and after a
/// fault.
struct InboundQuotas: Sendable {
    /// At this number all quotas start full again, which bounds the memory.
    private static let mostSenders = 10_000

    private var buckets: [String: (records: TokenBucket, bytes: TokenBucket, quota: Quota)] = [:]

    init() {}

    /// Uses the quota for one record of this size; false when too little is left.
    mutating func acquire(
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
