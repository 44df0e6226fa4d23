import CMicrohttpd

/// The header fields that every answer has, unless its route says something else: nobody guesses at
/// its type, an address is not passed on to where a link leads, and nothing is kept by caches,
/// since most answers are about people.
enum StandardFields {
    private static let all: [(name: String, value: String)] = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ]

    /// Those that the answer does not have yet.
    static func missing(in response: HTTPResponse) -> some Sequence<(name: String, value: String)> {
        all.lazy.filter { field in !response.headers.contains { $0.name == field.name } }
    }
}

extension HTTPResponse {
    /// Calls with each field as it leaves the server: its own, those that all have, and those for
    /// the page of another origin that asked.
    func forEachField(
        for request: HeaderFields, method: HTTPMethod?, _ crossOrigin: CrossOrigin,
        _ body: (_ name: String, _ value: String) -> Void
    ) {
        for field in headers { body(field.name, field.value) }
        for field in StandardFields.missing(in: self) { body(field.name, field.value) }
        guard !crossOrigin.isOff else { return }
        for field in crossOrigin.fields(for: request, method: method, answer: self) {
            body(field.name, field.value)
        }
    }
}

extension HTTPResponse {
    /// The answer with all fields with which it leaves the server.
    func completed(
        for request: HeaderFields, method: HTTPMethod?, _ crossOrigin: CrossOrigin
    ) -> HTTPResponse {
        var fields: [(name: String, value: String)] = []
        forEachField(for: request, method: method, crossOrigin) { fields.append(($0, $1)) }
        var response = self
        response.headers = fields
        return response
    }
}

/// Adds a field to an answer of libmicrohttpd, which copies both.
func addField(_ name: String, _ value: String, to response: OpaquePointer) {
    // Not bridged as arguments, which would copy each into an array first.
    name.withCString { name in
        _ = value.withCString { MHD_add_response_header(response, name, $0) }
    }
}
