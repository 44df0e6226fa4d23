public import Events
public import JSON

/// A token without its secret and hash.
public struct ListedToken: Listed {
    public static var listName: StaticString { "tokens" }

    private let issued: TokenIssued
    private let blockedUntil: Timestamp?
    private let lastUsedAt: Timestamp?

    /// - Parameters:
    ///   - blockedUntil: nil for a token that is not blocked.
    ///   - lastUsedAt: nil where no use was recorded.
    public init(_ issued: TokenIssued, blockedUntil: Timestamp?, lastUsedAt: Timestamp? = nil) {
        self.issued = issued
        self.blockedUntil = blockedUntil
        self.lastUsedAt = lastUsedAt
    }

    /// The answer to the person who issued the token; nobody else ever sees the secret.
    public func json(secret: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("token", secret)
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    public var cursor: String? { issued.id.description }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", issued.id.description)
        writer.field("role", issued.role.rawValue)
        writer.field("site", issued.site?.text)
        if !issued.buildings.isEmpty {
            writer.array("buildings", issued.buildings.map(\.text))
        }
        writer.field("device", issued.device?.text)
        writer.field("note", issued.note)
        writer.field("issuedAt", microseconds: issued.issuedAt.microseconds)
        writer.field("expiresAt", microseconds: issued.expiresAt?.microseconds)
        writer.field("issuedBy", issued.issuedBy)
        writer.field("signingKey", issued.signingKey)
        if let quota = issued.quota {
            writer.name("quota")
            quota.write(to: &writer)
        }
        writer.field("blockedUntil", microseconds: blockedUntil?.microseconds)
        writer.field("lastUsedAt", microseconds: lastUsedAt?.microseconds)
    }
}
