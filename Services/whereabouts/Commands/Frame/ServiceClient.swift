import HTTPClient
import JSON
import ServiceHost
import ServiceRuntime

/// Calls the services as an administrator does: through one origin (`WHEREABOUTS_URL`), or each at
/// its own address (`WHEREABOUTS_SCAN_INGEST_URL`, ...), with the token of `WHEREABOUTS_TOKEN`.
///
/// A status that passes by itself is no refusal: the same request is sent again.
struct ServiceClient: Sendable {
    /// Requests under way at once.
    static let concurrency = 256
    /// For how long a question is asked again; what is to be delivered is sent without end.
    static let patience = Duration.seconds(60)

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

    /// - Throws: `CommandFault` when there is no token.
    init(_ environment: [String: String] = ServiceProgram.processEnvironment) throws(CommandFault) {
        guard let token = environment["WHEREABOUTS_TOKEN"], !token.isEmpty else {
            throw CommandFault(
                "WHEREABOUTS_TOKEN is not set; `whereabouts token create` makes a token")
        }
        self.token = token
        origin = Self.withoutSlash(environment["WHEREABOUTS_URL"] ?? "http://127.0.0.1:8080")
        ownURLs = environment.compactMapValues { $0.isEmpty ? nil : Self.withoutSlash($0) }
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrentRequests = Self.concurrency
        configuration.maximumResponseBytes = 64 << 20
        let variable = CertificateFile.variable
        if let file = environment[variable], !file.isEmpty {
            if let fault = CertificateFile.fault(file) {
                throw CommandFault("\(variable) \(fault)")
            }
            configuration.certificateFile = file
        }
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
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [],
        patience: Duration = ServiceClient.patience
    ) async throws -> [UInt8] {
        try await send(method, service, path, body: body, patience: patience).body
    }

    /// The answer; anything but 2xx throws `Refusal`, one that passes by itself when it has lasted.
    func send(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [],
        headers further: [(name: String, value: String)] = [],
        patience: Duration = ServiceClient.patience
    ) async throws -> HTTPClientResponse {
        let end = ContinuousClock.now.advanced(by: patience)
        while true {
            let answer = try await client.send(
                method, url(service, path), headers: headers + further, body: body,
                timeoutSeconds: 120)
            if answer.mayPass, ContinuousClock.now < end {
                try await Self.pause(answer.retryAfterSeconds)
                continue
            }
            return try Self.good(answer)
        }
    }

    /// Sends until the server takes it or refuses it for good, however long it is away: with ids,
    /// or where a second time is harmless. `note` is told once that it takes its time.
    ///
    /// - Throws: `Refusal`, and `HTTPClientError` for what no waiting mends, such as a certificate
    ///   that is not trusted.
    func deliver(
        _ method: String, _ service: String, _ path: String, body: [UInt8],
        timeoutSeconds: Double = 120, note: (String) async -> Void = { _ in }
    ) async throws -> HTTPClientResponse {
        var wasNoted = false
        while true {
            var wait: Int?
            let reason: String
            do {
                let answer = try await client.send(
                    method, url(service, path), headers: headers, body: body,
                    timeoutSeconds: timeoutSeconds)
                guard answer.mayPass else { return try Self.good(answer) }
                reason = "\(service) answers \(answer.status)"
                wait = answer.retryAfterSeconds
            } catch let error as HTTPClientError {
                guard error.isRetriable else { throw error }
                reason = "\(service) does not answer (\(error.reason))"
            }
            if !wasNoted { await note("\(reason); sending again until it takes it") }
            wasNoted = true
            try await Self.pause(wait)
        }
    }

    private static func good(_ answer: HTTPClientResponse) throws -> HTTPClientResponse {
        guard (200..<300).contains(answer.status) else {
            let text = String(decoding: answer.body.prefix(1_000), as: UTF8.self)
            throw Refusal(status: answer.status, body: text)
        }
        return answer
    }

    /// As long as the server asks for, ten seconds at most; many senders don't come at once.
    static func pause(_ seconds: Int?) async throws {
        let asked = min(seconds ?? 0, 10) * 1_000
        try await Task.sleep(for: .milliseconds(asked + Int.random(in: 100...400)))
    }

    private static func withoutSlash(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
