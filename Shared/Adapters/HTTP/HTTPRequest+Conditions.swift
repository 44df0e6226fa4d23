extension HTTPRequest {
    /// Whether the client has what the tag stands for: `If-None-Match` of RFC 9110, 13.1.2.
    /// - Parameter tag: with its quotation marks.
    public func knows(_ tag: String) -> Bool {
        guard let known = header("if-none-match") else { return false }
        return known == "*" || known.split(separator: ",").contains { $0.contains(tag) }
    }
}

extension HTTPResponse {
    /// 304 in place of an answer whose ETag the client sent with its GET; else the answer as it is.
    public func revalidated(for request: HTTPRequest) -> HTTPResponse {
        guard request.method == .get, status == 200,
            let tag = headers.first(where: { $0.name == "etag" })?.value, request.knows(tag)
        else { return self }
        return HTTPResponse(
            status: 304, headers: headers.filter { Self.revalidationHeaders.contains($0.name) })
    }

    /// What 304 repeats of the answer: RFC 9110, 15.4.5.
    private static let revalidationHeaders: Set<String> = [
        "etag", "cache-control", "content-location", "expires", "vary",
    ]
}
