/// A server's address and its limits.
public struct HTTPServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address in digits.
    public var address = "127.0.0.1"
    /// The port. 0 asks the system for a free one.
    public var port = 0
    /// The number of threads that poll connections. One serves tens of thousands of requests a
    /// second.
    public var threads = 1
    /// The limit for connections. It is lower, with a report, if the system allows fewer open
    /// files.
    public var maximumConnections = 16_384
    /// The limit for connections of one address (IPv6: one /64), except trusted proxies.
    public var maximumConnectionsOfAddress = 1_000
    /// The limit for one address's requests whose body is still arriving.
    public var maximumUnfinishedOfAddress = 1_000
    /// The proxies whose X-Forwarded-For is trusted.
    public var trustedProxies: [AddressRange] = []
    /// An idle connection is closed after this time, or sooner when new connections need room.
    public var idleTimeoutSeconds = 60
    /// The time within which a complete request, head and body, must arrive.
    public var requestTimeoutSeconds = 30
    /// The memory for a request's head, which is also each connection's own memory.
    public var maximumHeaderBytes = 16_384
    /// The request rate of one token, or of one address without a token. Nil sets no limit.
    public var requestsPerSecondPerToken: Double?
    /// The number of requests allowed at once beyond the rate above.
    public var burst = 100
    /// The rate of one address's requests without the valid token that their route needs. They have
    /// their own allowance.
    public var failuresPerSecondPerAddress: Double?
    /// The number of requests allowed at once beyond the rate above.
    public var failureBurst = 200
    /// The limit for bytes of bodies, from their first byte to their answer: in total, and per
    /// sender.
    public var maximumBodyBytesInFlight = 268_435_456
    public var maximumBodyBytesOfSender = 67_108_864
    /// A client that leaves more bytes of a stream unread is cut.
    public var maximumUnsentStreamBytes = 1_048_576
    /// How long `stop` waits for running requests.
    public var drainSeconds = 10.0
    /// The web pages that may call the server from a browser.
    public var crossOrigin = CrossOrigin.none
    /// How answers are compressed.
    public var coding = GzipCoding.none

    public init() {}
}
