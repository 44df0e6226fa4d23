import Foundation
import Testing
import Wire

@Suite("Limits of containers") struct ContainmentTests {
    /// A service of a compose file as docker-compose reads it: its lines, without the indentation.
    struct Container: Sendable {
        var name: String
        var lines: [String]

        func has(_ line: String) -> Bool { lines.contains(line) }

        /// The items under a key, or the key's own members with their values.
        func items(_ key: String) -> [String] {
            guard let start = lines.firstIndex(of: "\(key):") else { return [] }
            let inside = lines[(start + 1)...].prefix { $0.hasPrefix("- ") || $0.hasPrefix("  ") }
            return inside.filter { !$0.hasPrefix("    ") }.map { line in
                line.trimmingCharacters(in: CharacterSet(charactersIn: "- "))
            }
        }

        /// The names under a key: the part of each item before the colon.
        func list(_ key: String) -> Set<String> {
            Set(items(key).map { $0.split(separator: ":").first.map(String.init) ?? "" })
        }
    }

    static let services = [
        "scan-ingest", "site-editor", "fingerprint-builder", "locator", "router",
        "timetable-fetcher",
    ]

    static func containers(_ file: String) throws -> [Container] {
        let path = DeployTests.root.appending(path: file).path
        let (status, output) = try DeployTests.withEnvironmentFile { environment in
            try DeployTests.run(
                ["docker-compose", "--env-file", environment, "-f", path, "config"],
                environment: [:])
        }
        #expect(status == 0, "\(output)")
        var containers: [Container] = []
        var isInside = false
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.hasPrefix(" ") { isInside = line == "services:" }
            guard isInside, line.hasPrefix("  ") else { continue }
            if line.hasPrefix("    ") {
                containers[containers.count - 1].lines.append(String(line.dropFirst(4)))
            } else {
                let name = line.trimmingCharacters(in: CharacterSet(charactersIn: " :"))
                containers.append(Container(name: name, lines: []))
            }
        }
        return containers
    }

    @Test(
        "Every container has limits, only the rights that it needs, and limited disk space",
        .enabled(if: DeployTests.hasCompose, "docker-compose is not installed"),
        arguments: DeployTests.composeFiles)
    func limits(file: String) throws {
        let containers = try Self.containers(file)
        #expect(containers.count >= 3)
        for container in containers {
            let name = Comment(rawValue: container.name)
            #expect(container.lines.contains { $0.hasPrefix("mem_limit: ") }, name)
            #expect(container.lines.contains { $0.hasPrefix("pids_limit: ") }, name)
            #expect(container.list("cap_drop") == ["ALL"], name)
            #expect(container.list("security_opt") == ["no-new-privileges"], name)
            // Kafka's own image writes its settings beside its programs, so its disk can't be
            // read-only.
            if !container.name.hasPrefix("kafka") {
                #expect(container.has("read_only: true"), name)
                #expect(container.has("tmpfs:"), name)
            }
            for place in container.items("tmpfs") {
                #expect(place.contains(":size="), "\(container.name): \(place)")
            }
        }
    }

    @Test(
        "The proxy reaches neither log nor database, and only some services reach the database",
        .enabled(if: DeployTests.hasCompose, "docker-compose is not installed"),
        arguments: DeployTests.composeFiles)
    func networks(file: String) throws {
        let containers = try Self.containers(file)
        let networks = Dictionary(
            uniqueKeysWithValues: containers.map { ($0.name, $0.list("networks")) })
        #expect(networks["caddy"] == ["services", "edge"])
        #expect(networks["postgres"] == ["data"])
        for (name, joined) in networks where name.hasPrefix("kafka") {
            #expect(joined == ["log"], "\(name)")
        }
        for name in ["scan-ingest", "router"] where networks[name] != nil {
            #expect(networks[name] == ["services", "log"], "\(name)")
        }
        for name in ["fingerprint-builder", "locator"] where networks[name] != nil {
            #expect(networks[name] == ["services", "log", "data"], "\(name)")
        }
        // It fetches from the internet.
        if let fetcher = networks["timetable-fetcher"] {
            #expect(fetcher == ["services", "log", "data", "edge"])
        }
        let text = try DeployTests.text(file)
        for network in ["services", "log", "data"] where text.contains("\n  \(network):") {
            #expect(text.contains("\n  \(network): {internal: true}\n"), "\(network)")
        }
    }

    @Test(
        "Only the container that shares the services' secret out has it in its environment",
        .enabled(if: DeployTests.hasCompose, "docker-compose is not installed"),
        arguments: DeployTests.composeFiles)
    func secrets(file: String) throws {
        for container in try Self.containers(file) {
            let shows = container.list("environment").contains("WHEREABOUTS_SERVICE_SECRET")
            #expect(!shows || ["secrets", "certificates"].contains(container.name))
        }
    }

    @Test("Three brokers use TLS with certificates on both sides, and have rights for each service")
    func brokers() throws {
        let text = try DeployTests.text("deploy/compose.three-brokers.yml")
        #expect(!text.contains("PLAINTEXT"))
        #expect(text.contains("LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:SSL,CLIENTS:SSL\n"))
        #expect(text.contains("KAFKA_SSL_CLIENT_AUTH: required\n"))
        #expect(text.contains("KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: \"false\"\n"))
        #expect(text.contains("KAFKA_SECURITY_PROTOCOL: SSL\n"))
        // Each service has its own volume with its key. Only the container that makes the keys can
        // see it too.
        for service in Self.services {
            #expect(text.contains("[\"secrets-\(service):/secrets:ro\""), "\(service)")
            #expect(text.contains("- secrets-\(service):/secrets/\(service)\n"), "\(service)")
            #expect(text.ranges(of: "secrets-\(service):/").count == 2, "\(service)")
            #expect(text.contains("- \(service):10001:service\n"), "\(service)")
        }
        // Only the services' folders and the operator's get an owner like this.
        #expect(text.contains("- operator:10001:service\n"))
        #expect(text.ranges(of: ":service\n").count == Self.services.count + 1)
    }

    /// The topics that each service may read and write, from deploy/topic-rights.sh.
    static func rights() throws -> [String: (reads: Set<String>, writes: Set<String>)] {
        let text = try DeployTests.text("deploy/topic-rights.sh")
        var rights: [String: (reads: Set<String>, writes: Set<String>)] = [:]
        for match in text.matches(of: /(?m)^([a-z-]+) +\|([a-z -]*)\|([a-z -]*)$/) {
            func words(_ text: Substring) -> Set<String> {
                Set(text.split(separator: " ").map(String.init))
            }
            rights[String(match.1)] = (words(match.2), words(match.3))
        }
        return rights
    }

    @Test("An outside producer writes only scans-inbound; only site-editor writes tokens and sites")
    func topicRights() throws {
        let rights = try Self.rights()
        #expect(rights.count == 10)
        #expect(rights["producer"]?.writes == ["scans-inbound"])
        #expect(rights["producer"]?.reads == [])
        #expect(rights["analyst"]?.writes == [])
        let writers = { topic in Set(rights.filter { $0.value.writes.contains(topic) }.keys) }
        #expect(writers("tokens") == ["site-editor"])
        #expect(writers("site") == ["site-editor"])
        // The operator puts back records that were set aside.
        #expect(writers("scans-inbound") == ["producer", "operator"])
        #expect(writers("locator-state") == ["locator"])
        // Services only read the surveys of earlier releases; the operator puts some back.
        #expect(writers("surveys") == ["operator"])
        #expect(writers("survey-records") == ["scan-ingest", "fingerprint-builder"])
        // Every service may write dead letters.
        let unwritten = Set(["dead-letters"])
        for topic in Topic.allCases.map(\.rawValue) where !unwritten.contains(topic) {
            #expect(!writers(topic).isEmpty, "no service may write \(topic)")
        }
    }

    @Test("The operator, who makes the backups, may read each topic that a backup reads")
    func topicsOfBackups() throws {
        let rights = try Self.rights()
        let reads = try #require(rights["operator"]).reads
        for topic in Topic.allCases {
            switch topic.backupPart {
            case .madeAgain, .passing: continue
            case .sent, .all, .aging, .unread:
                #expect(reads.contains(topic.rawValue), "\(topic.rawValue)")
            }
        }
    }

    @Test("Each service has a right to every topic that its sources name")
    func topicsOfSources() throws {
        let rights = try Self.rights()
        let script = try DeployTests.text("deploy/topic-rights.sh")
        let shared = try #require(script.firstMatch(of: /(?m)^shared='([a-z -]+)'$/)).1
        let names = Dictionary(
            uniqueKeysWithValues: Topic.allCases.map { ("\($0)", $0.rawValue) })
        for service in Self.services {
            let (reads, writes) = try #require(rights[service])
            let known = reads.union(writes).union(shared.split(separator: " ").map(String.init))
            for file in DocumentationTests.files(under: "Services/\(service)", endingWith: ".swift")
            {
                let source = try DeployTests.text(file)
                var named = source.matches(of: /\bTopic\.(\w+)\.name\b/).map { String($0.1) }
                // `senderWatch()` is code of all services, and it reads dead letters.
                if source.contains("senderWatch()") { named.append("deadLetters") }
                for topic in named.compactMap({ names[$0] }) {
                    #expect(known.contains(topic), "\(service): \(topic)")
                }
            }
        }
    }

    @Test("Each view's and each processor's consumer group belongs to the service that keeps it")
    func groups() throws {
        let script = try DeployTests.text("deploy/topic-rights.sh")
        let owned = script.components(separatedBy: "owned() {")[1].prefix { $0 != "}" }
        for service in Self.services {
            for file in DocumentationTests.files(under: "Services/\(service)", endingWith: ".swift")
            {
                let source = try DeployTests.text(file)
                let isView = source.contains(/: (?:\w+, )*View\b/)
                let groups = source.matches(of: /group: "([a-z-]+)"/).map { String($0.1) }
                let views = source.matches(of: /(?m)^    let name = "([a-z-]+)"$/)
                for group in groups + (isView ? views.map { String($0.1) } : []) {
                    let isOwn = group.hasPrefix(service)
                    #expect(isOwn || owned.contains(" \(group)"), "\(service): \(group)")
                }
            }
        }
    }
}
