import Glibc

/// The reason why a server could not start.
public struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable code, such as `address-in-use`.
    public var code: String
    /// The reason as one sentence for people.
    public var reason: String

    public var description: String { "\(code): \(reason)" }

    static func system(_ call: String, _ number: Int32, _ code: String? = nil) -> HTTPServerError {
        let name =
            switch number {
            case EADDRINUSE: "address-in-use"
            case EACCES: "permission-denied"
            default: "system"
            }
        return HTTPServerError(
            code: code ?? name, reason: "\(call): \(String(cString: strerror(number)))")
    }
}
