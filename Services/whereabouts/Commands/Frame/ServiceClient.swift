import HTTPClient
import JSON
import ServiceHost
import ServiceRuntime
import Wire

/// Sends requests to the services with the token of `WHEREABOUTS_TOKEN`: through one origin
/// (`WHEREABOUTS_URL`), or to each service's own address (`WHEREABOUTS_SCAN_INGEST_URL`, ...).
///
/// After a temporary status, such as 503, it sends the same request again.
struct ServiceClient: Sendable {
    /// The most requests that are sent at the same time.
    static let concurrency = 256
    /// For how long `send` repeats a request; `deliver` repeats it without end.
    static let patience = Duration.seconds(60)
    /// The longest wait that a person at a command sits out after 429; `deliver` waits longer.
    private static let longestWaitSeconds = 10

    let client: HTTPClient
    private let token: String
    private let addresses: ServiceAddresses

    /// The server's answer to a request that it refused.
    struct Refusal: Error, CustomStringConvertible {
        var status: Int
        var body: String
        /// After 429 the seconds until an allowance comes back; nil where the answer has none.
        var retryAfterSeconds: Int?

        /// The fault in one line, and when to try again. The detail of a 429 says that itself; the
        /// answer of a proxy may not.
        var description: String {
            guard let seconds = retryAfterSeconds, seconds > 0, !fault.contains(" Try again in ")
            else { return fault }
            let again =
                seconds < 120 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
            return "\(fault); try again in \(again)"
        }

        /// The detail and the code of the problem (RFC 9457) in the body, else the body itself.
        private var fault: String {
            let problem = try? JSONParser.read(Array(body.utf8)) { root in
                root.object.flatMap { problem -> String? in
                    guard let detail = problem["detail"]?.string else { return nil }
                    return problem["code"]?.string.map { "\(detail) (\(status) \($0))" } ?? detail
                }
            }
            return problem.flatMap { $0 } ?? "the server answered \(status): \(body)"
        }
    }

    /// - Throws: `CommandFault` when there is no token, or an address is malformed.
    init(_ environment: [String: String] = ServiceProgram.processEnvironment) throws(CommandFault) {
        guard let token = environment["WHEREABOUTS_TOKEN"], !token.isEmpty else {
            throw CommandFault(
                "WHEREABOUTS_TOKEN is not set; `whereabouts token create` makes a token")
        }
        self.token = token
        addresses = try ServiceAddresses(environment)
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

    /// The address of a path of the service.
    func url(_ service: String, _ path: String) -> String {
        addresses.of(service).url + path
    }

    /// The fault as a person reads it: with the address and, if nothing answers there, advice.
    func described(_ error: HTTPClientError, of service: String) -> any Error {
        guard error.isRetriable, error.code != "status" else { return error }
        let (url, variable) = addresses.of(service)
        return CommandFault(
            "nothing answers at \(url) (\(variable)): \(error.reason). Is the server running, and "
                + "is the address right, with http or https?")
    }

    /// Sends a request and returns the body of the answer.
    ///
    /// - Throws: `Refusal` for a status other than 2xx.
    @discardableResult
    func call(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [],
        patience: Duration = ServiceClient.patience
    ) async throws -> [UInt8] {
        try await send(method, service, path, body: body, patience: patience).body
    }

    /// Sends a request, again after each temporary status until `patience` has passed. A 429 that
    /// asks for a long wait ends it at once: a person would wait for an answer that can't come.
    ///
    /// - Throws: `Refusal` for a status other than 2xx, `CommandFault` if nothing answers.
    func send(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [],
        headers further: [(name: String, value: String)] = [],
        patience: Duration = ServiceClient.patience
    ) async throws -> HTTPClientResponse {
        let end = ContinuousClock.now.advanced(by: patience)
        while true {
            let answer: HTTPClientResponse
            do {
                answer = try await client.send(
                    method, url(service, path), headers: headers + further, body: body,
                    timeoutSeconds: 120)
            } catch {
                throw described(error, of: service)
            }
            if answer.mayPass, !Self.waitsForOperator(answer), !Self.waitsLong(answer),
                ContinuousClock.now < end
            {
                try await Self.pause(answer.retryAfterSeconds)
                continue
            }
            return try Self.good(answer)
        }
    }

    /// Sends a request until the server accepts it or refuses it for good, however long the
    /// server is away. Only for requests that may arrive twice, such as those with ids.
    ///
    /// - Parameter note: called once, when the request has to be sent again.
    /// - Throws: `Refusal`, and `HTTPClientError` for a fault that doesn't pass, such as a
    ///   certificate that is not trusted.
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
            if !wasNoted { await note("\(reason); sending again until it accepts the request") }
            wasNoted = true
            try await Self.pause(wait)
        }
    }

    /// Whether the server is up, but changes nothing until an operator has mended something.
    private static func waitsForOperator(_ answer: HTTPClientResponse) -> Bool {
        let code = try? JSONParser.read(answer.body) { $0.object?["code"]?.string }
        return code == ProblemCode.notReconciled.text
    }

    /// Whether the caller has used up an allowance that comes back later than a person waits.
    private static func waitsLong(_ answer: HTTPClientResponse) -> Bool {
        answer.status == 429 && answer.retryAfterSeconds ?? 0 > longestWaitSeconds
    }

    private static func good(_ answer: HTTPClientResponse) throws -> HTTPClientResponse {
        guard (200..<300).contains(answer.status) else {
            let text = String(decoding: answer.body.prefix(1_000), as: UTF8.self)
            let wait = answer.status == 429 ? answer.retryAfterSeconds : nil
            throw Refusal(status: answer.status, body: text, retryAfterSeconds: wait)
        }
        return answer
    }

    /// Sleeps for as long as the server asks, ten seconds at most. Adds a random 0.1 to 0.4 s, so
    /// that many senders do not come back at the same moment.
    ///
    /// - Parameter seconds: the answer's Retry-After.
    static func pause(_ seconds: Int?) async throws {
        let asked = min(seconds ?? 0, 10) * 1_000
        try await Task.sleep(for: .milliseconds(asked + Int.random(in: 100...400)))
    }
}
