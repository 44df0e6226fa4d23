/// What a bearer of a token may do. What each role may call is the table of the module Access.
///
/// An `administrator` of one site, as tokens named it before, is an administrator of that site.
public enum TokenRole: String, Hashable, Sendable, CaseIterable {
    case locateOnly = "locate-only"
    case device, scanner, gateway, visitor, contributor, aggregate, analyst, surveyor, tester
    case administratorOfSite = "administrator-of-site"
    case administrator
}

/// How much the bearer of a token may send, where it differs from what its role may.
public struct TokenQuota: Hashable, Sendable {
    /// Scans, surveys or other records in a second.
    public var recordsPerSecond: Double?
    /// Records that may come at once.
    public var burst: Int?
    public var bytesPerSecond: Int?

    public init(recordsPerSecond: Double? = nil, burst: Int? = nil, bytesPerSecond: Int? = nil) {
        self.recordsPerSecond = recordsPerSecond
        self.burst = burst
        self.bytesPerSecond = bytesPerSecond
    }
}

/// A token was issued (topic `tokens`, key the hash); its tombstone revokes it.
public struct TokenIssued: Hashable, Sendable {
    /// SHA-256 of the token's text, in hex. The token itself is never stored.
    public var hash: String
    public var id: EventID
    public var role: TokenRole
    /// Nil for every site.
    public var site: SiteID?
    /// The buildings of the site that it is for; empty for all of them.
    public var buildings: [BuildingID]
    /// The one device that a device's or a scanner's token speaks for.
    public var device: DeviceID?
    public var note: String
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp?
    /// The id of the token or of the account that issued it; nil where it was made on the machine
    /// itself.
    public var issuedBy: String?
    /// The public half of an Ed25519 key, in hex: what the bearer signs its records of
    /// `scans-inbound` with.
    public var signingKey: String?
    public var quota: TokenQuota?

    public init(
        hash: String, id: EventID, role: TokenRole, site: SiteID?, buildings: [BuildingID] = [],
        device: DeviceID?, note: String, issuedAt: Timestamp, expiresAt: Timestamp?,
        issuedBy: String? = nil, signingKey: String? = nil, quota: TokenQuota? = nil
    ) {
        self.hash = hash
        self.id = id
        self.role = role
        self.site = site
        self.buildings = buildings
        self.device = device
        self.note = note
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.issuedBy = issuedBy
        self.signingKey = signingKey
        self.quota = quota
    }
}
