public import Events
import JSON

/// The data about its own session that a page needs.
public struct SessionAnswer {
    private let account: AccountID?
    private let name: String?
    private let grants: [RoleGrant]
    private let endsAt: Timestamp?
    private let changeToken: String?

    /// - Parameters:
    ///   - account: nil for a visitor without an account, as is the name.
    ///   - changeToken: `SessionValue.changeToken`.
    public init(
        account: AccountID?, name: String?, grants: [RoleGrant], endsAt: Timestamp?,
        changeToken: String?
    ) {
        self.account = account
        self.name = name
        self.grants = grants
        self.endsAt = endsAt
        self.changeToken = changeToken
    }

    /// The answer to a new session.
    public var json: [UInt8] { json(signIn: nil, hasProvider: nil) }

    /// The answer about an existing session, with the sign-in and whether there is a provider.
    public func json(signIn: String?, hasProvider: Bool?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("account", account?.description)
        writer.field("name", name)
        writer.field("signIn", signIn)
        writer.name("grants")
        writer.grants(grants)
        writer.field("endsAt", microseconds: endsAt?.microseconds)
        writer.field("changeToken", changeToken)
        if let hasProvider { writer.field("hasProvider", hasProvider) }
        writer.endObject()
        return writer.finish()
    }
}
