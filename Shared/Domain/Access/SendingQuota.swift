public import Events

/// The most that a sender may send: records (scans and surveys) a second, records at once, and
/// bytes a second.
public struct SendingQuota: Hashable, Sendable {
    public var recordsPerSecond: Double
    public var burst: Double
    public var bytesPerSecond: Double

    /// A sender may send at once as many records as its rate allows in ten seconds.
    private static let burstSeconds = 10.0

    /// The quota of a role; nil for services among each other, which have none.
    init?(_ role: Role) {
        switch role {
        case .service: return nil
        case .scanner: self.init(50, 1_000_000)
        case .gateway: self.init(1_000, 4_000_000)
        // These roles import data and replay scans.
        case .surveyor, .administratorOfSite, .administrator: self.init(5_000, 20_000_000)
        case .anonymous, .locateOnly, .device, .visitor, .contributor, .aggregate, .analyst,
            .tester:
            self.init(5, 100_000)
        }
    }

    private init(_ recordsPerSecond: Double, _ bytesPerSecond: Double) {
        self.recordsPerSecond = recordsPerSecond
        self.bytesPerSecond = bytesPerSecond
        burst = recordsPerSecond * Self.burstSeconds
    }

    /// The quota of a caller with these grants: the quota of the most generous role, unless the
    /// token has its own.
    public init?(_ grants: [Grant], _ own: TokenQuota? = nil) {
        let quotas = grants.map { SendingQuota($0.role) }
        guard quotas.allSatisfy({ $0 != nil }) else { return nil }
        let most = quotas.compactMap { $0 }.max { $0.recordsPerSecond < $1.recordsPerSecond }
        self = most ?? SendingQuota(5, 100_000)
        if let rate = own?.recordsPerSecond {
            recordsPerSecond = rate
            burst = max(1, rate * Self.burstSeconds)
        }
        if let burst = own?.burst { self.burst = Double(burst) }
        if let bytes = own?.bytesPerSecond { bytesPerSecond = Double(bytes) }
    }
}
