extension HTTPClientResponse {
    /// Statuses that may pass by themselves. 429: too many requests. 502: the proxy got no valid
    /// response from the service. 503: the service can't work now. 504: the proxy got no response
    /// in time.
    private static let passing: Set<Int> = [429, 502, 503, 504]

    /// Whether the fault may pass by itself. Our clients then send the same request, with the same
    /// ids, again until another status comes.
    public var mayPass: Bool { Self.passing.contains(status) }

    /// The wait that the server asks for: Retry-After in seconds. Nil where the header is missing.
    public var retryAfterSeconds: Int? {
        headers["retry-after"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
