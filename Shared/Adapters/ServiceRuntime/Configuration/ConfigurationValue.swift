/// The address on which a server listens.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address without brackets. `0.0.0.0` means every address.
    public let host: String
    /// The port. 0 lets the system choose.
    public let port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port`, `[v6]:port` or `:port`. Nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), (0...65535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") || host.contains("/") {
            return nil
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Text that must not be printed. Its description hides it.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The secret text, for the library that needs it.
    public func reveal() -> String { text }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A value of the right kind for its setting.
enum ConfigurationValue: Sendable, Hashable {
    case text(String)
    case integer(Int)
    case duration(Duration)
    case listenAddress(ListenAddress)
    case flag(Bool)
    case secret(Secret)

    /// Parses the text as a value of this kind. The error states the expected form.
    static func parse(_ text: String, as kind: Setting.Kind) throws(MalformedValue) -> Self {
        switch kind {
        case .text: return .text(text)
        case .secret: return .secret(Secret(text))
        case .checkedSecret(let form):
            if let fault = form.fault(text) { throw MalformedValue(fault) }
            return .secret(Secret(text))
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else {
                throw MalformedValue(
                    "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return .integer(number)
        case .duration(let range):
            guard let duration = Duration(configurationText: text), range.contains(duration)
            else {
                throw MalformedValue(
                    "must be a duration such as 250ms, 5s, 10m, 24h or 7d, from "
                        + "\(range.lowerBound.configurationText) to "
                        + range.upperBound.configurationText)
            }
            return .duration(duration)
        case .url(let schemes):
            return .text(try parseURL(text, schemes: schemes))
        case .listenAddress:
            guard let address = ListenAddress(text) else {
                throw MalformedValue("is not host:port, such as 127.0.0.1:8080")
            }
            return .listenAddress(address)
        case .choice(let words):
            guard words.contains(text) else {
                throw MalformedValue("must be one of \(words.joined(separator: ", "))")
            }
            return .text(text)
        case .checked(let form):
            if let fault = form.fault(text) { throw MalformedValue(fault) }
            return .text(text)
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "1", "on": return .flag(true)
            case "false", "no", "0", "off": return .flag(false)
            default: throw MalformedValue("must be true or false")
            }
        }
    }

    /// The address, with its scheme in small letters: `HTTP://` is the same (RFC 3986, 3.1).
    private static func parseURL(
        _ text: String, schemes: [String]
    ) throws(MalformedValue) -> String {
        let expected = schemes.map { "\($0)://" }
        guard let prefix = expected.first(where: { text.lowercased().hasPrefix($0) })
        else {
            throw MalformedValue("must start with \(expected.joined(separator: " or "))")
        }
        let rest = text.dropFirst(prefix.count)
        guard let first = rest.first, first != "/",
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw MalformedValue("is not an absolute address") }
        // Addresses stand in logs and pages, and a password in one would go out unprotected where
        // its server offers no TLS.
        guard !rest.prefix(while: { !"/?#".contains($0) }).contains("@") else {
            throw MalformedValue("must have no user or password in it; use the settings for them")
        }
        return prefix + rest
    }
}

/// The reason why a text does not fit a kind. It never quotes the text, which may be a secret.
struct MalformedValue: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
