import Dispatch
import Glibc
import HTTPClient
import Synchronization
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(2))) struct ConnectionLimitTests {
    private static let hello = Route(
        .get, "/hello",
        handler: .callback { _, responder in
            responder.respond(HTTPResponse(body: .bytes(Array("hello".utf8))))
        })
    private static let guarded = Route(
        .post, "/guarded", maximumBodyBytes: 1_000_000,
        handler: .callback { request, responder in
            responder.respond(HTTPResponse(body: .bytes(Array("\(request.body.count)".utf8))))
        })
    private static let alive: Route = {
        var route = Route(
            .get, "/alive",
            handler: .callback { _, responder in responder.respond(HTTPResponse(status: 204)) })
        route.isCounted = false
        return route
    }()

    private func talk<Value: Sendable>(
        _ server: HTTPServer, _ body: @escaping @Sendable (Int) -> Value
    ) async -> Value {
        let port = server.port
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "raw client").async { continuation.resume(returning: body(port)) }
        }
    }

    private static let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(
        "A silent connection is cut for a new one of the same address",
        arguments: [(1_000, 200), (200, 10_000)])
    func silentOnes(_ inAll: Int, _ ofAddress: Int) async throws {
        try await withServer([Self.hello]) {
            $0.maximumConnections = inAll
            $0.maximumConnectionsOfAddress = ofAddress
        } _: { server in
            let answer = await talk(server) { port in
                let silent = (0..<1_500).map { _ in RawClient(port: port) }
                defer { withExtendedLifetime(silent) {} }
                // Connections that were quiet only for the last quarter second are not cut yet.
                let deadline = Moment.nanoseconds() + 5_000_000_000
                while Moment.nanoseconds() < deadline {
                    let client = RawClient(port: port)
                    client.send(Self.get)
                    let answer = client.read(until: "hello")
                    if !answer.isEmpty { return answer }
                    usleep(50_000)
                }
                return ""
            }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("Connections with running requests are not cut for others")
    func workingOnes() async throws {
        let kept = Mutex<[any HTTPResponder]>([])
        let late = Route(
            .get, "/late",
            handler: .callback { _, responder in kept.withLock { $0.append(responder) } })
        try await withServer([Self.hello, late]) {
            $0.maximumConnectionsOfAddress = 20
        } _: { server in
            let (answers, refused) = await talk(server) { port in
                let working = (0..<20).map { _ in RawClient(port: port) }
                for client in working { client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n") }
                while kept.withLock({ $0.count }) < 20 { usleep(1_000) }
                let refused = (0..<50).map { _ in RawClient(port: port) }
                    .count { $0.isClosedByServer() }
                kept.withLock { for responder in $0 { responder.respond(HTTPResponse()) } }
                return (working.map { $0.read(until: "\r\n\r\n") }, refused)
            }
            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
            #expect(refused == 50)
        }
    }

    @Test("A refused request is answered before its slow body, and its connection closed")
    func slowRefused() async throws {
        try await withServer([Self.guarded]) { server in
            for path in ["/guarded", "/nothing"] {
                for length in ["Content-Length: 5000", "Transfer-Encoding: chunked"] {
                    let (answer, seconds) = await talk(server) { port in
                        let client = RawClient(port: port)
                        let start = Moment.nanoseconds()
                        client.send("POST \(path) HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n")
                        let answer = client.read(until: "\"}")
                        let seconds = Double(Moment.nanoseconds() - start) / 1e9
                        return (client.isClosedByServer() ? answer : "open", seconds)
                    }
                    #expect(answer.hasPrefix("HTTP/1.1 40"), "\(path) \(length)")
                    #expect(answer.contains("connection: close"))
                    #expect(seconds < 5)
                }
            }
        }
    }

    @Test("A refused request whose body has already come keeps its connection")
    func quickRefused() async throws {
        try await withServer([Self.guarded, Self.hello]) { server in
            let answer = await talk(server) { port in
                let client = RawClient(port: port)
                client.send(
                    "POST /guarded HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + Self.get)
                return client.read(until: "hello")
            }
            #expect(answer.hasPrefix("HTTP/1.1 401"))
            #expect(answer.hasSuffix("hello"))
        }
    }

    @Test(
        "A head with two statements about the request's end is refused",
        arguments: [
            "Host: x\r\nContent-Length: 3\r\nContent-Length: 4", "Host : x\r\nContent-Length: 3",
            "Content-Length: 3", "Host: x\r\nHost: y\r\nContent-Length: 3",
            "Host: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
            "Host: x\r\nContent-Length : 3",
        ])
    func twoEnds(_ fields: String) async throws {
        try await withServer([Self.guarded]) { server in
            let answer = await talk(server) { port in
                let client = RawClient(port: port)
                client.send(
                    "POST /guarded HTTP/1.1\r\nAuthorization: Bearer device-token\r\n"
                        + "\(fields)\r\n\r\nabcGET /guarded HTTP/1.1\r\nHost: x\r\n\r\n")
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("HTTP/1.1") && answer.components("HTTP/1.1 ") == 1)
            if !fields.hasPrefix("Host : ") || answer.contains("problem") {
                #expect(answer.contains("head-malformed"))
            }
        }
    }

    @Test(
        "libmicrohttpd's own refusals have the documented status and end the connection",
        arguments: [
            ("GET /hello HTTP/3.7\r\nHost: x\r\n\r\n", "505"),
            (
                "POST /guarded HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer device-token\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400"
            ),
        ])
    func plainRefusals(_ head: String, _ status: String) async throws {
        try await withServer([Self.hello, Self.guarded]) { server in
            let answer = await talk(server) { port in
                let client = RawClient(port: port)
                client.send(head)
                return client.read()
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test("A compressed body answers 415, and a long target 414")
    func packed() async throws {
        try await withServer([Self.guarded, Self.hello]) { server in
            let client = HTTPClient()
            let base = "http://127.0.0.1:\(server.port)"
            let packed = try await client.send(
                "POST", base + "/guarded",
                headers: [
                    ("authorization", "Bearer device-token"), ("content-encoding", "gzip"),
                ], body: [1, 2])
            #expect(packed.status == 415)
            #expect(text(packed.body).contains("content-encoding-unsupported"))
            let long = try await client.send(
                "GET", base + "/hello?a=" + String(repeating: "b", count: 6_500))
            #expect(long.status == 414)
            #expect(text(long.body).contains("target-too-long"))
        }
    }

    @Test("A target of any length is answered, even if the rest of the head does not fit")
    func targets() async throws {
        try await withServer([Self.hello]) { server in
            for length in [6_001, 8_192, 15_900, 16_000, 16_200, 16_250, 16_300, 16_350, 16_400] {
                let began = ContinuousClock.now
                let answer = await talk(server) { port in
                    let client = RawClient(port: port)
                    let target = "/hello?a=" + String(repeating: "b", count: length)
                    client.send("GET \(target) HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n")
                    return client.read()
                }
                #expect(answer.hasPrefix("HTTP/1.1 414"), "\(length): \(answer)")
                #expect(ContinuousClock.now - began < .seconds(8), "\(length)")
            }
        }
    }

    @Test("Wrong tokens do not use up the limits of valid tokens, open pages or health checks")
    func failures() async throws {
        try await withServer([Self.guarded, Self.hello, Self.alive]) {
            $0.requestsPerSecondPerToken = 0.001
            $0.burst = 5
            $0.failuresPerSecondPerAddress = 0.001
            $0.failureBurst = 10
        } _: { server in
            let client = HTTPClient()
            let base = "http://127.0.0.1:\(server.port)"
            func ask(_ method: String, _ path: String, _ token: String?) async throws -> Int {
                let headers = token.map { [("authorization", "Bearer \($0)")] } ?? []
                return try await client.send(method, base + path, headers: headers).status
            }
            for number in 0..<15 {
                #expect(try await ask("POST", "/guarded", "wrong") == (number < 10 ? 401 : 429))
            }
            #expect(try await ask("POST", "/guarded", nil) == 429)
            #expect(try await ask("GET", "/hello", nil) == 200)
            #expect(try await ask("POST", "/guarded", "device-token") == 200)
            for _ in 0..<10 { _ = try await ask("GET", "/hello", nil) }
            #expect(try await ask("GET", "/hello", nil) == 429)
            for token in [nil, "device-token"] {
                for _ in 0..<10 { #expect(try await ask("GET", "/alive", token) == 204) }
            }
        }
    }

    @Test("Clients behind a trusted proxy count one by one; other proxies are not trusted")
    func proxies() async throws {
        for isTrusted in [true, false] {
            try await withServer([Self.hello]) {
                $0.requestsPerSecondPerToken = 0.001
                $0.burst = 2
                if isTrusted {
                    $0.trustedProxies = AddressRange.list("127.0.0.0/8, 10.1.0.0/16") ?? []
                }
            } _: { server in
                let client = HTTPClient()
                func ask(_ forwarded: String) async throws -> Int {
                    try await client.send(
                        "GET", "http://127.0.0.1:\(server.port)/hello",
                        headers: [("x-forwarded-for", forwarded)]
                    ).status
                }
                #expect(try await ask("203.0.113.1") == 200)
                #expect(try await ask("1.2.3.4, 203.0.113.1, 10.1.2.3") == 200)
                #expect(try await ask("9.9.9.9, 203.0.113.1") == 429)
                #expect(try await ask("203.0.113.2") == (isTrusted ? 200 : 429))
                // A /64 is one household.
                _ = try await ask("2001:db8:1:2::1")
                _ = try await ask("2001:db8:1:2::2")
                #expect(try await ask("2001:db8:1:2::3") == 429)
                #expect(try await ask("2001:db8:1:3::1") == (isTrusted ? 200 : 429))
            }
        }
    }

    @Test("Unfinished bodies have a limit per sender and in total; complete ones pass")
    func unfinished() async throws {
        try await withServer([Self.guarded]) {
            $0.maximumUnfinishedOfAddress = 20
            $0.maximumBodyBytesInFlight = 300_000
            $0.maximumBodyBytesOfSender = 200_000
        } _: { server in
            let head =
                "POST /guarded HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer device-token\r\n"
            let (many, large, whole) = await talk(server) { port in
                func begin(_ bytes: Int) -> RawClient {
                    let client = RawClient(port: port)
                    client.send(head + "Content-Length: 500000\r\n\r\n")
                    client.send([UInt8](repeating: 0x61, count: bytes))
                    return client
                }
                let begun = (0..<21).map { _ in begin(10) }
                let many = begun[20].read(until: "\"}")
                for client in begun { client.close() }
                // The server has to notice that these clients have left.
                usleep(500_000)
                let half = begin(150_000)
                let large = begin(150_000).read(until: "\"}")
                let client = RawClient(port: port)
                client.send(head + "Content-Length: 3\r\n\r\nabc")
                let whole = client.read(until: "\r\n\r\n3")
                withExtendedLifetime(half) {}
                return (many, large, whole)
            }
            #expect(many.hasPrefix("HTTP/1.1 429"))
            #expect(large.hasPrefix("HTTP/1.1 503"))
            #expect(large.contains("bodies-full"))
            #expect(whole.hasPrefix("HTTP/1.1 200"))
        }
    }
}

@Suite struct NetworkAddressTests {
    @Test("An address range contains the addresses with its first bits")
    func ranges() throws {
        for (range, inside, outside) in [
            ("10.0.0.0/8", "10.255.3.4", "11.0.0.1"), ("192.168.1.7", "192.168.1.7", "192.168.1.8"),
            ("fd00::/8", "fdff::1", "fe80::1"), ("::1", "[::1]:80", "::2"),
            ("0.0.0.0/0", "8.8.8.8:53", "2001:db8::1"), ("10.0.0.0/8", "::ffff:10.1.1.1", "::10"),
        ] {
            let range = try #require(AddressRange(range))
            #expect(range.contains(try #require(NetworkAddress(inside))))
            #expect(!range.contains(try #require(NetworkAddress(outside))))
        }
        for wrong in ["", "10.0.0.0/33", "10.0.0", "x", "::/129", "1.2.3.4/", "1.2.3.4/-1"] {
            #expect(AddressRange(wrong) == nil, "\(wrong)")
        }
        #expect(AddressRange.list("10.0.0.0/8, ::1,")?.count == 2)
        #expect(AddressRange.list("10.0.0.0/8, x") == nil)
    }

    @Test("A sender is an IPv4 address or a /64")
    func senders() throws {
        #expect(NetworkAddress("2001:db8:1:2:3:4:5:6")?.sender.text == "2001:db8:1:2::")
        #expect(NetworkAddress("192.0.2.7")?.sender.text == "192.0.2.7")
    }
}

@Suite struct TokenBucketTests {
    @Test(
        "A token bucket grants its rate and its burst, whatever the order of the times",
        arguments: 0..<20)
    func rate(seed: Int) {
        var bucket = TokenBucket(perSecond: 5, burst: 50, nowNanoseconds: 0)
        var granted = 0
        var now: Int64 = 0
        var random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        for _ in 0..<1_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            now += Int64(random >> 34)
            let asked = Int(random >> 20 & 0x3F)
            let back = Int64(random >> 40 & 0xFFFF)
            granted += bucket.spend(upTo: asked, at: max(0, now - back))
            #expect(Double(granted) <= 50 + 5 * Double(now) / 1e9 + 0.001)
        }
    }

    @Test("An amount larger than the bucket passes when it is full, and delays later ones")
    func large() {
        var bucket = TokenBucket(perSecond: 10, burst: 20, nowNanoseconds: 0)
        let first = bucket.spend(100, at: 0)
        let soon = bucket.spend(1, at: 1_000_000_000)
        #expect(first && !soon)
        #expect(bucket.secondsToWait(for: 1, at: 1_000_000_000) == 8)
        let later = bucket.spend(1, at: 9_000_000_000)
        #expect(later)
    }
}
