import Foundation
import Repository
import Testing

@Suite("Deployment files") struct DeployTests {
    static let root = repository
    static let composeFiles = [
        "docker-compose.yml", "deploy/compose.small.yml", "deploy/compose.three-brokers.yml",
    ]
    static let secrets = ["POSTGRES_PASSWORD", "WHEREABOUTS_SERVICE_SECRET"]

    static func text(_ file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    /// The variables that a file uses: `${NAME…}`, or `{$NAME…}` in Caddy's file.
    static func interpolated(_ text: String) -> Set<String> {
        Set(
            text.matches(of: /\$\{([A-Z_]+)|\{\$([A-Z_]+)/).compactMap { match in
                (match.1 ?? match.2).map(String.init)
            })
    }

    /// The variables that a compose file passes to our own programs.
    static func handedOver(_ text: String) -> Set<String> {
        Set(
            text.matches(of: /(?m)^ +((?:WHEREABOUTS|DATABASE)_[A-Z_]+|PGPASSWORD):/)
                .map { String($0.1) })
    }

    /// The variables that example.env lists.
    static func listed(_ text: String) -> Set<String> {
        Set(text.matches(of: /(?m)^([A-Z_]+)=/).map { String($0.1) })
    }

    /// Runs a program with this environment only. Returns its exit status and its output.
    static func run(_ arguments: [String], environment: [String: String]) throws -> (Int32, String)
    {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment.merging(
            ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    static let hasCompose: Bool = {
        guard let answer = try? run(["docker-compose", "version"], environment: [:]) else {
            return false
        }
        return answer.0 == 0
    }()

    /// Makes an environment file from example.env, with values for the secrets.
    static func withEnvironmentFile<Value>(_ body: (String) throws -> Value) throws -> Value {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "environment-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        var example = try text("deploy/example.env")
        for secret in secrets { example.replace("\n\(secret)=\n", with: "\n\(secret)=a$b\n") }
        try example.write(to: file, atomically: true, encoding: .utf8)
        return try body(file.path)
    }

    @Test(
        "docker-compose accepts the file",
        .enabled(if: hasCompose, "docker-compose is not installed"), arguments: composeFiles)
    func accepted(file: String) throws {
        let path = Self.root.appending(path: file).path
        let (status, output) = try Self.withEnvironmentFile { environment in
            try Self.run(
                ["docker-compose", "--env-file", environment, "-f", path, "config"],
                environment: [:])
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("postgres:"))
    }

    @Test(
        "Without a secret nothing starts, and the message names it",
        .enabled(if: hasCompose, "docker-compose is not installed"), arguments: composeFiles)
    func secretsAreNeeded(file: String) throws {
        let path = Self.root.appending(path: file).path
        let example = Self.root.appending(path: "deploy/example.env").path
        for missing in Self.secrets where try Self.text(file).contains("{\(missing):?") {
            var given = ["POSTGRES_PASSWORD": "a", "WHEREABOUTS_SERVICE_SECRET": "b"]
            given[missing] = nil
            let (status, output) = try Self.run(
                ["docker-compose", "--env-file", example, "-f", path, "config", "--quiet"],
                environment: given)
            #expect(status != 0)
            #expect(output.contains("set \(missing)"), "\(output)")
        }
    }

    @Test("Every variable that a compose file or the proxy uses is in example.env")
    func listed() throws {
        let listed = Self.listed(try Self.text("deploy/example.env"))
        for file in Self.composeFiles + ["deploy/Caddyfile"] {
            let text = try Self.text(file)
            // The variable for a secret's file has the secret's name plus `_FILE`.
            let handedOver = Self.handedOver(text).map { $0.replacing(/_FILE$/, with: "") }
            let used = Self.interpolated(text).union(handedOver)
            #expect(used.subtracting(listed).isEmpty, "\(file)")
        }
        // The test notices a planted variable.
        let planted = "    WHEREABOUTS_NEW: ${ALSO_NEW:-}\n{$CADDY_NEW:x}\n"
        #expect(Self.interpolated(planted) == ["ALSO_NEW", "CADDY_NEW"])
        #expect(Self.handedOver(planted) == ["WHEREABOUTS_NEW"])
    }

    /// Settings that compose files don't pass on: for programs outside of a container, and a file
    /// that would have to be mounted.
    private static let keptOut: Set = [
        "WHEREABOUTS_CA_FILE", "WHEREABOUTS_TOKEN", "WHEREABOUTS_URL",
    ]

    @Test("Every setting of example.env reaches our programs", arguments: composeFiles)
    func passedOn(file: String) throws {
        let example = try Self.text("deploy/example.env")
        let printed = try #require(example.split(separator: "# Printed by").last)
        let settings = Self.listed(String(printed))
        #expect(settings.count > 50)
        let text = try Self.text(file)
        var missing = settings.filter { !text.contains("\($0):") && !text.contains("\($0)_FILE:") }
        missing.subtract(Self.keptOut)
        // One process needs no other addresses and no Kafka.
        if file.contains("small") {
            missing = missing.filter { name in
                name.wholeMatch(of: /KAFKA_.+|WHEREABOUTS_(INBOUND|.+_URL)/) == nil
            }
        }
        #expect(missing.isEmpty)
    }

    @Test("No secret has a default, and example.env leaves all empty")
    func noDefaultSecrets() throws {
        for file in Self.composeFiles {
            let defaults = try Self.text(file).matches(
                of: /\$\{([A-Z_]*(?:PASSWORD|SECRET|TOKEN|KEY)[A-Z_]*):?-/)
            #expect(defaults.isEmpty, "\(file)")
        }
        let example = try Self.text("deploy/example.env")
        let filled = example.matches(of: /(?m)^[A-Z_]*(?:PASSWORD|SECRET|TOKEN|KEY)[A-Z_]*=.+$/)
        #expect(filled.isEmpty)
    }

    @Test("The small variant's limits add up to 2 GiB at most, and every service has one")
    func memory() throws {
        let text = try Self.text("deploy/compose.small.yml")
        let limits = text.matches(of: /mem_limit: (\d+)m/).compactMap { Int($0.1) }
        #expect(limits.count == text.matches(of: /(?m)^    image:/).count)
        #expect(limits.reduce(0, +) <= 2_048)
    }

    @Test(
        "Every upstream of the proxy is a service or a service's alias", arguments: composeFiles)
    func upstreams(file: String) throws {
        let text = try Self.text(file)
        for match in try Self.text("deploy/Caddyfile").matches(of: /reverse_proxy ([a-z-]+):8080/) {
            let isService = text.contains("\n  \(match.1):\n")
            let isAlias = text.contains(/aliases: \[.*\]/) && text.contains("\(match.1)")
            #expect(isService || isAlias, "\(match.1)")
        }
    }

    @Test("No page or script puts a token into an address, and the page removes one at once")
    func tokensInAddresses() throws {
        let pages = DocumentationTests.files(under: "", endingWith: ".md")
        for file in pages + ["deploy/quickstart"] {
            #expect(!(try Self.text(file)).contains("#token="), "\(file)")
        }
        let script = try Self.text("Services/site-editor/web/page.js")
        let taken = try #require(script.range(of: "history.replaceState("))
        let asked = try #require(script.range(of: "fetch("))
        #expect(taken.lowerBound < asked.lowerBound)
    }

    @Test("The proxy waits for a restarting service at every path")
    func patience() throws {
        let text = try Self.text("deploy/Caddyfile")
        #expect(text.contains("\tlb_try_duration 15s\n"))
        let proxies = text.components(separatedBy: "reverse_proxy ").dropFirst()
        #expect(proxies.count == 6)
        for proxy in proxies { #expect(proxy.contains(":8080 {\n\t\t\timport patient\n")) }
    }

    @Test("Every program of the image is built, and every systemd unit checks its configuration")
    func programs() throws {
        let dockerfile = try Self.text("deploy/Dockerfile")
        for match in try Self.text("docker-compose.yml").matches(of: /command: \[([a-z-]+)\]/) {
            #expect(dockerfile.contains(" \(match.1) "))
        }
        for unit in ["whereabouts.service", "whereabouts@.service"] {
            let text = try Self.text("deploy/systemd/\(unit)")
            #expect(text.contains("--check-config\n"))
            #expect(text.contains("RestartPreventExitStatus=64 78\n"))
        }
    }

    @Test(
        "systemd knows every setting of the units",
        .enabled(if: hasSystemd, "systemd-analyze is not installed"),
        arguments: [
            "whereabouts.service", "whereabouts@.service", "whereabouts-backup.service",
            "whereabouts-backup.timer",
        ])
    func units(unit: String) throws {
        let file = repository.appending(path: "deploy/systemd/\(unit)").path
        let (_, output) = try Self.run(["systemd-analyze", "verify", file], environment: [:])
        #expect(!output.contains("nknown"), "\(output)")
    }

    private static let hasSystemd: Bool = {
        guard let answer = try? run(["systemd-analyze", "--version"], environment: [:]) else {
            return false
        }
        return answer.0 == 0
    }()
}
