/// The permanent id of a person's account. It contains nothing about the person.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    public let event: EventID

    public init(_ event: EventID) { self.event = event }

    public init?(_ text: String) {
        guard let event = EventID(text) else { return nil }
        self.event = event
    }

    public var description: String { event.description }
}

/// A role of an account: at all sites, at one site, or in some buildings of one site.
public struct RoleGrant: Hashable, Sendable {
    public var role: TokenRole
    /// Nil for all sites.
    public var site: SiteID?
    /// Empty for all buildings of the site.
    public var buildings: [BuildingID]

    public init(_ role: TokenRole, site: SiteID? = nil, buildings: [BuildingID] = []) {
        self.role = role
        self.site = site
        self.buildings = buildings
    }
}

/// The roles of an account from now on (topic `tokens`, key `account/<id>`). Its tombstone ends the
/// account. Name and sign-in are not in the log; they stay in site-editor's tables.
public struct AccountChanged: Hashable, Sendable {
    public var account: AccountID
    /// The number of this change of the account, so that a repeated one is recognised.
    public var version: Int
    public var grants: [RoleGrant]
    /// The number of times that all sessions of the account were ended. A session stores the number
    /// at its beginning and is valid only while the number stays the same.
    public var sessionsEnded: Int
    public var at: Timestamp

    public init(
        account: AccountID, version: Int, grants: [RoleGrant], sessionsEnded: Int, at: Timestamp
    ) {
        self.account = account
        self.version = version
        self.grants = grants
        self.sessionsEnded = sessionsEnded
        self.at = at
    }
}

/// The public half of a key that signs sessions (topic `tokens`, key `session-key/<id>`). Its
/// tombstone follows when the last session signed with it is over.
public struct SessionKeyMade: Hashable, Sendable {
    /// The first 16 hex digits of the public key.
    public var id: String
    /// An Ed25519 key as 64 hex digits.
    public var publicKey: String
    public var madeAt: Timestamp

    public init(id: String, publicKey: String, madeAt: Timestamp) {
        self.id = id
        self.publicKey = publicKey
        self.madeAt = madeAt
    }
}
