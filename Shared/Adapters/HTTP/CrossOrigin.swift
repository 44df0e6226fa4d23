/// Whose pages may call the server from a browser (the Fetch standard's CORS protocol).
///
/// Cookies are never allowed along: a page of another origin shows a token of its own, so it can do
/// nothing that its token can't do without a browser.
public struct CrossOrigin: Hashable, Sendable {
    /// Such as `https://map.example`; compared as they stand.
    private let origins: Set<String>
    private let allowsAll: Bool

    /// Nobody's but the server's own.
    public static let none = CrossOrigin(origins: [])

    /// - Parameter origins: `scheme://host` with a port where it is not the scheme's own; `*` is
    ///   every origin.
    public init(origins: [String]) {
        self.origins = Set(origins)
        allowsAll = origins.contains("*")
    }

    /// How long a browser may remember what it was told, in seconds.
    private static let maximumAge = "600"
    /// The fields of requests that routes look at.
    private static let requestFields =
        "accept, authorization, content-type, if-match, if-none-match, last-event-id, traceparent"

    /// Whether answers to all depend on the setting.
    var isOff: Bool { origins.isEmpty }

    /// What the answer gets so that a page of the request's origin may read it.
    func fields(
        for request: HeaderFields, method: HTTPMethod?, answer: HTTPResponse
    ) -> [(name: String, value: String)] {
        guard !isOff else { return [] }
        var fields: [(name: String, value: String)] = []
        // A cache must not hand one origin's answer to another.
        if !allowsAll { fields.append(("vary", "origin")) }
        guard let origin = request.first("origin"), allowsAll || origins.contains(origin) else {
            return fields
        }
        fields.append(("access-control-allow-origin", allowsAll ? "*" : origin))
        // All of them, which is what the star means where no cookies are sent.
        fields.append(("access-control-expose-headers", "*"))
        if method == .options, request.first("access-control-request-method") != nil {
            let allowed = answer.headers.first { $0.name == "allow" }?.value ?? ""
            fields.append(("access-control-allow-methods", allowed))
            fields.append(("access-control-allow-headers", Self.requestFields))
            fields.append(("access-control-max-age", Self.maximumAge))
        }
        return fields
    }
}
