public import Access
public import Events
public import HTTP
public import Site
import Synchronization
public import Wire

/// The account, program or device that a token or a session speaks for, with its grants.
public final class Caller: Principal {
    /// The id of the token or the account. Events and logs name the caller by it.
    public let id: String
    public let grants: [Grant]
    /// With `grants` those of a visitor without an account, for a person who signed in: whoever is
    /// known sees no less than a stranger.
    let allGrants: [Grant]
    /// The one device that the token of a device or a scanner speaks for.
    public let device: DeviceID?
    /// The account's id; nil for a program's token, and for a visitor without an account.
    public let account: AccountID?
    /// The end of the token or session; nil for no end.
    public let expiresAt: Timestamp?
    /// A quota of the token's own; nil for that of its role.
    public let quota: TokenQuota?
    /// The quota in force: the token's own, or that of its role.
    public let sendingQuota: Quota?
    /// The public half of an Ed25519 key, in hex.
    public let signingKey: String?
    /// The token that a session's changing requests must show; nil for a program's token.
    public let changeToken: String?
    /// How often all sessions of the account had been ended when this one began. A session whose
    /// number is behind the account's is over.
    public let sessionsEnded: Int
    /// The link by which a visitor without an account opened a site.
    let link: SiteLink?
    /// True for visitors: anybody can begin many sessions without an account, so limits count by
    /// address.
    public var countsByAddress: Bool { account == nil && changeToken != nil }
    public var mayBeForwarded: Bool { !grants.contains { $0.role == .service } }
    /// The last use in microseconds since 1970; 0 when there was none since the uses were last
    /// collected.
    let lastUse = Atomic<Int64>(0)

    public init(
        id: String, grants: [Grant], asVisitor: [Grant] = [], device: DeviceID? = nil,
        account: AccountID? = nil,
        expiresAt: Timestamp? = nil, quota: TokenQuota? = nil, signingKey: String? = nil,
        changeToken: String? = nil, sessionsEnded: Int = 0, link: SiteLink? = nil
    ) {
        self.id = id
        self.grants = grants
        allGrants = grants + asVisitor
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
        self.link = link
    }

    /// The caller that an issued token speaks for.
    public convenience init(_ issued: TokenIssued) {
        self.init(
            id: issued.id.description, grants: [Grant(issued)], device: issued.device,
            expiresAt: issued.expiresAt, quota: issued.quota, signingKey: issued.signingKey)
    }

    /// The site of all grants; nil when they are of several sites, or of all.
    public var onlySite: SiteID? {
        guard let site = grants.first?.site, grants.allSatisfy({ $0.site == site }) else {
            return nil
        }
        return site
    }

    /// The reader that the caller is at the site, by the strongest of their roles there. A role in
    /// some buildings counts for the site: the rooms of the others are colleagues' rooms.
    public func reader(at site: SiteID) -> Reader {
        grants.filter { $0.reaches(site) }.map(\.role.reader).max() ?? .stranger
    }

    /// Whether the caller has one of these roles in all buildings of the site.
    ///
    /// A route whose row is of the scope `building` also lets in who has the role in some of them.
    /// Devices, pairings, requests for scans and drafts are in no building, so a role in some
    /// buildings gives nobody those of others.
    public func has(_ roles: RoleSet, inAllOf site: SiteID) -> Bool {
        grants.contains { roles.contains($0.role) && $0.buildings == nil && $0.reaches(site) }
    }

    /// Whether the caller has one of these roles in at least one building of the site. This is
    /// enough for what the caller sends, whose building is compared or not yet known.
    public func has(_ roles: RoleSet, inSomeOf site: SiteID) -> Bool {
        grants.contains { roles.contains($0.role) && $0.reaches(site) }
    }
}

extension HTTPRequest {
    /// The caller; nil where the request has no token and no session.
    public var caller: Caller? { principal as? Caller }

    /// The row of the access table for this request.
    public var accessRow: AccessRow? { (rule as? TableRule)?.row }
}
