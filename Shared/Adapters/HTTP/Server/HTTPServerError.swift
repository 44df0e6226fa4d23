import Glibc

/// Why a server could not be started.
public struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable, such as `address-in-use`.
    public var code: String
    /// One sentence for people.
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
