public import Events
public import JSON

/// An account without its password.
public struct ListedAccount: Listed {
    public static var listName: StaticString { "accounts" }

    private let id: AccountID
    private let name: String
    private let signIn: String?
    private let provider: String?
    private let grants: [RoleGrant]
    private let madeAt: Timestamp
    private let madeBy: String
    private let signedInAt: Timestamp?
    /// Whether this release can't read the roles, so that the person has none.
    private let isUnread: Bool

    public init(
        id: AccountID, name: String, signIn: String?, provider: String?, grants: [RoleGrant],
        madeAt: Timestamp, madeBy: String, signedInAt: Timestamp?, isUnread: Bool
    ) {
        self.id = id
        self.name = name
        self.signIn = signIn
        self.provider = provider
        self.grants = grants
        self.madeAt = madeAt
        self.madeBy = madeBy
        self.signedInAt = signedInAt
        self.isUnread = isUnread
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id.description)
        writer.field("name", name)
        writer.field("signIn", signIn)
        writer.field("provider", provider)
        writer.name("grants")
        writer.grants(grants)
        writer.field("madeAt", microseconds: madeAt.microseconds)
        writer.field("madeBy", madeBy)
        writer.field("signedInAt", microseconds: signedInAt?.microseconds)
        if isUnread { writer.field("rolesUnread", true) }
    }
}

/// An open invitation, without its secret.
public struct ListedInvitation: Listed {
    public static var listName: StaticString { "invitations" }

    private let id: EventID
    private let note: String
    private let grants: [RoleGrant]
    private let madeBy: String
    private let expiresAt: Timestamp

    public init(
        id: EventID, note: String, grants: [RoleGrant], madeBy: String, expiresAt: Timestamp
    ) {
        self.id = id
        self.note = note
        self.grants = grants
        self.madeBy = madeBy
        self.expiresAt = expiresAt
    }

    /// The answer to the person who invites; nobody else ever sees the link.
    public func json(link: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("link", link)
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id.description)
        writer.field("note", note)
        writer.name("grants")
        writer.grants(grants)
        writer.field("madeBy", madeBy)
        writer.field("expiresAt", microseconds: expiresAt.microseconds)
    }
}

extension [RoleGrant] {
    /// The grants as the database stores them; `RoleGrant.list` reads them.
    public var storedJSON: String {
        var writer = JSONWriter(capacity: 256)
        writer.grants(self)
        return writer.finishText()
    }
}
