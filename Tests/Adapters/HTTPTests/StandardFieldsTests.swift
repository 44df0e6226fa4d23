import HTTP
import HTTPClient
import Testing

@Suite struct StandardFieldsTests {
    private static let page = "https://map.example"

    private static let routes = [
        Route(
            .get, "/plain",
            handler: .callback { $1.respond(.json(Array("{}".utf8))) }),
        Route(
            .get, "/kept",
            handler: .task { _ in
                HTTPResponse(headers: [("cache-control", "private, no-cache")])
            }),
        Route(
            .get, "/ready",
            handler: .callback { [ready = HTTPResponse.json(Array("1".utf8)).madeReady()] in
                $1.respond(ready)
            }),
        Route(.put, "/plain", handler: .task { _ in HTTPResponse() }),
        Route(.get, "/whoami", handler: .task { _ in HTTPResponse() }),
    ]

    private func ask(
        _ server: HTTPServer, _ method: String, _ path: String, origin: String? = nil,
        asking wanted: String? = nil
    ) async throws -> [String: String] {
        var headers: [(name: String, value: String)] = []
        if let origin { headers.append(("origin", origin)) }
        if let wanted { headers.append(("access-control-request-method", wanted)) }
        return try await HTTPClient().send(
            method, "http://127.0.0.1:\(server.port)\(path)", headers: headers
        ).headers
    }

    @Test("Every answer forbids caching, guessing its type and passing its address on")
    func everyAnswer() async throws {
        try await withServer(Self.routes) { server in
            for path in ["/plain", "/ready", "/nothing"] {
                let headers = try await ask(server, "GET", path)
                #expect(headers["cache-control"] == "no-store", "\(path)")
                #expect(headers["x-content-type-options"] == "nosniff", "\(path)")
                #expect(headers["referrer-policy"] == "no-referrer", "\(path)")
            }
            #expect(try await ask(server, "PUT", "/plain")["x-content-type-options"] == "nosniff")
            #expect(try await ask(server, "GET", "/kept")["cache-control"] == "private, no-cache")
        }
    }

    @Test("By default no page of another origin may read an answer")
    func offByDefault() async throws {
        try await withServer(Self.routes) { server in
            for method in ["GET", "OPTIONS"] {
                let headers = try await ask(
                    server, method, "/plain", origin: Self.page, asking: "PUT")
                #expect(headers.keys.filter { $0.hasPrefix("access-control") } == [])
            }
        }
    }

    @Test("A page of a configured origin may call, with a token and without cookies")
    func named() async throws {
        try await withServer(Self.routes) {
            $0.crossOrigin = CrossOrigin(origins: [Self.page])
        } _: { server in
            for path in ["/plain", "/ready", "/nothing"] {
                let headers = try await ask(server, "GET", path, origin: Self.page)
                #expect(headers["access-control-allow-origin"] == Self.page, "\(path)")
                #expect(headers["access-control-expose-headers"] == "*")
                #expect(headers["access-control-allow-credentials"] == nil)
                #expect(headers["vary"] == "origin")
            }
            let asked = try await ask(server, "OPTIONS", "/plain", origin: Self.page, asking: "PUT")
            #expect(asked["access-control-allow-methods"] == "GET, HEAD, OPTIONS, PUT")
            #expect(asked["access-control-allow-headers"]?.contains("authorization") == true)
            // The page can read a refusal too, or it could not explain the refusal to its user.
            let refused = try await ask(server, "GET", "/whoami", origin: Self.page)
            #expect(refused["access-control-allow-origin"] == Self.page)
            // Other origins get no such fields, however similar they are.
            for origin in ["https://map.example.evil", "http://map.example", "null", "*"] {
                let headers = try await ask(server, "GET", "/plain", origin: origin)
                #expect(headers["access-control-allow-origin"] == nil, "\(origin)")
                #expect(headers["vary"] == "origin")
            }
        }
    }

    @Test("A star allows the pages of every origin")
    func everybody() async throws {
        try await withServer(Self.routes) {
            $0.crossOrigin = CrossOrigin(origins: ["*"])
        } _: { server in
            let headers = try await ask(server, "GET", "/plain", origin: Self.page)
            #expect(headers["access-control-allow-origin"] == "*")
            #expect(headers["vary"] == nil)
        }
    }
}
