import Glibc
import HTTP
import HTTPClient
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct HTTPClientTests {
    private static let routes = [
        Route(
            .get, "/large",
            handler: .task { _ in
                HTTPResponse(body: .bytes([UInt8](repeating: 0x61, count: 2_000_000)))
            }),
        Route(
            .get, "/never",
            handler: .task { _ in
                try await Task.sleep(for: .seconds(3600))
                return HTTPResponse()
            }),
        Route(
            .post, "/count",
            handler: .callback { request, responder in
                responder.respond(.json(Array("\(request.body.count)".utf8), status: 201))
            }),
    ]

    @Test("Calls between services do not use the environment's proxy")
    func environmentsProxy() async throws {
        await #expect(processExitsWith: .success) {
            // No server listens there.
            setenv("http_proxy", "http://127.0.0.1:9", 1)
            try await withServer(Self.routes) { server in
                let url = "http://127.0.0.1:\(server.port)/count"
                var configuration = HTTPClient.Configuration()
                configuration.usesProxy = false
                let answer = try await HTTPClient(configuration).send("POST", url)
                guard answer.status == 201 else { exit(1) }
            }
        }
    }

    @Test("A response that is too large, too late or refused has its own error code")
    func failures() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumResponseBytes = 1_000_000
        let client = HTTPClient(configuration)
        func code(_ url: String, timeoutSeconds: Double = 30) async -> String? {
            do throws(HTTPClientError) {
                _ = try await client.send("GET", url, timeoutSeconds: timeoutSeconds)
                return nil
            } catch {
                return error.code
            }
        }
        let address = try await withServer(Self.routes) { server in
            let address = "http://127.0.0.1:\(server.port)"
            #expect(await code(address + "/large") == "response-too-large")
            #expect(await code(address + "/never", timeoutSeconds: 0.2) == "time-out")
            #expect(await code("nonsense://x") == "url-malformed")
            return address
        }
        #expect(await code(address) == "unreachable")
    }

    @Test("Where bodies are not read, the status of an answer with a body of any size arrives")
    func unreadBody() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumResponseBytes = 1_000
        configuration.readsBodies = false
        let client = HTTPClient(configuration)
        try await withServer(Self.routes) { server in
            let address = "http://127.0.0.1:\(server.port)"
            for (method, path, status) in [
                ("GET", "/large", 200), ("POST", "/count", 201), ("GET", "/none", 404),
            ] {
                let answer = try await client.send(method, address + path)
                #expect(answer.status == status && answer.body.isEmpty)
            }
        }
    }

    @Test("A request may have a limit of its own for its response")
    func ownLimit() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumResponseBytes = 1_000
        let client = HTTPClient(configuration)
        try await withServer(Self.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/large"
            let answer = try await client.send("GET", url, maximumResponseBytes: 2_000_000)
            #expect(answer.body.count == 2_000_000)
        }
    }

    @Test("A cancelled task aborts its request")
    func cancelling() async throws {
        let client = HTTPClient()
        try await withServer(Self.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/never"
            let task = Task { try await client.send("GET", url) }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            await #expect(throws: HTTPClientError.self) { try await task.value }
        }
    }

    @Test("Closing ends running requests and refuses new ones")
    func closing() async throws {
        let client = HTTPClient()
        try await withServer(Self.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/never"
            let answer = Task { try await client.send("GET", url) }
            try await Task.sleep(for: .milliseconds(50))
            client.close()
            await #expect(throws: HTTPClientError.self) { try await answer.value }
            await #expect(throws: HTTPClientError.self) { try await client.send("GET", url) }
        }
    }

    @Test("Bodies of any size are sent, a thousand of them over a few connections")
    func many() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrentRequests = 8
        let client = HTTPClient(configuration)
        try await withServer(Self.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/count"
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for size in 0..<1000 {
                    group.addTask {
                        let answer = try await client.send(
                            "POST", url, body: [UInt8](repeating: 1, count: size * 20))
                        #expect(answer.status == 201)
                        return Int(text(answer.body)) ?? 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 20 * 999 * 1000 / 2)
        }
    }

    @Test("A redirect that would send a body again is refused, and others are followed by GET")
    func bodiesAgain() async throws {
        let sent = Tally()
        var routes = [Route(.get, "/end", handler: .task { _ in HTTPResponse(status: 204) })]
        routes.append(
            Route(
                .post, "/end",
                handler: .task { _ in
                    sent.add()
                    return HTTPResponse(status: 204)
                }))
        for (status, next) in [
            (301, "/end"), (302, "/end"), (303, "/307"), (300, "/end"), (307, "/end"),
            (308, "/end"),
        ] {
            for method in [HTTPMethod.get, .post] {
                let location = [(name: "location", value: next)]
                routes.append(
                    Route(
                        method, "/\(status)",
                        handler: .task { _ in HTTPResponse(status: status, headers: location) }))
            }
        }
        var configuration = HTTPClient.Configuration()
        configuration.maximumRedirects = 5
        let client = HTTPClient(configuration)
        try await withServer(routes) { server in
            let address = "http://127.0.0.1:\(server.port)"
            for status in [301, 302, 303] {
                let answer = try await client.send("POST", "\(address)/\(status)", body: [1])
                #expect(answer.status == 204)
            }
            for status in [300, 307, 308] {
                for body: [UInt8] in [[], [1]] {
                    let error = await #expect(throws: HTTPClientError.self) {
                        try await client.send("POST", "\(address)/\(status)", body: body)
                    }
                    #expect(error?.code == "redirect-refused", "\(error as Any)")
                }
                #expect(try await client.send("GET", "\(address)/\(status)").status == 204)
            }
            #expect(sent.count == 0)
            // Other clients get such an answer as it is.
            let plain = try await HTTPClient().send("POST", "\(address)/307", body: [1])
            #expect(plain.status == 307)
        }
    }

    @Test("A stream with an error status throws that status")
    func streamStatus() async throws {
        try await withServer(Self.routes) { server in
            do throws(HTTPClientError) {
                _ = try await HTTPClient().stream("http://127.0.0.1:\(server.port)/nothing")
                Issue.record("the stream should have failed")
            } catch {
                #expect(error.code == "status")
                #expect(error.reason.hasPrefix("404"))
            }
        }
    }
}
