import HTTP
import HTTPClient
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    @Test("An event is written line by line, and fields cannot be forged")
    func encoding() {
        let event = ServerSentEvent(
            id: "1:2\nevent: x", event: "position", data: Array("a\nb\r\nc\rd".utf8))
        #expect(
            text(event.encoded())
                == "id: 1:2event: x\nevent: position\ndata: a\ndata: b\ndata: c\ndata: d\n\n")
        #expect(text(ServerSentEvent(data: []).encoded()) == "data: \n\n")
    }

    @Test("Written events are read back, wherever the bytes are cut", arguments: 1..<12)
    func roundTrip(_ size: Int) {
        let events = [
            ServerSentEvent(id: "7", event: "visit", data: Array("one\ntwo".utf8)),
            ServerSentEvent(data: Array("{\"x\":1}".utf8)),
        ]
        let bytes = Array(": hello\r\n\r\n".utf8) + events.flatMap { $0.encoded() }
        var parser = ServerSentEventParser()
        var read: [ReceivedEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            read += parser.feed(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(
            read == [
                ReceivedEvent(id: "7", event: "visit", data: "one\ntwo"),
                ReceivedEvent(id: "7", event: "message", data: "{\"x\":1}"),
            ])
    }

    @Test("A stream ends within five seconds after its token is revoked; others go on")
    func revocation() async throws {
        let tokens = RevocableTokens()
        let route = Route(
            .get, "/events",
            handler: .task { _ in
                .events(AsyncStream<ServerSentEvent>.makeStream().stream, keepAliveSeconds: 0.05)
            })
        try await withServer([route], authenticator: tokens) { server in
            let url = "http://127.0.0.1:\(server.port)/events"
            let revoked = try await HTTPClient().stream(
                url, headers: [("authorization", "Bearer analyst-token")])
            let held = try await HTTPClient().stream(
                url, headers: [("authorization", "Bearer surveyor-token")])
            let clock = ContinuousClock()
            var revokedAt: ContinuousClock.Instant?
            for try await _ in revoked.body where revokedAt == nil {
                tokens.revoke("analyst-token")
                revokedAt = clock.now
            }
            let began = try #require(revokedAt)
            #expect(clock.now - began < .seconds(5))
            for try await _ in held.body { break }
        }
    }

    @Test("Events arrive as they are sent, with comments while it is quiet")
    func events() async throws {
        let (source, sink) = AsyncStream<ServerSentEvent>.makeStream()
        let route = Route(
            .get, "/events",
            handler: .task { _ in
                .events(source, keepAliveSeconds: 0.05)
            })
        try await withServer([route]) { server in
            let stream = try await HTTPClient().stream("http://127.0.0.1:\(server.port)/events")
            #expect(stream.headers["content-type"] == "text/event-stream")
            var parser = ServerSentEventParser()
            var read: [ReceivedEvent] = []
            var all: [UInt8] = []
            for try await chunk in stream.body {
                all += chunk
                // The first event is sent only after the first comments have come.
                if all.count > 40, read.isEmpty {
                    sink.yield(ServerSentEvent(id: "1", data: Array("one".utf8)))
                    sink.yield(ServerSentEvent(id: "2", data: Array("two".utf8)))
                    sink.finish()
                }
                read += parser.feed(chunk)
            }
            #expect(read.map(\.data) == ["one", "two"])
            #expect(text(all).contains(": keep-alive"))
        }
    }

    @Test("A client that leaves cancels the stream at once")
    func leaving() async throws {
        let terminations = Tally()
        let route = Route(
            .get, "/quiet",
            handler: .task { _ in
                let (stream, sink) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                sink.yield(Array("first".utf8))
                sink.onTermination = { _ in terminations.add() }
                return HTTPResponse(body: .stream(stream))
            })
        try await withServer([route]) { server in
            let stream = try await HTTPClient().stream("http://127.0.0.1:\(server.port)/quiet")
            for try await chunk in stream.body {
                #expect(text(chunk) == "first")
                let isEarly = terminations.count > 0
                #expect(!isEarly)
                break
            }
            withExtendedLifetime(stream) {}
        }
        #expect(await eventually { terminations.count > 0 })
    }

    @Test("A client that does not read is cut, and the stream cancelled")
    func slowReader() async throws {
        let terminations = Tally()
        let sent = Tally()
        let route = Route(
            .get, "/flood",
            handler: .task { _ in
                let (stream, sink) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                let filling = Task {
                    while !Task.isCancelled {
                        sink.yield([UInt8](repeating: 0x61, count: 10_000))
                        sent.add(10_000)
                        // As fast as a client that reads can follow.
                        try await Task.sleep(for: .microseconds(100))
                    }
                }
                sink.onTermination = { _ in
                    terminations.add()
                    filling.cancel()
                }
                return HTTPResponse(body: .stream(stream))
            })
        try await withServer([route]) {
            $0.maximumUnsentStreamBytes = 100_000
        } _: { server in
            let client = RawClient(port: server.port, receiveBufferBytes: 4096)
            client.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await eventually { terminations.count > 0 })
            // The kernel limits the bytes that it holds for a socket too.
            let sentBytes = sent.count
            #expect(sentBytes < 50_000_000)
            withExtendedLifetime(client) {}
        }
    }

    @Test("A pulled body waits for its reader and arrives complete")
    func pulled() async throws {
        let route = Route(
            .get, "/export",
            handler: .task { _ in
                let left = Mutex(400)
                return HTTPResponse(
                    body: .pulled {
                        left.withLock { left in
                            guard left > 0 else { return nil }
                            left -= 1
                            return [UInt8](repeating: UInt8(left % 256), count: 10_000)
                        }
                    })
            })
        try await withServer([route]) {
            $0.maximumUnsentStreamBytes = 1000
        } _: { server in
            let answer = try await HTTPClient().send(
                "GET", "http://127.0.0.1:\(server.port)/export")
            #expect(answer.body.count == 4_000_000)
            #expect(answer.body.first == UInt8(399 % 256))
            #expect(answer.body.last == 0)
        }
    }

    @Test("A failing stream breaks the response off and is reported once")
    func failing() async throws {
        let told = Told()
        let route = Route(
            .get, "/fail",
            handler: .task { _ in
                HTTPResponse(
                    body: .stream(
                        AsyncThrowingStream { sink in
                            sink.yield(Array("some".utf8))
                            sink.finish(
                                throwing: Problem(
                                    status: 500, code: "secret", detail: "Not for clients."))
                        }))
            })
        try await withServer([route], told: told) { server in
            await #expect(throws: HTTPClientError.self) {
                try await HTTPClient().send("GET", "http://127.0.0.1:\(server.port)/fail")
            }
        }
        #expect(told.unexpected.withLock { $0.count } == 1)
    }

    @Test("Stopping ends streams in good order")
    func draining() async throws {
        let route = Route(
            .get, "/events",
            handler: .task { _ in
                .events(AsyncStream { _ in }, keepAliveSeconds: 60)
            })
        try await withServer([route]) {
            $0.drainSeconds = 30
        } _: { server in
            let stream = try await HTTPClient().stream("http://127.0.0.1:\(server.port)/events")
            async let stopped: Void = server.stop()
            var all: [UInt8] = []
            for try await chunk in stream.body { all += chunk }
            await stopped
            #expect(text(all) == ": hello\n\n")
        }
    }
}
