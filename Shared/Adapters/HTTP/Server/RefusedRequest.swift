/// A request that was refused because of its sender.
public struct RefusedRequest: Sendable {
    public var method: String
    /// The route's pattern. The path itself is left out, since it may contain anything.
    public var pattern: String
    /// The problem's code, such as `role-not-allowed`.
    public var code: String
    /// The sender. Nil when there was no valid token.
    public var principal: (any Principal)?
    public var remoteAddress: String

    public init(
        method: String, pattern: String, code: String, principal: (any Principal)?,
        remoteAddress: String
    ) {
        self.method = method
        self.pattern = pattern
        self.code = code
        self.principal = principal
        self.remoteAddress = remoteAddress
    }
}
