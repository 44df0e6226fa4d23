import Commands
import ServiceRuntime
import Synchronization
import Testing

@Suite struct ServeCommandTests {
    private let table = CommandTable(program: "whereabouts", version: "1", [.serve])

    private func run(_ arguments: String...) async -> (status: Int32, said: String) {
        let lines = Mutex<[String]>([])
        let write = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        let status = await table.run(arguments, output: write, note: write)
        return (status, lines.withLock { $0.joined(separator: "\n") })
    }

    @Test("The help of a service lists its own settings, not those of other services")
    func help() async {
        let locator = await run("serve", "locator", "--help")
        #expect(locator.status == 0)
        #expect(locator.said.contains("usage: whereabouts serve locator ["))
        #expect(locator.said.contains("WHEREABOUTS_LOCATOR_BATCH"))
        #expect(!locator.said.contains("WHEREABOUTS_RECENT_SCANS"))
        let both = await run("serve", "scan-ingest", "locator", "--help")
        #expect(both.said.contains("WHEREABOUTS_LOCATOR_BATCH"))
        #expect(both.said.contains("WHEREABOUTS_RECENT_SCANS"))
    }

    @Test("An unknown service and one named twice are refused; the error lists the services")
    func wrongNames() async {
        let other = await run("serve", "locater")
        #expect(other.status == 64)
        #expect(other.said.contains("locater is not a service; there are site-editor, "))
        let twice = await run("serve", "router", "router")
        #expect(twice.status == 64)
        #expect(twice.said.contains("named twice"))
    }

    @Test("No line of help has more than 100 characters")
    func widthOfHelp() {
        for line in ServiceProgram.serve.helpText.split(separator: "\n").dropFirst() {
            // The command's usage is one line.
            #expect(line.count <= 100 || line.hasPrefix("usage: "), "\(line)")
        }
    }

    /// The exit status and the output of `--check-config`, on a log in PostgreSQL.
    private func check(
        _ names: [String], _ settings: [String: String]
    ) async throws -> (code: ExitCode, said: String) {
        let lines = Mutex("")
        let write = { @Sendable (text: String) in lines.withLock { $0 += text } }
        let code = try await ServiceProgram.serve(names).run(
            arguments: ["--check-config"],
            environment: settings.merging(["DATABASE_URL": "postgresql://nowhere/none"]) { $1 },
            output: write, errors: write)
        return (code, lines.withLock(\.self))
    }

    @Test(
        "A process is warned if it lacks the address of a service that its own ask",
        arguments: [
            (["locator"], "FINGERPRINT_BUILDER"), (["router"], "LOCATOR"),
            (["locator", "router"], "FINGERPRINT_BUILDER"), (["scan-ingest"], "SITE_EDITOR"),
            (["site-editor"], "LOCATOR"),
        ])
    func neighbours(names: [String], missing: String) async throws {
        let variable = "WHEREABOUTS_\(missing)_URL"
        let without = try await check(names, [:])
        #expect(without.code == .success)
        #expect(without.said.contains("warning: \(variable) is missing: "))
        var settings = ["WHEREABOUTS_SERVICE_SECRET": String(repeating: "s", count: 32)]
        for name in [
            "FINGERPRINT_BUILDER", "LOCATOR", "ROUTER", "SITE_EDITOR", "TIMETABLE_FETCHER",
        ] {
            settings["WHEREABOUTS_\(name)_URL"] = "http://127.0.0.1:1"
        }
        #expect(try await check(names, settings).said == "configuration is good\n")
    }

    @Test("Services that ask no other, or run together, need no address")
    func noNeighbours() async throws {
        for names in [
            [], ["fingerprint-builder"],
            [
                "site-editor", "fingerprint-builder", "locator", "router", "scan-ingest",
                "timetable-fetcher",
            ],
        ] {
            #expect(try await check(names, [:]).said == "configuration is good\n", "\(names)")
        }
    }

    @Test("The issuer of an OpenID provider and the client's id need each other")
    func halfAProvider() async throws {
        let issuer = ["WHEREABOUTS_OIDC_ISSUER": "https://login.example"]
        let client = ["WHEREABOUTS_OIDC_CLIENT_ID": "map"]
        let alone = try await check([], issuer)
        #expect(alone.code == .configuration)
        #expect(alone.said.contains("WHEREABOUTS_OIDC_CLIENT_ID is missing"))
        #expect(try await check([], client).said.contains("WHEREABOUTS_OIDC_ISSUER is missing"))
        let secret = try await check([], ["WHEREABOUTS_OIDC_CLIENT_SECRET": "hunter2"])
        #expect(secret.said.hasPrefix("the configuration has 2 faults:"))
        #expect(!secret.said.contains("hunter2"))
        #expect(try await check([], issuer.merging(client) { $1 }).code == .success)
    }

    @Test("A setting that librdkafka does not accept is named, without its value")
    func kafkaSettings() async throws {
        let kafka = ["WHEREABOUTS_LOG": "kafka", "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"]
        func said(_ name: String, _ value: String) async throws -> String {
            try await check([], kafka.merging([name: value]) { $1 }).said
        }
        #expect(
            try await said("KAFKA_NONSENSE", "3").contains(
                "KAFKA_NONSENSE is no setting of librdkafka: there is no nonsense"))
        let wrong = try await said("KAFKA_SECURITY_PROTOCOL", "hunter2")
        #expect(wrong.contains("KAFKA_SECURITY_PROTOCOL has a value that librdkafka does not"))
        #expect(!wrong.contains("hunter2"))
        #expect(
            try await said("KAFKA_SASL_PASSWORD_FILE", "/nowhere").contains(
                "KAFKA_SASL_PASSWORD_FILE names /nowhere, which can't be read"))
        #expect(try await said("KAFKA_LINGER_MS", "7") == "configuration is good\n")
    }

    @Test("A program that is started by a service's name serves that service")
    func links() {
        #expect(
            ServiceProgram.arguments(of: ["/usr/local/bin/locator", "--health"])
                == ["serve", "locator", "--health"])
        #expect(ServiceProgram.arguments(of: ["whereabouts", "locator"]) == ["locator"])
        #expect(ServiceProgram.arguments(of: []) == [])
    }
}
