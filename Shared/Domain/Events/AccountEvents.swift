/// Names the account of a person, for ever. It says nothing about who that is.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    public let event: EventID

    public init(_ event: EventID) { self.event = event }

    public init?(_ text: String) {
        guard let event = EventID(text) else { return nil }
        self.event = event
    }

    public var description: String { event.description }
}

/// A role of an account: everywhere, at a site, or in some of its buildings.
public struct RoleGrant: Hashable, Sendable {
    public var role: TokenRole
    /// Nil for every site.
    public var site: SiteID?
    /// Empty for all of the site.
    public var buildings: [BuildingID]

    public init(_ role: TokenRole, site: SiteID? = nil, buildings: [BuildingID] = []) {
        self.role = role
        self.site = site
        self.buildings = buildings
    }
}

/// What an account may do from now on (topic `tokens`, key `account/<id>`); its tombstone ends the
/// account. It holds neither name nor sign-in: those stay in site-editor's tables.
public struct AccountChanged: Hashable, Sendable {
    public var account: AccountID
    /// Counts the changes, so that one that comes twice is known.
    public var version: Int
    public var grants: [RoleGrant]
    /// How often all sessions of the account were ended. A session knows the number that it began
    /// under, and holds only while it is the same.
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

/// The public half of a key that sessions are signed with (topic `tokens`, key `session-key/<id>`);
/// its tombstone comes when the last of its sessions is over.
public struct SessionKeyMade: Hashable, Sendable {
    /// The first 16 hex digits of the public key.
    public var id: String
    /// Ed25519, 64 hex digits.
    public var publicKey: String
    public var madeAt: Timestamp

    public init(id: String, publicKey: String, madeAt: Timestamp) {
        self.id = id
        self.publicKey = publicKey
        self.madeAt = madeAt
    }
}
