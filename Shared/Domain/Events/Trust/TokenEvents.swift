/// The role of a token's bearer. The module Access lists the operations of each role.
///
/// An `administrator` with a site is an administrator of that site alone; older tokens name it so.
public enum TokenRole: String, Hashable, Sendable, CaseIterable {
    case locateOnly = "locate-only"
    case device, scanner, gateway, visitor, contributor, aggregate, analyst, surveyor, tester
    case administratorOfSite = "administrator-of-site"
    case administrator
}

/// A quota of a token, where it differs from the quota of its role.
public struct TokenQuota: Hashable, Sendable {
    /// Records a second, such as scans or surveys.
    public var recordsPerSecond: Double?
    /// The number of records that may come at once.
    public var burst: Int?
    public var bytesPerSecond: Int?

    public init(recordsPerSecond: Double? = nil, burst: Int? = nil, bytesPerSecond: Int? = nil) {
        self.recordsPerSecond = recordsPerSecond
        self.burst = burst
        self.bytesPerSecond = bytesPerSecond
    }
}

/// A token was issued (topic `tokens`, key `hash`). Its tombstone revokes the token.
public struct TokenIssued: Hashable, Sendable {
    /// SHA-256 of the token's text, in hex. The token itself is never stored.
    public var hash: String
    public var id: EventID
    public var role: TokenRole
    /// Nil for all sites.
    public var site: SiteID?
    /// The buildings of the site that the token is for; empty for all of them.
    public var buildings: [BuildingID]
    /// The only device that a device's or a scanner's token may send for.
    public var device: DeviceID?
    public var note: String
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp?
    /// The id of the token or of the account that issued it. Nil if it was issued on the server's
    /// command line.
    public var issuedBy: String?
    /// The public half of an Ed25519 key, in hex. The bearer signs its records of `scans-inbound`
    /// with it.
    public var signingKey: String?
    public var quota: TokenQuota?

    /// The event as the log has it. The note is in site-editor's tables alone.
    public var withoutNote: TokenIssued {
        var event = self
        event.note = ""
        return event
    }

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
