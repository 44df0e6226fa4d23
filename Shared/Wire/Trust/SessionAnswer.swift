public import Events
import JSON

/// What a page has to know of the session it has.
public struct SessionAnswer {
    private let account: AccountID?
    private let name: String?
    private let grants: [RoleGrant]
    private let endsAt: Timestamp?
    private let changeToken: String?

    /// - Parameters:
    ///   - account: nil, as is its name, for a visitor without one.
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

    /// For a session that begins.
    public var json: [UInt8] { json(signIn: nil, hasProvider: nil) }

    /// For one that asks who it is: with the sign-in, and whether there is a provider.
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
