public import Access
public import Events
public import HTTP
import Synchronization

/// Whom a token or a session speaks for, with all that is granted.
public final class Caller: Principal {
    /// The token's id or the account's; events and logs name the caller by it.
    public let id: String
    public let grants: [Grant]
    /// The one device that a device's or a scanner's token speaks for.
    public let device: DeviceID?
    /// The account's id; nil for a program's token and for a visitor without an account.
    public let account: AccountID?
    /// When it stops; nil for never.
    public let expiresAt: Timestamp?
    /// Where it differs from what the role may.
    public let quota: TokenQuota?
    /// What it may send, all told.
    public let sendingQuota: Quota?
    /// The public half of an Ed25519 key, in hex.
    public let signingKey: String?
    /// What a session's requests show that change something; nil for a program's token.
    public let changeToken: String?
    /// How often all sessions of the account had been ended when this one began.
    let sessionsEnded: Int
    /// Anybody may begin any number of sessions without an account.
    public var countsByAddress: Bool { account == nil && changeToken != nil }
    public var mayBeForwarded: Bool { !grants.contains { $0.role == .service } }
    /// Microseconds since 1970; 0 where it was not used since it was last asked.
    let lastUse = Atomic<Int64>(0)

    public init(
        id: String, grants: [Grant], device: DeviceID? = nil, account: AccountID? = nil,
        expiresAt: Timestamp? = nil, quota: TokenQuota? = nil, signingKey: String? = nil,
        changeToken: String? = nil, sessionsEnded: Int = 0
    ) {
        self.id = id
        self.grants = grants
        self.device = device
        self.account = account
        self.expiresAt = expiresAt
        self.quota = quota
        sendingQuota = SendingQuota(grants, quota).map {
            Quota(
                recordsPerSecond: $0.recordsPerSecond, burst: $0.burst,
                bytesPerSecond: $0.bytesPerSecond)
        }
        self.signingKey = signingKey
        self.changeToken = changeToken
        self.sessionsEnded = sessionsEnded
    }

    /// What a token that was issued speaks for.
    public convenience init(_ issued: TokenIssued) {
        self.init(
            id: issued.id.description, grants: [Grant(issued)], device: issued.device,
            expiresAt: issued.expiresAt, quota: issued.quota, signingKey: issued.signingKey)
    }

    /// The site of all grants, where it is one and the same.
    public var onlySite: SiteID? {
        guard let site = grants.first?.site, grants.allSatisfy({ $0.site == site }) else {
            return nil
        }
        return site
    }

    /// Whether one of these roles is granted at the site.
    public func has(_ roles: RoleSet, at site: SiteID) -> Bool {
        grants.contains { roles.contains($0.role) && $0.reaches(site) }
    }
}

extension HTTPRequest {
    /// Who calls; nil where no token came.
    public var caller: Caller? { principal as? Caller }

    /// The row of the table that says who may call.
    public var accessRow: AccessRow? { (rule as? TableRule)?.row }
}
