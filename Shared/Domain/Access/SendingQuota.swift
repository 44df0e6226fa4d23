public import Events

/// What somebody may send: records such as scans and surveys, how many of them at once, and bytes.
public struct SendingQuota: Hashable, Sendable {
    public var recordsPerSecond: Double
    public var burst: Double
    public var bytesPerSecond: Double

    /// At once there may come what ten seconds bring.
    private static let burstSeconds = 10.0

    /// Of a role; nil where nothing is counted, which is so between services.
    init?(_ role: Role) {
        switch role {
        case .service: return nil
        case .scanner: self.init(50, 1_000_000)
        case .gateway: self.init(1_000, 4_000_000)
        // Imports and replays are theirs.
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

    /// The quota of somebody with these grants: that of the most generous role, unless the token
    /// has its own.
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
