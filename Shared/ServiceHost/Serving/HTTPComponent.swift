import HTTP
import ServiceRuntime

/// The process's one HTTP server.
struct HTTPComponent: Component {
    let name = "http"
    private let server: HTTPServer
    private let logger: Logger
    private let address: ListenAddress

    /// - Throws: `UnruledRoutes` with the routes that have no row in the access table.
    init(
        _ context: ServiceContext, routes: [Route], authenticator: any Authenticator,
        security: SecurityLog
    ) throws(UnruledRoutes) {
        let settings = context.configuration
        address = settings.listenAddress("WHEREABOUTS_LISTEN")
        logger = context.log
        var configuration = HTTPServerConfiguration()
        configuration.address = address.host
        configuration.port = address.port
        configuration.threads = settings.integer("WHEREABOUTS_HTTP_THREADS")
        configuration.applyLimits(settings)
        configuration.crossOrigin = CrossOrigin(
            origins: OriginList.read(settings.optionalText("WHEREABOUTS_CORS_ORIGINS") ?? ""))
        configuration.coding = .standard
        let observer = ResponseObserver(context.metrics, routes: routes)
        server = try HTTPServer(
            configuration: configuration, routes: routes, authenticator: authenticator,
            authorizer: TableAuthorizer(),
            onUnexpected: { context.log.error($0) }, onRefused: { security.note($0) },
            onResponse: { pattern, method, status, seconds in
                observer.observe(pattern: pattern, status: status, seconds: seconds)
            })
    }

    func start() async throws {
        try server.start()
        logger.info("listening", ["address": .text("\(address)")])
    }

    func stop() async { await server.stop() }
}

extension HTTPServerConfiguration {
    fileprivate mutating func applyLimits(_ settings: Configuration) {
        func rate(_ name: String) -> Double? {
            let number = settings.integer(name)
            return number == 0 ? nil : Double(number)
        }
        func seconds(_ name: String) -> Int { Int(settings.duration(name).components.seconds) }
        maximumConnections = settings.integer("WHEREABOUTS_HTTP_CONNECTIONS")
        maximumConnectionsOfAddress = settings.integer("WHEREABOUTS_CONNECTIONS_PER_ADDRESS")
        maximumUnfinishedOfAddress = settings.integer("WHEREABOUTS_UNFINISHED_PER_ADDRESS")
        idleTimeoutSeconds = seconds("WHEREABOUTS_IDLE_TIMEOUT")
        requestTimeoutSeconds = seconds("WHEREABOUTS_REQUEST_TIMEOUT")
        trustedProxies =
            settings.optionalText("WHEREABOUTS_TRUSTED_PROXIES").flatMap(AddressRange.list) ?? []
        requestsPerSecondPerToken = rate("WHEREABOUTS_REQUESTS_PER_SECOND")
        burst = settings.integer("WHEREABOUTS_REQUEST_BURST")
        failuresPerSecondPerAddress = rate("WHEREABOUTS_FAILURES_PER_SECOND")
        failureBurst = max(1, 2 * settings.integer("WHEREABOUTS_FAILURES_PER_SECOND"))
        maximumBodyBytesInFlight = settings.integer("WHEREABOUTS_BODY_MEMORY") << 20
        maximumBodyBytesOfSender = max(40 << 20, maximumBodyBytesInFlight / 4)
    }
}

/// Counts and times responses. The metrics are made once, so that a request only looks them up.
private struct ResponseObserver: Sendable {
    private struct Series: Sendable {
        var byClass: [Counter]
        var seconds: Histogram
    }

    private let series: [String: Series]
    private let others: Series
    /// Requests that were refused because their sender has sent too many.
    private let overQuota: Counter

    init(_ metrics: MetricsRegistry, routes: [Route]) {
        func make(_ pattern: String) -> Series {
            Series(
                byClass: (1...5).map { statusClass in
                    metrics.counter(
                        "whereabouts_http_responses_total", help: "Responses by route and class.",
                        labels: ["route": pattern, "class": "\(statusClass)xx"])
                },
                seconds: metrics.histogram(
                    "whereabouts_http_response_seconds",
                    help: "From the request's first byte to its answer.",
                    labels: ["route": pattern]))
        }
        series = Dictionary(
            Set(routes.map(\.pattern)).map { ($0, make($0)) }, uniquingKeysWith: { one, _ in one })
        others = make("unmatched")
        overQuota = metrics.counter(
            "whereabouts_over_quota_total", help: "Requests refused with the status 429.")
    }

    func observe(pattern: String, status: Int, seconds: Double) {
        let series = series[pattern] ?? others
        series.byClass[min(max(status / 100, 1), 5) - 1].increment()
        series.seconds.observe(seconds)
        if status == 429 { overQuota.increment() }
    }
}
