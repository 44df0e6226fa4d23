/// Why nobody was signed in by the provider.
public struct OpenIDFault: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The provider can't be reached or answers with an error: try again.
        case providerUnreachable = "provider-unreachable"
        /// The provider's own description is unusable: the settings are wrong.
        case providerUnusable = "provider-unusable"
        /// The provider did not take the code: it is used up, late, or of another sign-in.
        case codeRefused = "code-refused"
        /// The identity token is not to be trusted.
        case identityRefused = "identity-refused"
    }

    public var code: Code
    /// For the operator's log; never shown to whoever signs in.
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
