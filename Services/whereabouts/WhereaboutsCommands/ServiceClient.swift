import HTTPClient
import JSON
import ServiceRuntime

/// Calls the services as an administrator does: through one origin (`WHEREABOUTS_URL`), or each at
/// its own address (`WHEREABOUTS_SCAN_INGEST_URL`, ...), with the token of `WHEREABOUTS_TOKEN`.
struct ServiceClient: Sendable {
    /// Requests under way at once.
    static let concurrency = 256

    let client: HTTPClient
    private let token: String
    private let origin: String
    private let ownURLs: [String: String]

    /// What the server said instead of doing it.
    struct Refusal: Error, CustomStringConvertible {
        var status: Int
        var body: String
        /// The sentence of a problem (RFC 9457) and its code, as people read them.
        var description: String {
            let told = try? JSONParser.read(Array(body.utf8)) { root in
                root.object.flatMap { problem -> String? in
                    guard let detail = problem["detail"]?.string else { return nil }
                    return problem["code"]?.string.map { "\(detail) (\(status) \($0))" } ?? detail
                }
            }
            return told.flatMap { $0 } ?? "the server answered \(status): \(body)"
        }
    }

    /// - Throws: `UsageFault` when there is no token.
    init(_ environment: [String: String] = ServiceProgram.processEnvironment) throws(UsageFault) {
        guard let token = environment["WHEREABOUTS_TOKEN"], !token.isEmpty else {
            throw UsageFault(
                "WHEREABOUTS_TOKEN is not set; `whereabouts token create` makes a token")
        }
        self.token = token
        origin = Self.withoutSlash(environment["WHEREABOUTS_URL"] ?? "http://127.0.0.1:8080")
        ownURLs = environment.compactMapValues { $0.isEmpty ? nil : Self.withoutSlash($0) }
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrentRequests = Self.concurrency
        configuration.maximumResponseBytes = 64 << 20
        client = HTTPClient(configuration)
    }

    var headers: [(name: String, value: String)] {
        [("authorization", "Bearer \(token)"), ("content-type", "application/json")]
    }

    /// Where a path is served.
    func url(_ service: String, _ path: String) -> String {
        let variable = "WHEREABOUTS_\(service.uppercased().replacing("-", with: "_"))_URL"
        return (ownURLs[variable] ?? origin) + path
    }

    /// The body of the answer; anything but 2xx throws `Refusal`.
    @discardableResult
    func call(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = []
    ) async throws -> [UInt8] {
        try await send(method, service, path, body: body).body
    }

    /// The answer; anything but 2xx throws `Refusal`.
    func send(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [],
        headers further: [(name: String, value: String)] = []
    ) async throws -> HTTPClientResponse {
        let answer = try await client.send(
            method, url(service, path), headers: headers + further, body: body,
            timeoutSeconds: 120)
        guard (200..<300).contains(answer.status) else {
            let text = String(decoding: answer.body.prefix(1_000), as: UTF8.self)
            throw Refusal(status: answer.status, body: text)
        }
        return answer
    }

    private static func withoutSlash(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
