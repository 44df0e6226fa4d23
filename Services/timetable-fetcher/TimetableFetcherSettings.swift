import HTTPClient
import ServiceHost
import ServiceRuntime

struct TimetableFetcherSettings: Sendable {
    /// The most bytes of an unpacked answer.
    static let answerBytes = 32 << 20
    private static let redirects = 5
    /// Feeds are polled for minutes, and a new connection takes longer than most answers.
    private static let openConnections = 128

    let concurrent: Int
    /// The time for one answer, whole.
    let timeoutSeconds: Double
    let client: HTTPClient.Configuration

    init(_ configuration: Configuration) {
        concurrent = configuration.integer(Self.concurrentFetches)
        timeoutSeconds = Double(configuration.integer(Self.seconds))
        var client = HTTPClient.Configuration.ofServices(configuration)
        let networks = configuration.optionalText(Self.networks.name) ?? ""
        client.guarding = NetworkGuard(allowing: Self.networks(networks) ?? [])
        client.proxy = configuration.optionalText(Self.proxy.name)
        client.maximumConcurrentRequests = concurrent
        client.maximumOpenConnections = Self.openConnections
        client.maximumResponseBytes = Self.answerBytes
        client.maximumRedirects = Self.redirects
        client.acceptsCompressed = true
        self.client = client
    }

    static let all = [networks, proxy, concurrentFetches, seconds]

    static func missing(in environment: [String: String]) -> [ConfigurationFault] {
        guard let text = environment[networks.name], !text.isEmpty, networks(text) == nil else {
            return []
        }
        return [
            ConfigurationFault(
                name: networks.name, problem: "lists networks such as 10.2.0.0/16,fd00::/8")
        ]
    }

    private static func networks(_ text: String) -> [NetworkGuard.Network]? {
        let parts = text.split(whereSeparator: { $0 == "," || $0 == " " })
        let networks = parts.compactMap { NetworkGuard.Network(String($0)) }
        return networks.count == parts.count ? networks : nil
    }

    static let networks = Setting(
        "WHEREABOUTS_FEED_NETWORKS", .text, .optional,
        help: "private networks that feeds may be fetched from, such as 10.2.0.0/16")
    private static let proxy = Setting(
        "WHEREABOUTS_FEED_PROXY", .text, .optional,
        help: "the proxy of all fetches of feeds; it must refuse private addresses itself")
    private static let concurrentFetches = Setting(
        "WHEREABOUTS_FEED_FETCHES", .integer(1...256), .defaultsTo("16"),
        help: "the most feeds that one process fetches at once")
    private static let seconds = Setting(
        "WHEREABOUTS_FEED_SECONDS", .integer(1...60), .defaultsTo("60"),
        help: "the seconds after which a feed's answer has to be complete")
}
