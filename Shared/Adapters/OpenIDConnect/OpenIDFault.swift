/// The reason why a sign-in through the provider failed.
public struct OpenIDFault: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The provider can't be reached or answers with an error. The person may try again.
        case providerUnreachable = "provider-unreachable"
        /// The provider's description is unusable, so the settings are wrong.
        case providerUnusable = "provider-unusable"
        /// The provider refused the code: it was used before, is too old, or belongs to another
        /// sign-in.
        case codeRefused = "code-refused"
        /// The identity token can't be trusted.
        case identityRefused = "identity-refused"
    }

    public var code: Code
    /// The reason for the operator's log. It is never shown to the person who signs in.
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
