internal import Cryptography
internal import HTTP
internal import ServiceRuntime
internal import Wire

/// Gives the latest scan to a page of the server that runs on the same machine, such as a
/// telephone.
///
/// A page of any other site on this machine could call it, too. So it answers only the origin that
/// the scanner was enrolled for, under its own name, to who shows a code. The name keeps out pages
/// that let theirs lead here (DNS rebinding).
final class PageServer: Sendable {
    /// The page sends it as `Authorization: Bearer CODE`. Each start has a new one, of 96 bits.
    let code: String
    private let server: HTTPServer

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - origin: the server's, such as `https://where.example`.
    init(
        port: Int, origin: String, log: Logger,
        latest: @escaping @Sendable () async -> ScanSubmission?
    ) throws(ScannerFault) {
        let code = base64URL(randomBytes(12))
        self.code = code
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        configuration.maximumConnections = 32
        configuration.requestsPerSecondPerToken = 10
        configuration.failuresPerSecondPerAddress = 1
        configuration.failureBurst = 20
        configuration.maximumBodyBytesInFlight = 1 << 20
        configuration.maximumBodyBytesOfSender = 1 << 20
        configuration.drainSeconds = 1
        configuration.crossOrigin = CrossOrigin(origins: [origin], allowsPrivateNetwork: true)
        let rules = PageRules(code: code)
        let route = Route(
            .get, "/scan",
            handler: .task { request in
                guard Self.isOurs(request, origin: origin) else {
                    return HTTPResponse(status: 403)
                }
                guard let scan = await latest() else { return HTTPResponse(status: 204) }
                return .json(scan.json)
            })
        do {
            server = try HTTPServer(
                configuration: configuration, routes: [route], authenticator: rules,
                authorizer: rules,
                onUnexpected: { log.warning("The page's server", ["reason": .text($0)]) })
            try server.start()
        } catch {
            throw ScannerFault("--listen: \(error)")
        }
    }

    var port: Int { server.port }

    func stop() async { await server.stop() }

    /// Whether the request comes from a page of our server and was meant for this machine.
    static func isOurs(_ request: HTTPRequest, origin: String) -> Bool {
        let host = request.header("host")?.split(separator: ":").first
        return request.header("origin") == origin && (host == "127.0.0.1" || host == "localhost")
    }
}

/// Who has the code may read, and nobody else.
private final class PageRules: Authenticator, Authorizer, AccessRule {
    private final class Page: Principal {
        let id = "page"
    }

    private let code: [UInt8]
    private let page = Page()

    init(code: String) { self.code = Array(code.utf8) }

    func principal(forBearer token: String) -> (any Principal)? {
        isEqualInConstantTime(Array(token.utf8), code) ? page : nil
    }

    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? { self }

    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
        principal == nil ? .tokenMissing : nil
    }
}
