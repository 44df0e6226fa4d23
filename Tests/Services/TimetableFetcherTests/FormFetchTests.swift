import Events
import HTTP
import Testing
import Timetables

@testable import HTTPClient
@testable import TimetableFetcher

@Suite("The form of a feed's page") struct FormFetchTests {
    private static func address(_ form: String) throws(FeedFault) -> String {
        let feed = TimetableFeed(
            site: SiteID("house"), id: FeedID("f"), kind: .form,
            address: "https://rooms.example/a/view", name: "", keepsPeople: false)
        let page = "<form \(form)><input type=hidden name=state value=x></form>"
        let answer = FeedAnswer(
            status: 200, body: Array(page.utf8), contentType: "text/html; charset=utf-8")
        return try FormFetch.filled(answer, feed).address
    }

    @Test(
        "is posted to the feed's own server",
        arguments: [
            ("", "https://rooms.example/a/view"), ("b?c=1", "https://rooms.example/a/b?c=1"),
            ("/b", "https://rooms.example/b"),
            ("https://ROOMS.example:443/b", "https://rooms.example"),
        ])
    func own(action: String, address: String) throws {
        let found = try Self.address("method=post action='\(action)'")
        #expect(found.lowercased().hasPrefix(address))
    }

    @Test(
        "is not posted to another host, port or scheme",
        arguments: [
            "https://10.2.0.1/", "//other.example/", "https://rooms.example:8443/",
            "http://rooms.example/", "https://rooms.example@10.2.0.1/",
        ])
    func others(action: String) throws {
        #expect(throws: FeedFault.self) { try Self.address("method=POST action='\(action)'") }
        // A page that is only asked for may be elsewhere, as behind a redirect.
        let asked = try Self.address("action='\(action)'")
        #expect(asked.hasPrefix("http"))
    }

    private struct Everybody: Authenticator, Authorizer, AccessRule {
        func principal(forBearer token: String) -> (any Principal)? { nil }
        func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? { self }
        func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
            nil
        }
    }

    /// A server of one page, which the caller has to stop.
    private static func serve(_ page: String, at address: String) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.drainSeconds = 0
        configuration.address = address
        let answer = HTTPResponse(
            headers: [(name: "content-type", value: "text/html; charset=utf-8")],
            body: .bytes(Array(page.utf8)))
        let server = try HTTPServer(
            configuration: configuration,
            routes: [Route(.get, "/view", handler: .task { _ in answer })],
            authenticator: Everybody(), authorizer: Everybody(), onUnexpected: { _ in })
        try server.start()
        return server
    }

    @Test("leads from a public server to no private one, not even to one that is allowed")
    func privateServer() async throws {
        // Here 127.0.0.1 is the public address, and 127.0.0.2 a private one that is allowed.
        let allowed = try #require(NetworkGuard.Network("127.0.0.2"))
        var configuration = HTTPClient.Configuration()
        configuration.guarding = NetworkGuard(allowing: [allowed], refusing: [allowed])
        configuration.usesProxy = false
        let client = HTTPClient(configuration)
        defer { client.close() }
        let hidden = try Self.serve("hidden", at: "127.0.0.2")
        let target = "http://127.0.0.2:\(hidden.port)/view"
        let field = "<input type=hidden name=state value=x>"
        let open = try Self.serve("<form action='\(target)'>\(field)</form>", at: "127.0.0.1")
        // Its form leads to itself.
        let inner = try Self.serve("<form>\(field)</form>", at: "127.0.0.2")
        func fetch(_ server: HTTPServer, at host: String) async throws -> FeedAnswer {
            try await FormFetch(
                feed: TimetableFeed(
                    site: SiteID("house"), id: FeedID("f"), kind: .form,
                    address: "http://\(host):\(server.port)/view", name: ""),
                client: client, headers: [], timeoutSeconds: 60
            ).fetch()
        }
        let error = await #expect(throws: HTTPClientError.self) {
            try await fetch(open, at: "127.0.0.1")
        }
        #expect(error?.code == "address-refused")
        let own = try? await fetch(inner, at: "127.0.0.2")
        #expect(own?.status == 200)
        for server in [hidden, open, inner] { await server.stop() }
    }
}
