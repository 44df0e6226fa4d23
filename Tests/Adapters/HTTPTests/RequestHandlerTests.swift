import HTTP
import HTTPClient
import Testing

/// The two ways to send a request to a handler. The same test runs with both.
enum Place: String, CaseIterable, CustomTestStringConvertible {
    case memory, socket
    var testDescription: String { rawValue }
}

struct Answer {
    var status: Int
    var headers: [String: String]
    var body: String
}

typealias Ask =
    (_ method: HTTPMethod, _ path: String, _ token: String?, _ body: [UInt8]) async throws -> Answer

/// Gives `body` a function that sends requests to the routes, in memory or over a socket.
func answering(
    _ place: Place, _ routes: [Route], rate: Double? = nil, burst: Int = 100,
    _ body: (Ask) async throws -> Void
) async throws {
    switch place {
    case .memory:
        let handler = try RequestHandler(
            routes: routes, authenticator: RoleTokens(), authorizer: testRules,
            requestsPerSecondPerToken: rate, burst: burst)
        try await body { method, path, token, bytes in
            let headers = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
            let response = await handler.handle(
                HTTPRequest(method: method, path: path, headers: headers, body: bytes))
            guard case .bytes(let answer) = response.body else { throw Problem.notBytes }
            let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 }
            return Answer(status: response.status, headers: fields, body: text(answer))
        }
    case .socket:
        let client = HTTPClient()
        try await withServer(routes) {
            $0.requestsPerSecondPerToken = rate
            $0.burst = burst
        } _: { server in
            try await body { method, path, token, bytes in
                let headers = token.map { [("authorization", "Bearer \($0)")] } ?? []
                let response = try await client.send(
                    method.rawValue, "http://127.0.0.1:\(server.port)\(path)", headers: headers,
                    body: bytes)
                return Answer(
                    status: response.status, headers: response.headers, body: text(response.body))
            }
        }
    }
}

extension Problem {
    static let notBytes = Problem(
        status: 500, code: "not-bytes", detail: "The test expected a body of bytes.")
}

/// Tokens that have not been read yet.
private struct UnreadTokens: Authenticator {
    let isReady = false
    func principal(forBearer token: String) -> (any Principal)? { nil }
}

@Suite struct RequestHandlerTests {
    @Test("Before the tokens have been read, an unknown one gets 503 and not a refusal")
    func unreadTokens() async throws {
        let route = Route(
            .get, "/here",
            handler: .task { _ in HTTPResponse(status: 204) })
        let handler = try RequestHandler(
            routes: [route], authenticator: UnreadTokens(), authorizer: testRules)
        let answer = await handler.handle(
            HTTPRequest(
                method: .get, path: "/here", headers: ["authorization": "Bearer some"], body: []))
        #expect(answer.status == 503)
        #expect(answer.headers.contains { $0.name == "retry-after" })
        let missing = await handler.handle(
            HTTPRequest(method: .get, path: "/here", headers: [:], body: []))
        #expect(missing.status == 401)
    }

    @Test("A route without an access rule is refused, and the error names it")
    func unruledRoutes() {
        let answer = Route.Handler.task { _ in HTTPResponse(status: 204) }
        #expect(throws: UnruledRoutes(operations: ["DELETE /b", "GET /a"])) {
            _ = try RequestHandler(
                routes: [
                    Route(.get, "/a", handler: answer), Route(.delete, "/b", handler: answer),
                    Route(.get, "/c", handler: answer),
                ], authenticator: RoleTokens(),
                authorizer: TestRules(unruled: ["GET /a", "DELETE /b"]))
        }
    }

    private static func saying(_ word: String) -> Route.Handler {
        .callback { request, responder in
            let parameters = request.parameters.sorted { $0.key < $1.key }
            let names = parameters.map { " \($0.key)=\($0.value)" }.joined()
            responder.respond(HTTPResponse(body: .bytes(Array((word + names).utf8))))
        }
    }

    private static let routes = [
        Route(.get, "/places/{id}", handler: saying("place")),
        Route(.get, "/places/search", handler: saying("search")),
        Route(.get, "/places/{id}/rooms/{room}", handler: saying("room")),
        Route(.get, "/places/search/rooms", handler: saying("rooms")),
        Route(.put, "/places/{id}", handler: saying("put")),
        Route(
            .post, "/echo", maximumBodyBytes: 100,
            handler: .task { HTTPResponse(status: 201, body: .bytes($0.body)) }),
        Route(
            .get, "/whoami",
            handler: .task { request in
                HTTPResponse(body: .bytes(Array((request.principal?.id ?? "nobody").utf8)))
            }),
        Route(
            .get, "/problem",
            handler: .task { _ in
                throw Problem(status: 422, code: "odd", detail: "It is \"odd\".\n")
            }),
        Route(.get, "/failure", handler: .task { _ in throw CancellationError() }),
        Route(.get, "/dropped", handler: .callback { _, _ in }),
    ]

    @Test(
        "Literal segments win over parameters, and the handler gets the parameters",
        arguments: Place.allCases
    )
    func precedence(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            for (path, expected) in [
                ("/places/7", "place id=7"), ("/places/search", "search"),
                ("/places/search/rooms/3", "room id=search room=3"),
                ("/places/search/rooms", "rooms"), ("/places/7/rooms/3", "room id=7 room=3"),
            ] {
                let answer = try await ask(.get, path, nil, [])
                #expect(answer.status == 200)
                #expect(answer.body == expected)
            }
        }
    }

    @Test("Unknown paths answer 404 as a problem", arguments: Place.allCases)
    func notFound(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            for path in ["/", "/places", "/places/", "/places/7/", "/places/7/rooms", "/x"] {
                let answer = try await ask(.get, path, nil, [])
                #expect(answer.status == 404, "\(path)")
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.body.contains(#""type":"urn:whereabouts:problem:not-found""#))
                #expect(answer.body.contains(#""title":"Not Found","status":404"#))
            }
        }
    }

    @Test(
        "Another method answers 405, and OPTIONS 204, both with the allowed methods",
        arguments: Place.allCases)
    func allow(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            let refused = try await ask(.delete, "/places/7", nil, [])
            #expect(refused.status == 405)
            #expect(refused.headers["allow"] == "GET, HEAD, OPTIONS, PUT")
            #expect(refused.body.contains("method-not-allowed"))
            let options = try await ask(.options, "/places/7", nil, [])
            #expect(options.status == 204)
            #expect(options.headers["allow"] == "GET, HEAD, OPTIONS, PUT")
        }
    }

    @Test("HEAD is GET without its body", arguments: Place.allCases)
    func head(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            let answer = try await ask(.head, "/places/7", nil, [])
            #expect(answer.status == 200)
            #expect(answer.body == "")
        }
    }

    @Test(
        "A token is required, looked up and compared with the route's roles",
        arguments: Place.allCases)
    func tokens(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            let missing = try await ask(.get, "/whoami", nil, [])
            #expect(missing.status == 401)
            #expect(missing.headers["www-authenticate"] == "Bearer")
            #expect(missing.body.contains("token-missing"))
            let wrong = try await ask(.get, "/whoami", "nonsense", [])
            #expect(wrong.status == 401)
            #expect(wrong.body.contains("token-wrong"))
            let role = try await ask(.get, "/whoami", "analyst-token", [])
            #expect(role.status == 403)
            #expect(role.body.contains("role-not-allowed"))
            let right = try await ask(.get, "/whoami", "device-token", [])
            #expect(right.body == "device-token")
            // An open route refuses a wrong token too.
            #expect(try await ask(.get, "/places/7", "nonsense", []).status == 401)
        }
    }

    @Test(
        "A body up to the limit is accepted, and one more byte answers 413",
        arguments: Place.allCases)
    func bodies(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            let most = [UInt8](repeating: 0x61, count: 100)
            let taken = try await ask(.post, "/echo", nil, most)
            #expect(taken.status == 201)
            #expect(taken.body.utf8.count == 100)
            let refused = try await ask(.post, "/echo", nil, most + [0x61])
            #expect(refused.status == 413)
            #expect(refused.body.contains("body-too-large"))
            #expect(try await ask(.post, "/echo", nil, []).status == 201)
        }
    }

    @Test(
        "Thrown problems become answers; other errors and dropped responders 500",
        arguments: Place.allCases)
    func failures(_ place: Place) async throws {
        try await answering(place, Self.routes) { ask in
            let problem = try await ask(.get, "/problem", nil, [])
            #expect(problem.status == 422)
            #expect(problem.body.contains(#""detail":"It is \"odd\".\u000a""#))
            for path in ["/failure", "/dropped"] {
                let answer = try await ask(.get, path, nil, [])
                #expect(answer.status == 500)
                #expect(answer.body.contains(#""code":"internal""#))
            }
        }
    }

    @Test(
        "A token beyond its burst must wait, and another token need not", arguments: Place.allCases)
    func rate(_ place: Place) async throws {
        try await answering(place, Self.routes, rate: 0.001, burst: 3) { ask in
            for _ in 0..<3 {
                #expect(try await ask(.get, "/whoami", "device-token", []).status == 200)
            }
            let refused = try await ask(.get, "/whoami", "device-token", [])
            #expect(refused.status == 429)
            #expect(refused.body.contains("too-many-requests"))
            #expect(refused.body.contains("0.001 a second, and 3 at once"))
            #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
            #expect(try await ask(.get, "/whoami", "editor-token", []).status == 200)
            #expect(try await ask(.get, "/places/1", nil, []).status == 200)
        }
    }
}
