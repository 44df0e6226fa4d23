import HTTP
import ServiceHost
import ServiceRuntime
import Synchronization
import Testing

@Suite struct ServiceSecretTests {
    private static let secret = String(repeating: "s", count: 32)

    private static let locator = ServiceDefinition(
        name: "locator", summary: "", settings: [], hasViews: false,
        make: { _ in ServiceParts(routes: [], components: []) })

    private let program = ServiceProgram(
        name: "locator", summary: "a service among others", running: [locator], family: [locator])

    /// The exit status and the output of `--check-config`.
    private func check(_ environment: [String: String]) async -> (ExitCode, String) {
        let said = Mutex("")
        let complete = environment.merging(
            ["WHEREABOUTS_LOG": "kafka", "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"]
        ) { given, _ in given }
        let code = await program.run(
            arguments: ["--check-config"], environment: complete,
            output: { text in said.withLock { $0 += text } },
            errors: { text in said.withLock { $0 += text } })
        return (code, said.withLock { $0 })
    }

    @Test("With services in several processes a missing secret is a fault of the configuration")
    func missing() async {
        let apart = ["WHEREABOUTS_FINGERPRINT_BUILDER_URL": "http://127.0.0.1:1"]
        let (code, said) = await check(apart)
        #expect(code == .configuration)
        #expect(said.contains("WHEREABOUTS_SERVICE_SECRET is missing"))
        let own = await check(["WHEREABOUTS_LOCATOR_URL": "http://127.0.0.1:1"])
        #expect(own.0 == .success, "\(own.1)")
        let set = apart.merging(["WHEREABOUTS_SERVICE_SECRET": Self.secret]) { $1 }
        #expect(await check(set).0 == .success)
    }

    @Test("A short secret is a fault, and is not printed")
    func short() async {
        let (code, said) = await check(["WHEREABOUTS_SERVICE_SECRET": "hunter2hunter2"])
        #expect(code == .configuration)
        #expect(said.contains("WHEREABOUTS_SERVICE_SECRET has fewer than 32 characters"))
        #expect(!said.contains("hunter2"))
    }

    @Test("A secret that a running service refuses is a fault; an absent service is none")
    func wrong() async throws {
        final class Service: Principal {
            let id = "service"
        }
        struct Neighbour: Authenticator, Authorizer, AccessRule {
            func principal(forBearer token: String) -> (any Principal)? {
                token == ServiceSecretTests.secret ? Service() : nil
            }
            func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? { self }
            func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
                nil
            }
        }
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = try HTTPServer(
            configuration: configuration,
            routes: [
                Route(.get, "/healthz", handler: .task { _ in HTTPResponse() })
            ], authenticator: Neighbour(), authorizer: Neighbour(),
            onUnexpected: { _ in })
        try server.start()
        let url = "http://127.0.0.1:\(server.port)"
        func environment(_ secret: String) -> [String: String] {
            ["WHEREABOUTS_SITE_EDITOR_URL": url, "WHEREABOUTS_SERVICE_SECRET": secret]
        }
        let good = await check(environment(Self.secret))
        let bad = await check(environment(String(repeating: "x", count: 32)))
        await server.stop()
        #expect(good.0 == .success, "\(good.1)")
        #expect(bad.0 == .configuration)
        #expect(bad.1.contains("is not the one that site-editor has"))
    }

    @Test("A password in a malformed DATABASE_URL is not printed")
    func database() async {
        let (code, said) = await check([
            "DATABASE_URL": "postgresql://user:pa@s3cret@127.0.0.1/database"
        ])
        #expect(code == .configuration)
        #expect(said.contains("DATABASE_URL can't be read"))
        #expect(!said.contains("s3cret"))
    }

    @Test("Addresses of pages are refused as origins, and a missing file is a fault")
    func origins() async {
        for text in ["https://map.example", "http://localhost:3000, https://a.b", "*"] {
            #expect(await check(["WHEREABOUTS_CORS_ORIGINS": text]).0 == .success, "\(text)")
        }
        for text in ["map.example", "https://map.example/", "https://a, *", "https://", "null"] {
            #expect(await check(["WHEREABOUTS_CORS_ORIGINS": text]).0 == .configuration, "\(text)")
        }
        let (code, said) = await check(["WHEREABOUTS_CA_FILE": "/nowhere/root.crt"])
        #expect(code == .configuration)
        #expect(said.contains("WHEREABOUTS_CA_FILE names /nowhere/root.crt, which can't"))
    }
}
