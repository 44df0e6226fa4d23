import HTTP
import HTTPClient

@testable import Commands

/// Lets every caller do everything on a test's server.
private struct Anybody: Authenticator, Authorizer, AccessRule {
    private final class Caller: Principal {
        let id = "anybody"
    }

    func principal(forBearer token: String) -> (any Principal)? { Caller() }
    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? { self }
    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? { nil }
}

/// Runs `body` with a client of a server that has only these routes.
func withServices(
    _ routes: [Route], _ body: (ServiceClient) async throws -> Void
) async throws {
    let server = try HTTPServer(
        configuration: HTTPServerConfiguration(), routes: routes, authenticator: Anybody(),
        authorizer: Anybody(), onUnexpected: { _ in })
    try server.start()
    do {
        let client = try ServiceClient([
            "WHEREABOUTS_TOKEN": "a", "WHEREABOUTS_URL": "http://127.0.0.1:\(server.port)",
        ])
        try await body(client)
        client.client.close()
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
