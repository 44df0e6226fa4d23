import Dispatch
import Glibc
import HTTP
import HTTPClient
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct HTTPServerTests {
    private static let echo = Route(
        .post, "/echo", maximumBodyBytes: 100_000,
        handler: .callback { request, responder in
            responder.respond(HTTPResponse(body: .bytes(request.body)))
        })
    private static let hello = Route(
        .get, "/hello",
        handler: .callback { _, responder in
            responder.respond(HTTPResponse(body: .bytes(Array("hello".utf8))))
        })

    /// Talks to the server on a raw socket, without blocking the cooperative pool.
    private func talk<Value: Sendable>(
        _ server: HTTPServer, _ body: @escaping @Sendable (RawClient) -> Value
    ) async -> Value {
        let port = server.port
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "raw client").async {
                continuation.resume(returning: body(RawClient(port: port)))
            }
        }
    }

    @Test("A connection carries several requests, even before the earlier answers")
    func pipelining() async throws {
        try await withServer([Self.echo, Self.hello]) { server in
            let answers = await talk(server) { client in
                client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
                let first = client.read(until: "hello")
                client.send(
                    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\none"
                        + "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
                        + "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nthree")
                return first + client.read(until: "three")
            }
            #expect(answers.components("HTTP/1.1 200 OK") == 4)
            #expect(answers.components("hello") == 2)
        }
    }

    @Test("Chunked bodies are put together, and one beyond the limit answers 413")
    func chunked() async throws {
        try await withServer([Self.echo]) { server in
            let head = "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let good = await talk(server) { client in
                client.send(head + "3\r\nabc\r\n")
                client.send("4\r\ndefg\r\n0\r\n\r\n")
                return client.read(until: "abcdefg")
            }
            #expect(good.contains("abcdefg"))
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            let ended = await talk(server) { client in
                client.send(head + String(repeating: chunk, count: 4) + "0\r\n\r\n")
                return client.read()
            }
            #expect(ended.hasPrefix("HTTP/1.1 413"))
            #expect(ended.contains("body-too-large"))
            // An endless body is answered before its end, and the connection is closed.
            let endless = await talk(server) { client in
                client.send(head)
                for _ in 0..<100 where !client.send(chunk) { break }
                return client.read()
            }
            #expect(endless.hasPrefix("HTTP/1.1 413") || endless.isEmpty)
        }
    }

    @Test("A body declared far too large is refused before it is sent")
    func declared() async throws {
        try await withServer([Self.echo]) { server in
            let answer = await talk(server) { client in
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n")
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(answer.contains("application/problem+json"))
        }
    }

    @Test("A request that arrives too slowly is answered 408 and cut")
    func slow() async throws {
        try await withServer([Self.echo]) {
            $0.requestTimeoutSeconds = 1
            $0.idleTimeoutSeconds = 1
        } _: { server in
            let answer = await talk(server) { client in
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
                // A byte now and then defeats a time-out that only measures silence.
                DispatchQueue(label: "drip").async {
                    while client.send("x") { usleep(100_000) }
                }
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 408") || answer.isEmpty)
            // The head must come in time too.
            let isClosed = await talk(server) { client in
                client.send("GET /")
                DispatchQueue(label: "drip").async {
                    while client.send("x") { usleep(100_000) }
                }
                return client.isClosedByServer()
            }
            #expect(isClosed)
        }
    }

    @Test(
        "Paths that do not decode are refused",
        arguments: ["/%00", "/%ff", "/a%2Fb", "/%4", "/%zz"])
    func paths(_ path: String) async throws {
        try await withServer([Self.hello]) { server in
            let answer = await talk(server) { client in
                client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("path-malformed"))
        }
    }

    @Test("A head that is too large is refused, and the next client served")
    func largeHead() async throws {
        try await withServer([Self.hello]) {
            $0.maximumHeaderBytes = 8192
        } _: { server in
            let answer = await talk(server) { client in
                let field = "X-Long: " + String(repeating: "y", count: 20_000)
                client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n")
                return client.read()
            }
            // libmicrohttpd's own answer; a reset may arrive first.
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431"))
            let next = await talk(server) { client in
                client.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return client.read()
            }
            #expect(next.hasSuffix("hello"))
        }
    }

    @Test("Header fields are found in any case of letters, and repeated ones are joined")
    func fields() async throws {
        let route = Route(
            .get, "/fields",
            handler: .task { request in
                let names = request.headers.keys.sorted().joined(separator: " ")
                let joined = request.headers["x-two"] ?? ""
                let first = request.header("x-two") ?? ""
                return HTTPResponse(body: .bytes(Array("\(names)|\(joined)|\(first)".utf8)))
            })
        try await withServer([route]) { server in
            let answer = await talk(server) { client in
                client.send(
                    "GET /fields HTTP/1.1\r\nHost: x\r\nX-Two: a\r\nx-tWO: b\r\n"
                        + "Connection: close\r\nX-Empty:\r\n\r\n")
                return client.read()
            }
            #expect(answer.hasSuffix("connection host x-empty x-two|a, b|a"))
        }
    }

    @Test("Queries are decoded, and too many parameters refused")
    func queries() async throws {
        let route = Route(
            .get, "/q/{id}",
            handler: .task { request in
                let pairs = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
                return HTTPResponse(body: .bytes(Array("\(request.path) \(pairs)".utf8)))
            })
        let client = HTTPClient()
        try await withServer([route]) { server in
            let base = "http://127.0.0.1:\(server.port)"
            let answer = try await client.send("GET", base + "/q/a%20%C3%A9?x=1+2&y=%26&x&=z")
            #expect(text(answer.body) == "/q/a é x=1 2;y=&;x=;=z")
            let many = (0...64).map { "p\($0)=1" }.joined(separator: "&")
            let refused = try await client.send("GET", base + "/q/a?" + many)
            #expect(refused.status == 400)
            #expect(text(refused.body).contains("query-malformed"))
        }
    }

    @Test("Garbage on the socket does no harm", arguments: 0..<20)
    func garbage(_ seed: UInt64) async throws {
        try await withServer([Self.hello, Self.echo]) { server in
            var random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
            var bytes = Array("POST /echo HTTP/1.1\r\nContent-Length: 50\r\n\r\n".utf8)
            for index in 0..<200 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let byte = UInt8(truncatingIfNeeded: random >> 33)
                if index < bytes.count, seed % 2 == 0 {
                    if byte < 30 { bytes[index] = byte }
                } else {
                    bytes.append(byte)
                }
            }
            let sent = bytes
            await talk(server) { client in
                client.send(sent)
                client.close()
            }
            let answer = await talk(server) { client in
                client.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return client.read()
            }
            #expect(answer.hasSuffix("hello"))
        }
    }

    @Test("Answers may come later, from another thread, for a thousand connections at once")
    func thousand() async throws {
        let waiting = Mutex<[any HTTPResponder]>([])
        let late = Route(
            .get, "/late",
            handler: .callback { _, responder in
                let all = waiting.withLock { waiting -> [any HTTPResponder] in
                    waiting.append(responder)
                    guard waiting.count == 1000 else { return [] }
                    defer { waiting = [] }
                    return waiting
                }
                // None is answered before all requests have come.
                DispatchQueue(label: "late").async {
                    for responder in all {
                        responder.respond(HTTPResponse(status: 202))
                        responder.respond(HTTPResponse(status: 500))
                    }
                }
            })
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrentRequests = 1000
        let client = HTTPClient(configuration)
        try await withServer([late]) { server in
            let url = "http://127.0.0.1:\(server.port)/late"
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1000 { group.addTask { try await client.send("GET", url).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 202, count: 1000))
        }
    }

    @Test("A client that leaves cancels its task, and its answer is dropped")
    func leaving() async throws {
        let told = Told()
        let beginnings = Tally()
        let endings = Tally()
        let kept = Mutex<[any HTTPResponder]>([])
        let routes = [
            Route(
                .get, "/long",
                handler: .task { _ in
                    beginnings.add()
                    defer { endings.add() }
                    try await Task.sleep(for: .seconds(3600))
                    return HTTPResponse()
                }),
            Route(
                .get, "/never",
                handler: .callback { _, responder in
                    kept.withLock { $0.append(responder) }
                }),
        ]
        try await withServer(routes, told: told) { server in
            for path in ["/long", "/never"] {
                let client = await talk(server) { client in
                    client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    return client
                }
                #expect(
                    await eventually {
                        beginnings.count > 0 && (path == "/long" || kept.withLock { $0.count } == 1)
                    })
                client.close()
            }
            #expect(await eventually { endings.count > 0 })
            #expect(await eventually { told.statuses.withLock { $0 } == [499, 499] })
            kept.withLock { $0 }.first?.respond(HTTPResponse())
            let stillServes = try await HTTPClient().send(
                "GET", "http://127.0.0.1:\(server.port)/nothing")
            #expect(stillServes.status == 404)
        }
    }

    @Test("Stopping finishes running requests and accepts no new ones")
    func draining() async throws {
        let beginnings = Tally()
        let route = Route(
            .get, "/slow",
            handler: .task { _ in
                beginnings.add()
                try await Task.sleep(for: .milliseconds(300))
                return HTTPResponse(body: .bytes(Array("finished".utf8)))
            })
        let client = HTTPClient()
        try await withServer([route]) {
            $0.drainSeconds = 30
        } _: { server in
            let url = "http://127.0.0.1:\(server.port)/slow"
            async let answer = client.send("GET", url)
            #expect(await eventually { beginnings.count > 0 })
            await server.stop()
            let finished = try await text(answer.body)
            #expect(finished == "finished")
            await #expect(throws: HTTPClientError.self) { try await client.send("GET", url) }
        }
    }

    @Test("Stopping ends in time, and closes requests that do not finish")
    func drainingEnds() async throws {
        let kept = Mutex<[any HTTPResponder]>([])
        let route = Route(
            .get, "/never",
            handler: .callback { _, responder in
                kept.withLock { $0.append(responder) }
            })
        let client = HTTPClient()
        try await withServer([route]) {
            $0.drainSeconds = 0.2
        } _: { server in
            let url = "http://127.0.0.1:\(server.port)/never"
            let answer = Task { try await client.send("GET", url) }
            #expect(await eventually { kept.withLock { $0.count } == 1 })
            await server.stop()
            await #expect(throws: HTTPClientError.self) { try await answer.value }
            kept.withLock { $0 }.first?.respond(HTTPResponse())
        }
    }

    @Test("An occupied or malformed address is an error at start")
    func starting() async throws {
        try await withServer([]) { server in
            var configuration = HTTPServerConfiguration()
            configuration.port = server.port
            func failure(_ configuration: HTTPServerConfiguration) -> String? {
                let second = try? HTTPServer(
                    configuration: configuration, routes: [], authenticator: RoleTokens(),
                    authorizer: TestRules(),
                    onUnexpected: { _ in })
                do throws(HTTPServerError) {
                    try second?.start()
                    return nil
                } catch {
                    // The text names the address, so that an administrator can find the other
                    // program.
                    if error.code == "address-in-use" {
                        #expect(error.reason.contains("127.0.0.1:\(server.port)"))
                    }
                    return error.code
                }
            }
            #expect(failure(configuration) == "address-in-use")
            configuration.address = "localhost"
            #expect(failure(configuration) == "address-malformed")
        }
    }

    @Test("Several polling threads share the port")
    func threads() async throws {
        let client = HTTPClient()
        try await withServer([Self.hello]) {
            $0.threads = 3
        } _: { server in
            let url = "http://127.0.0.1:\(server.port)/hello"
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await client.send("GET", url).status } }
                return try await group.reduce(into: 0) { $0 += $1 == 200 ? 1 : 0 }
            }
            #expect(count == 200)
        }
    }
}

extension String {
    /// How often the other text occurs in this one.
    func components(_ other: String) -> Int {
        split(separator: other, omittingEmptySubsequences: false).count - 1
    }
}
