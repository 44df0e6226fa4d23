import CMicrohttpd

/// The header fields of every answer, unless a route sets them otherwise. Browsers must not guess
/// the content type. Links must not reveal the page's address. Caches must store nothing, because
/// most answers are about people.
enum StandardFields {
    private static let all: [(name: String, value: String)] = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ]

    /// The standard fields that the answer does not set itself.
    static func missing(in response: HTTPResponse) -> some Sequence<(name: String, value: String)> {
        all.lazy.filter { field in !response.headers.contains { $0.name == field.name } }
    }
}

extension HTTPResponse {
    /// Calls the body with every header field of the answer: its own, the standard ones, and those
    /// for a page of another origin.
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
    /// The answer with all its header fields.
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

/// Adds a field to an answer of libmicrohttpd, which copies both texts.
func addField(_ name: String, _ value: String, to response: OpaquePointer) {
    // `withCString` avoids the copy into an array that bridging an argument would make.
    name.withCString { name in
        _ = value.withCString { MHD_add_response_header(response, name, $0) }
    }
}
