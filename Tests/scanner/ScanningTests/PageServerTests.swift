import Foundation
import HTTPClient
import ServiceRuntime
import Testing
import Wire

@testable import Scanning

@Suite struct PageServerTests {
    private static let origin = "https://where.example"

    private func withServer(
        _ body: (
            _ send: (String, String, [(name: String, value: String)]) async throws ->
                HTTPClientResponse, _ code: String
        ) async throws -> Void
    ) async throws {
        let server = try PageServer(
            port: 0, origin: Self.origin, log: Logger(service: "test", write: { _ in }),
            latest: { sampleScan(7) })
        var configuration = HTTPClient.Configuration()
        configuration.usesProxy = false
        let client = HTTPClient(configuration)
        try await body(
            { method, host, headers in
                try await client.send(
                    method, "http://127.0.0.1:\(server.port)/scan",
                    headers: [("host", host)] + headers, timeoutSeconds: 60)
            }, server.code)
        await server.stop()
    }

    @Test("Only a page of the server with the code gets the scan, under this machine's own name")
    func access() async throws {
        try await withServer { send, code in
            let bearer = (name: "authorization", value: "Bearer \(code)")
            let ours = (name: "origin", value: Self.origin)
            let good = try await send("GET", "127.0.0.1:8042", [bearer, ours])
            #expect(good.status == 200)
            #expect(good.headers["access-control-allow-origin"] == Self.origin)
            #expect(try ids(good.body) == [sampleScan(7).id])
            let wrong: [(String, [(name: String, value: String)])] = [
                ("127.0.0.1", [ours]),
                ("127.0.0.1", [ours, ("authorization", "Bearer wrong")]),
                ("127.0.0.1", [bearer]),
                ("127.0.0.1", [bearer, ("origin", "https://evil.example")]),
                ("evil.example", [bearer, ours]),
            ]
            for (host, headers) in wrong {
                let answer = try await send("GET", host, headers)
                #expect([401, 403].contains(answer.status), "\(host) \(headers)")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("bssid"))
            }
        }
    }

    @Test("A browser's question before the call is answered for our origin alone")
    func preflight() async throws {
        try await withServer { send, _ in
            let question = [
                (name: "access-control-request-method", value: "GET"),
                (name: "access-control-request-private-network", value: "true"),
            ]
            let ours = try await send(
                "OPTIONS", "127.0.0.1", question + [("origin", Self.origin)])
            #expect(ours.headers["access-control-allow-private-network"] == "true")
            #expect(ours.headers["access-control-allow-headers"]?.contains("authorization") == true)
            let other = try await send(
                "OPTIONS", "127.0.0.1", question + [("origin", "https://evil.example")])
            #expect(other.headers["access-control-allow-private-network"] == nil)
            #expect(other.headers["access-control-allow-origin"] == nil)
        }
    }
}
