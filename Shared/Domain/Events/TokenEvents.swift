/// What a bearer of a token may do.
public enum TokenRole: String, Hashable, Sendable, CaseIterable {
    case device, visitor, analyst, surveyor, administrator
}

/// A token was issued (topic `tokens`, key the hash); its tombstone revokes it.
public struct TokenIssued: Hashable, Sendable {
    /// SHA-256 of the token's text, in hex. The token itself is never stored.
    public var hash: String
    public var id: EventID
    public var role: TokenRole
    public var site: SiteID?
    /// The one device that a device's token speaks for.
    public var device: DeviceID?
    public var note: String
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp?

    public init(
        hash: String, id: EventID, role: TokenRole, site: SiteID?, device: DeviceID?, note: String,
        issuedAt: Timestamp, expiresAt: Timestamp?
    ) {
        self.hash = hash
        self.id = id
        self.role = role
        self.site = site
        self.device = device
        self.note = note
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
