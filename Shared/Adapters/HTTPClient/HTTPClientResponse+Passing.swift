extension HTTPClientResponse {
    /// Statuses that may pass by themselves. 429: too many requests. 502: the proxy got no valid
    /// response from the service. 503: the service can't work now. 504: the proxy got no response
    /// in time.
    private static let passing: Set<Int> = [429, 502, 503, 504]

    /// Whether the fault may pass by itself. Our clients then send the same request, with the same
    /// ids, again until another status comes.
    public var mayPass: Bool { Self.passing.contains(status) }

    /// The longest wait that a server gets. A proxy may ask for any number.
    private static let longestRetryAfterSeconds = 86_400

    /// The wait that the server asks for: Retry-After in seconds, at most a day. Nil where the
    /// header is missing or no number.
    public var retryAfterSeconds: Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let text = headers["retry-after"], !text.isEmpty,
            text.utf8.allSatisfy({ digits.contains($0) })
        else { return nil }
        // More digits than an integer has are a longer wait, too.
        return min(Int(text) ?? .max, Self.longestRetryAfterSeconds)
    }
}
