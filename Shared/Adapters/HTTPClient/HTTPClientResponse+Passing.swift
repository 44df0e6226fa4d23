extension HTTPClientResponse {
    /// Too many requests; the proxy gets no answer of the service, or a broken one (502); the
    /// service can't do its work now; the proxy gets none in time (504).
    private static let passing: Set<Int> = [429, 502, 503, 504]

    /// Whether the status passes by itself: the same request, with the same ids, is sent again
    /// until another comes. All clients of ours ask here.
    public var mayPass: Bool { Self.passing.contains(status) }

    /// How long the server asks to wait: Retry-After in seconds; nil where it does not say.
    public var retryAfterSeconds: Int? {
        headers["retry-after"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
