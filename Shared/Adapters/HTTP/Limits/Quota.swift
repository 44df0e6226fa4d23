/// What one token may send: records (scans, surveys) and bytes of bodies.
public struct Quota: Hashable, Sendable {
    public var recordsPerSecond: Double
    /// Records at once.
    public var burst: Double
    public var bytesPerSecond: Double

    public init(recordsPerSecond: Double, burst: Double, bytesPerSecond: Double) {
        self.recordsPerSecond = max(0.001, recordsPerSecond)
        self.burst = max(1, burst)
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// Bytes at once: as many seconds' worth as the burst of records is.
    public var burstBytes: Double { bytesPerSecond * max(1, burst / recordsPerSecond) }
}

/// What a token still has of its quota.
public struct QuotaLeft: Hashable, Sendable {
    public var quota: Quota
    public var records: Int
    public var bytes: Int
    /// Until one record, or one byte, is there again; 0 if it is.
    public var seconds: Int

    /// As draft-ietf-httpapi-ratelimit-headers-10 writes it: the policy and what is left of it.
    public var headers: [(name: String, value: String)] {
        let window = Int((quota.burst / quota.recordsPerSecond).rounded(.up))
        let bytesWindow = Int((quota.burstBytes / quota.bytesPerSecond).rounded(.up))
        return [
            (
                "ratelimit-policy",
                "\"records\";q=\(Int(quota.burst));w=\(window), "
                    + "\"bytes\";q=\(Int(quota.burstBytes));w=\(bytesWindow);qu=\"content-bytes\""
            ),
            (
                "ratelimit",
                "\"records\";r=\(records);t=\(seconds), \"bytes\";r=\(bytes);t=\(seconds)"
            ),
        ]
    }
}
