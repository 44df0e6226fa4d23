/// The web pages that may call the server from a browser (the Fetch standard's CORS protocol).
///
/// Cookies are never allowed. A page of another origin sends a token of its own, so it can do no
/// more than that token could without a browser.
public struct CrossOrigin: Hashable, Sendable {
    /// Origins such as `https://map.example`, compared as text.
    private let origins: Set<String>
    private let allowsAll: Bool
    private let allowsPrivateNetwork: Bool

    /// The setting under which only pages of the server's own origin may call it.
    public static let none = CrossOrigin(origins: [])

    /// - Parameters:
    ///   - origins: each `scheme://host`, with a port unless it is the scheme's default; `*` is
    ///     every origin.
    ///   - allowsPrivateNetwork: whether pages of a public server may call this one in a private
    ///     network, or on their own machine. Browsers ask for it (Private Network Access, a draft).
    public init(origins: [String], allowsPrivateNetwork: Bool = false) {
        self.allowsPrivateNetwork = allowsPrivateNetwork
        self.origins = Set(origins)
        allowsAll = origins.contains("*")
    }

    /// How long a browser may remember the answer, in seconds.
    private static let maximumAge = "600"
    /// The request header fields that routes read.
    private static let requestFields =
        "accept, authorization, content-type, if-match, if-none-match, last-event-id, traceparent"

    /// Whether no other origin is allowed, so that answers get no such fields.
    var isOff: Bool { origins.isEmpty }

    /// The header fields that let a page of the request's origin read the answer.
    func fields(
        for request: HeaderFields, method: HTTPMethod?, answer: HTTPResponse
    ) -> [(name: String, value: String)] {
        guard !isOff else { return [] }
        var fields: [(name: String, value: String)] = []
        // A cache must not give one origin's answer to another.
        if !allowsAll { fields.append(("vary", "origin")) }
        guard let origin = request.first("origin"), allowsAll || origins.contains(origin) else {
            return fields
        }
        fields.append(("access-control-allow-origin", allowsAll ? "*" : origin))
        // The star means all fields as long as no cookies are sent.
        fields.append(("access-control-expose-headers", "*"))
        if method == .options, request.first("access-control-request-method") != nil {
            let allowed = answer.headers.first { $0.name == "allow" }?.value ?? ""
            fields.append(("access-control-allow-methods", allowed))
            fields.append(("access-control-allow-headers", Self.requestFields))
            fields.append(("access-control-max-age", Self.maximumAge))
            if allowsPrivateNetwork,
                request.first("access-control-request-private-network") == "true"
            {
                fields.append(("access-control-allow-private-network", "true"))
            }
        }
        return fields
    }
}
