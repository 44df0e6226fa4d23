import HTTP
import HTTPClient
import Synchronization
import Testing

@testable import Commands

@Suite struct ServiceClientTests {
    /// Runs `body` with a client of a server that answers with these statuses, one after the
    /// other, and the last one from then on.
    ///
    /// - Returns: the number of requests.
    private func answering(
        _ statuses: [Int], headers: [(name: String, value: String)] = [],
        _ body: (ServiceClient) async throws -> Void
    ) async throws -> Int {
        let asked = Mutex(0)
        let route = Route(
            .post, "/v1/scans",
            handler: .task { _ in
                let turn = asked.withLock { count in
                    defer { count += 1 }
                    return count
                }
                var response = HTTPResponse(status: statuses[min(turn, statuses.count - 1)])
                response.headers += headers
                return response
            })
        try await withServices([route], body)
        return asked.withLock { $0 }
    }

    @Test("A delivery is sent again after 429, 502, 503 and 504, until it is accepted")
    func deliver() async throws {
        let asked = try await answering([502, 503, 504, 429, 202]) { services in
            let answer = try await services.deliver("POST", "scan-ingest", "/v1/scans", body: [])
            #expect(answer.status == 202)
        }
        #expect(asked == 5)
    }

    @Test("A refusal for good ends a delivery at once with an error")
    func refused() async throws {
        let asked = try await answering([400]) { services in
            await #expect(throws: ServiceClient.Refusal.self) {
                try await services.deliver("POST", "scan-ingest", "/v1/scans", body: [])
            }
        }
        #expect(asked == 1)
    }

    @Test("A delivery waits for a server that does not answer, and reports it once")
    func away() async throws {
        let notes = Mutex<[String]>([])
        let services = try ServiceClient([
            "WHEREABOUTS_TOKEN": "a", "WHEREABOUTS_URL": "http://127.0.0.1:1",
        ])
        let delivery = Task {
            try await services.deliver(
                "POST", "scan-ingest", "/v1/scans", body: [],
                note: { note in notes.withLock { $0.append(note) } })
        }
        while notes.withLock({ $0.isEmpty }) { await Task.yield() }
        delivery.cancel()
        await #expect(throws: (any Error).self) { try await delivery.value }
        #expect(notes.withLock { $0.count } == 1)
        services.client.close()
    }

    @Test("A call is sent again after a proxy's 502 and 504")
    func question() async throws {
        let asked = try await answering([502, 504, 200]) { services in
            try await services.call("POST", "scan-ingest", "/v1/scans")
        }
        #expect(asked == 3)
    }

    @Test("A call that would wait for long says at once when to try again")
    func longWait() async throws {
        let waits = [
            ("11", "11 seconds"), ("3392", "57 minutes"), ("\(Int.max)", "1440 minutes"),
        ]
        for (seconds, words) in waits {
            let headers = [(name: "retry-after", value: seconds)]
            let asked = try await answering([429], headers: headers) { services in
                let refusal = await #expect(throws: ServiceClient.Refusal.self) {
                    try await services.call("POST", "scan-ingest", "/v1/scans")
                }
                let text = refusal?.description ?? ""
                #expect(text.hasSuffix("; try again in \(words)"), "\(text)")
                #expect(!text.contains("\n"))
            }
            #expect(asked == 1)
        }
    }

    @Test("The time to wait is said once, in the words of the service")
    func waitSaidOnce() async throws {
        for (seconds, words) in [(11, "11 seconds"), (110, "2 minutes"), (86_400, "24 hours")] {
            let route = Route(
                .post, "/v1/scans",
                handler: .task { _ in
                    Problem(
                        status: 429, code: "too-many-requests",
                        detail: "Too many requests; you may send 600 a minute.",
                        retryAfterSeconds: seconds
                    ).response
                })
            try await withServices([route]) { services in
                let refusal = await #expect(throws: ServiceClient.Refusal.self) {
                    try await services.call("POST", "scan-ingest", "/v1/scans")
                }
                #expect(
                    refusal?.description
                        == "Too many requests; you may send 600 a minute. Try again in \(words). "
                        + "(429 too-many-requests)")
            }
        }
    }

    @Test("A question to a server that does not answer names the address and its variable")
    func nobody() async throws {
        let environment = [
            "WHEREABOUTS_TOKEN": "a", "WHEREABOUTS_URL": "http://127.0.0.1:1/",
            "WHEREABOUTS_ROUTER_URL": "http://127.0.0.1:2",
        ]
        let services = try ServiceClient(environment)
        defer { services.client.close() }
        for (service, place) in [
            ("site-editor", "http://127.0.0.1:1 (WHEREABOUTS_URL)"),
            ("router", "http://127.0.0.1:2 (WHEREABOUTS_ROUTER_URL)"),
        ] {
            let fault = await #expect(throws: CommandFault.self) {
                try await services.call("GET", service, "/v1/sites")
            }
            let text = try #require(fault?.description)
            #expect(text.hasPrefix("nothing answers at \(place): "), "\(text)")
            #expect(text.contains("Is the server running") && !text.contains("\n"), "\(text)")
        }
    }

    @Test("HTTPS to a server of HTTP names the address too")
    func wrongScheme() async throws {
        try await withServices([]) { plain in
            let services = try ServiceClient([
                "WHEREABOUTS_TOKEN": "a",
                "WHEREABOUTS_URL": plain.url("router", "").replacing("http:", with: "https:"),
            ])
            defer { services.client.close() }
            let fault = await #expect(throws: CommandFault.self) {
                try await services.call("GET", "router", "/v1/sites")
            }
            #expect(fault?.description.contains("https://127.0.0.1:") == true)
        }
    }

    @Test(
        "An address without http:// or https:// is refused; the error shows a right one",
        arguments: ["localhost", "localhost:8080", "ftp://localhost", "https://", "http:localhost"])
    func malformed(_ address: String) throws {
        for variable in ["WHEREABOUTS_URL", "WHEREABOUTS_SITE_EDITOR_URL"] {
            let fault = #expect(throws: CommandFault.self) {
                try ServiceClient(["WHEREABOUTS_TOKEN": "a", variable: address])
            }
            let text = try #require(fault?.description)
            #expect(text.hasPrefix("\(variable) is ") && text.contains("http://127.0.0.1:8080"))
        }
    }

    @Test("A missing certificate file is an error before anything is sent")
    func certificate() throws {
        #expect(throws: CommandFault.self) {
            try ServiceClient(["WHEREABOUTS_TOKEN": "a", "WHEREABOUTS_CA_FILE": "/nowhere"])
        }
    }
}
