/// A request that was refused for who sent it.
public struct RefusedRequest: Sendable {
    public var method: String
    /// The route's pattern: never the path, which may hold anything.
    public var pattern: String
    /// The problem's code, such as `role-not-allowed`.
    public var code: String
    /// Nil where no good token came.
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
