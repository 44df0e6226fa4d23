import Synchronization
import Testing

@testable import HTTP

/// A stand-in for gzip: the answer's length, so that a test sees what was packed.
private let coding = GzipCoding { bytes, level in Array("packed \(bytes.count)".utf8) }

@Suite("Compressed answers") struct GzipCodingTests {
    private static let long = [UInt8](repeating: 0x61, count: 5_000)

    private func answer(
        _ response: HTTPResponse, to headers: [String: String] = ["accept-encoding": "gzip"],
        _ method: HTTPMethod = .get, change: (Route) -> Route = { $0 },
        seen: @escaping @Sendable (HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let route = Route(
            method == .head ? .get : method, "/x",
            handler: .task { request in
                seen(request)
                return response.revalidated(for: request)
            })
        let handler = try RequestHandler(
            routes: [change(route)], authenticator: RoleTokens(), authorizer: testRules,
            coding: coding)
        return await handler.handle(HTTPRequest(method: method, path: "/x", headers: headers))
    }

    private func json(_ bytes: [UInt8] = long, _ more: [(String, String)] = []) -> HTTPResponse {
        var response = HTTPResponse.json(bytes)
        response.headers += more.map { (name: $0.0, value: $0.1) }
        return response
    }

    private func field(_ name: String, of response: HTTPResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private func body(_ response: HTTPResponse) -> String {
        guard case .bytes(let bytes) = response.body else { return "a stream" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A client that accepts gzip gets it, and caches are told what the form depends on")
    func packed() async throws {
        let answer = try await answer(json(Self.long, [("vary", "accept"), ("etag", "\"7\"")]))
        #expect(body(answer) == "packed 5000")
        #expect(field("content-encoding", of: answer) == "gzip")
        #expect(field("vary", of: answer) == "accept, accept-encoding")
        #expect(field("etag", of: answer) == "\"7.gzip\"")
        let plain = try await self.answer(json(Self.long, [("etag", "\"7\"")]), to: [:])
        #expect(body(plain).count == 5_000 && field("content-encoding", of: plain) == nil)
        #expect(field("vary", of: plain) == "accept-encoding")
        #expect(field("etag", of: plain) == "\"7\"")
    }

    @Test(
        "gzip is used only where the client accepts it",
        arguments: [
            ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5, br", true),
            ("*", true), ("br;q=1.0, *;q=0.1", true), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("*, gzip;q=0", false), ("*;q=0", false), ("identity", false), ("br", false),
            ("", false), ("gzipped", false),
        ])
    func accepted(field: String, isPacked: Bool) async throws {
        let answer = try await answer(json(), to: ["accept-encoding": field])
        #expect((self.field("content-encoding", of: answer) == "gzip") == isPacked)
    }

    @Test("Short, coded, partial and secret answers, pictures and streams stay as they are")
    func unpacked() async throws {
        let picture = HTTPResponse(
            headers: [("content-type", "image/png")], body: .bytes(Self.long))
        var part = json()
        part.status = 206
        let stream = HTTPResponse(
            headers: [("content-type", "text/event-stream")],
            body: .stream(AsyncThrowingStream { $0.finish() }))
        for (name, response) in [
            ("short", json([UInt8](repeating: 0x61, count: 1_023))),
            ("coded", json(Self.long, [("content-encoding", "br")])),
            ("cookie", json(Self.long, [("set-cookie", "a=b")])),
            ("no-transform", json(Self.long, [("cache-control", "no-transform")])),
            ("picture", picture), ("part", part), ("stream", stream),
        ] {
            let answer = try await answer(response)
            #expect(field("content-encoding", of: answer) != "gzip", "\(name)")
            #expect(!body(answer).hasPrefix("packed"), "\(name)")
        }
        let secret = try await answer(json(), change: { $0.uncompressed })
        #expect(field("content-encoding", of: secret) == nil)
        let shortest = try await answer(json([UInt8](repeating: 0x61, count: 1_024)))
        #expect(body(shortest) == "packed 1024")
    }

    @Test(
        "A client that has the packed form gets 304 with its tag; so does one with the plain form")
    func revalidated() async throws {
        let response = json(Self.long, [("etag", "\"7\"")])
        for tag in ["\"7.gzip\"", "\"7\"", "\"6.gzip\", \"7.gzip\""] {
            let answer = try await answer(
                response, to: ["accept-encoding": "gzip", "if-none-match": tag])
            #expect(answer.status == 304, "\(tag)")
            let expected = tag.contains("7.gzip") ? "\"7.gzip\"" : "\"7\""
            #expect(field("etag", of: answer) == expected)
            #expect(field("vary", of: answer) == "accept-encoding")
        }
        let other = try await answer(
            response, to: ["accept-encoding": "gzip", "if-none-match": "\"6.gzip\""])
        #expect(other.status == 200)
    }

    @Test("Handlers see the tags of changes without the mark of the packed form")
    func changes() async throws {
        let seen = Mutex<String?>(nil)
        let headers = ["if-match": "\"draft-3.gzip\"", "x-other": "\"a.gzip\""]
        _ = try await answer(
            json(), to: headers, .put,
            seen: { request in
                let tags = [request.header("if-match"), request.headers["x-other"]]
                seen.withLock { $0 = tags.compactMap(\.self).joined() }
            })
        #expect(seen.withLock { $0 } == "\"draft-3\"\"a.gzip\"")
    }

    @Test("HEAD has the header fields of GET")
    func head() async throws {
        let answer = try await answer(json(Self.long, [("etag", "\"7\"")]), .head)
        #expect(field("content-encoding", of: answer) == "gzip" && body(answer).isEmpty)
        #expect(field("etag", of: answer) == "\"7.gzip\"")
    }

    @Test("Over a socket the packed bytes arrive with their own length")
    func socket() async throws {
        let route = Route(.get, "/x", handler: .task { [json] _ in json(Self.long, []) })
        try await withServer([route]) {
            $0.coding = coding
        } _: { server in
            let port = server.port
            let answer = await Task.detached {
                let client = RawClient(port: port)
                client.send(
                    "GET /x HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n"
                        + "Connection: close\r\n\r\n")
                return client.read()
            }.value
            #expect(answer.lowercased().contains("content-encoding: gzip\r\n"))
            #expect(answer.lowercased().contains("content-length: 11\r\n"))
            #expect(answer.hasSuffix("packed 5000"))
        }
    }

    @Test("A stored file is packed once, and answered by its tag")
    func stored() async throws {
        let file = FileAnswer(
            Self.long, headers: [("content-type", "text/css"), ("cache-control", "no-cache")],
            tag: "abc", coding: coding)
        func ask(_ headers: [String: String]) -> HTTPResponse {
            file.answer(to: HTTPRequest(method: .get, path: "/", headers: headers))
        }
        let plain = ask([:])
        #expect(body(plain).count == 5_000 && field("etag", of: plain) == "\"abc\"")
        let packed = ask(["accept-encoding": "gzip"])
        #expect(body(packed) == "packed 5000" && field("etag", of: packed) == "\"abc.gzip\"")
        #expect(field("vary", of: packed) == "accept-encoding")
        let again = ask(["accept-encoding": "gzip", "if-none-match": "\"abc.gzip\""])
        #expect(again.status == 304 && field("etag", of: again) == "\"abc.gzip\"")
        #expect(field("cache-control", of: again) == "no-cache" && body(again).isEmpty)
        // The plain form is another one.
        #expect(ask(["if-none-match": "\"abc.gzip\""]).status == 200)
        #expect(ask(["if-none-match": "\"abc\""]).status == 304)
    }
}
