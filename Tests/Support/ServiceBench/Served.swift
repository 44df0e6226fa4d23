import Events
import HTTP
import HTTPClient
import ServiceHost

/// The two ways for a test's requests to reach a service. The same test body can run with both.
public enum Transport: String, CaseIterable, Sendable {
    case memory, socket
}

/// The routes that serve a test's requests.
public final class Served: Sendable {
    private enum Way: Sendable {
        case memory(RequestHandler, now: @Sendable () -> Timestamp)
        case socket(HTTPServer, HTTPClient)
    }

    private let way: Way

    init(
        _ routes: [Route], over transport: Transport, tokens: TokenDirectory,
        security: SecurityLog, now: @escaping @Sendable () -> Timestamp,
        onUnexpected: @escaping @Sendable (String) -> Void
    ) throws {
        switch transport {
        case .memory:
            way = .memory(
                try RequestHandler(
                    routes: routes, authenticator: tokens, authorizer: TableAuthorizer(),
                    onRefused: { security.note($0) }, onUnexpected: onUnexpected), now: now)
        case .socket:
            let server = try HTTPServer(
                configuration: HTTPServerConfiguration(), routes: routes, authenticator: tokens,
                authorizer: TableAuthorizer(), onUnexpected: onUnexpected,
                onRefused: { security.note($0) })
            try server.start()
            way = .socket(server, HTTPClient())
        }
    }

    /// - Parameter target: the path, with its query.
    public func send(
        _ method: String, _ target: String, token: String? = nil,
        headers: [String: String] = [:], body: String = ""
    ) async throws -> Answer {
        var headers = headers
        if let token { headers["authorization"] = "Bearer \(token)" }
        switch way {
        case .memory(let handler, let now):
            let parts = target.split(separator: "?", maxSplits: 1)
            let query = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { pair in
                let words = pair.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: String(words[0]), value: words.count > 1 ? String(words[1]) : "")
            }
            guard let method = HTTPMethod(rawValue: method) else { throw UnknownMethod() }
            let response = await handler.handle(
                HTTPRequest(
                    method: method, path: String(parts[0]), query: query, headers: headers,
                    body: Array(body.utf8), receivedAtMicroseconds: now().microseconds))
            return try await Answer(response)
        case .socket(let server, let client):
            let response = try await client.send(
                method, "http://127.0.0.1:\(server.port)\(target)",
                headers: headers.map { ($0.key, $0.value) }, body: Array(body.utf8))
            return Answer(
                status: response.status, headers: response.headers, body: response.body)
        }
    }

    public func stop() async {
        guard case .socket(let server, let client) = way else { return }
        client.close()
        await server.stop()
    }

    private struct UnknownMethod: Error {}
}
