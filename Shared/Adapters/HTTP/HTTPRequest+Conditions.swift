extension HTTPRequest {
    /// Whether the client already has the version with this tag (`If-None-Match` of RFC 9110,
    /// 13.1.2).
    ///
    /// - Parameter tag: with its quotation marks.
    public func knows(_ tag: String) -> Bool {
        guard let known = header("if-none-match") else { return false }
        return known == "*" || known.split(separator: ",").contains { $0.contains(tag) }
    }
}

extension HTTPResponse {
    /// The answer, or 304 if the client's GET already carried the answer's ETag.
    public func revalidated(for request: HTTPRequest) -> HTTPResponse {
        guard request.method == .get, status == 200,
            let tag = headers.first(where: { $0.name == "etag" })?.value, request.knows(tag)
        else { return self }
        return HTTPResponse(
            status: 304, headers: headers.filter { Self.revalidationHeaders.contains($0.name) })
    }

    /// The header fields that a 304 repeats (RFC 9110, 15.4.5).
    private static let revalidationHeaders: Set<String> = [
        "etag", "cache-control", "content-location", "expires", "vary",
    ]
}
