import Cryptography
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Wire

/// GET and POST /v1/meraki/{site}: the receiver of Meraki's Scanning API.
struct MerakiRoutes: Sendable {
    /// A network of some thousand devices, once a minute.
    private static let bodyLimit = 8_388_608

    let networks: MerakiSites
    let sink: any SightingSink
    private let largeBodies = LargeBodies()
    private let leftOut: Counter

    init(networks: MerakiSites, sink: any SightingSink, metrics: MetricsRegistry) {
        self.networks = networks
        self.sink = sink
        leftOut = metrics.counter(
            "whereabouts_foreign_left_out_total",
            help: "Records of other systems that were left out, since they can't be used.",
            labels: ["system": "meraki"])
    }

    var all: [Route] {
        [
            Route(.get, "/v1/meraki/{site}", handler: .task { try validator($0) }),
            // Posts come without a token. So nothing is read for a site without such a network.
            Route(
                .post, "/v1/meraki/{site}", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await post($0) }
            ).refusing { parameters in
                let site = Self.site(parameters)
                return networks[site] == nil ? Problem.siteUnknown(site) : nil
            },
        ]
    }

    /// Meraki asks for the validator to see that it reaches the receiver of its customer.
    private func validator(_ request: HTTPRequest) throws -> HTTPResponse {
        HTTPResponse(
            headers: [
                ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"),
            ],
            body: .bytes(Array(try network(request).network.validator.utf8)))
    }

    private func post(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, network) = try network(request)
        // The posts of a site queue behind each other.
        let post = try await largeBodies.value(bytes: request.body.count, of: site.text) {
            Self.read(request, network)
        }.get()
        if post.leftOut > 0 { leftOut.increment(by: post.leftOut) }
        var refused = 0
        if !post.heard.isEmpty { refused = try await sink.accept(post.heard, of: site).count }
        let accepted = post.heard.count - refused
        let counts = "\"accepted\":\(accepted),\"refused\":\(refused),\"leftOut\":\(post.leftOut)"
        return .json(Array("{\(counts)}".utf8))
    }

    /// Reads a post. Its secret is compared as soon as the JSON is parsed, before all else.
    private static func read(
        _ request: HTTPRequest, _ network: MerakiSites.Network
    ) -> Result<MerakiPost, Problem> {
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        do throws(Problem) {
            let post = try request.read { (body) throws(WireFault) in
                try MerakiPost(json: body, receivedAt: received) { secret in
                    isEqualInConstantTime(Array(secret.utf8), network.secret)
                }
            }
            return .success(post)
        } catch {
            return .failure(error)
        }
    }

    private static func site(_ parameters: [String: String]) -> SiteID {
        SiteID(parameters["site"] ?? "")
    }

    /// A site without such a network is as unknown as one that there is not.
    private func network(
        _ request: HTTPRequest
    ) throws(Problem) -> (site: SiteID, network: MerakiSites.Network) {
        let site = Self.site(request.parameters)
        guard let network = networks[site] else { throw Problem.siteUnknown(site) }
        return (site, network)
    }
}
