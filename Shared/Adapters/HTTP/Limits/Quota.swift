/// The limits of one token: records (scans, surveys) and bytes of bodies.
public struct Quota: Hashable, Sendable {
    public var recordsPerSecond: Double
    /// The number of records that a token may send at once.
    public var burst: Double
    public var bytesPerSecond: Double

    public init(recordsPerSecond: Double, burst: Double, bytesPerSecond: Double) {
        self.recordsPerSecond = max(0.001, recordsPerSecond)
        self.burst = max(1, burst)
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// The bytes allowed at once: worth as many seconds as the burst of records.
    public var burstBytes: Double { bytesPerSecond * max(1, burst / recordsPerSecond) }

    /// The limit for people: `20 a second, and 1200 at once`.
    public var recordsInWords: String { Self.inWords(recordsPerSecond, burst) }
    var bytesInWords: String { Self.inWords(bytesPerSecond, burstBytes) }

    static func inWords(_ perSecond: Double, _ burst: Double) -> String {
        "\(shown(perSecond)) a second, and \(shown(burst.rounded(.down))) at once"
    }

    private static func shown(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

/// The part of a token's quota that is left.
public struct QuotaLeft: Hashable, Sendable {
    public var quota: Quota
    public var records: Int
    public var bytes: Int
    /// The seconds until one record or byte fits again; 0 if one fits now.
    public var seconds: Int

    /// The header fields of draft-ietf-httpapi-ratelimit-headers-10: the policy and what is left.
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
