/// How a server listens, and its limits.
public struct HTTPServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address in digits.
    public var address = "127.0.0.1"
    /// 0 asks for any free port.
    public var port = 0
    /// Threads that poll connections. One carries tens of thousands of requests a second.
    public var threads = 1
    public var maximumConnections = 4096
    /// A connection without a request in flight is closed after this.
    public var idleTimeoutSeconds = 60
    /// Within this a request, head and body, must have arrived whole.
    public var requestTimeoutSeconds = 30
    /// The memory for the head of a request; also each connection's own.
    public var maximumHeaderBytes = 16_384
    /// Requests of one token, or without a token of one address; nil counts nothing.
    public var requestsPerSecondPerToken: Double?
    /// How many of these may come at once.
    public var burst = 100
    /// A client that leaves more than this of a stream unread is cut.
    public var maximumUnsentStreamBytes = 1_048_576
    /// How long `stop` waits for requests in flight.
    public var drainSeconds = 10.0
    /// Whose pages may call the server from a browser.
    public var crossOrigin = CrossOrigin.none

    public init() {}
}
