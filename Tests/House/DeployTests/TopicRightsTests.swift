import Foundation
import Testing

/// Runs deploy/topic-rights.sh with a program that replaces Kafka's own tool and keeps the rights
/// in a file.
@Suite("The script for the brokers' rights") struct TopicRightsTests {
    /// Does the work of kafka-acls, and notes each right that it adds or removes.
    private static let tool = #"""
        #!/usr/bin/env python3
        import collections, fcntl, itertools, os, sys
        folder = os.environ["TMPDIR"]
        kinds = {"--topic": "TOPIC", "--group": "GROUP", "--transactional-id": "TRANSACTIONAL_ID"}
        words, given = sys.argv[sys.argv.index("org.apache.kafka.tools.AclCommand") + 1:], {}
        options, things = collections.defaultdict(list), []
        names = {"DESCRIBECONFIGS": "DESCRIBE_CONFIGS", "ALTERCONFIGS": "ALTER_CONFIGS",
                 "IDEMPOTENTWRITE": "IDEMPOTENT_WRITE"}
        while words:
            word = words.pop(0)
            if word == "--cluster":
                things.append(("CLUSTER", "kafka-cluster"))
            elif words and not words[0].startswith("--"):
                value = words.pop(0)
                if word in kinds:
                    things.append((kinds[word], value))
                else:
                    options[word].append(value)
            else:
                options[word].append("")
        lock = open(folder + "/lock", "w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        state = set(open(folder + "/state").read().splitlines())
        asked = {"|".join(right) for right in (
            (who, host, pattern, names.get(does.upper(), does.upper()), kind, name)
            for who, host, pattern, does, (kind, name) in itertools.product(
                options["--allow-principal"], options["--allow-host"] or ["*"],
                [word.upper() for word in options["--resource-pattern-type"]],
                options["--operation"], things))}
        if "--list" in options:
            for right in sorted(state):
                who, host, pattern, does, kind, name = right.split("|")
                if who in options["--principal"]:
                    print(f"Current ACLs for resource `ResourcePattern(resourceType={kind}, "
                          f"name={name}, patternType={pattern})`: \n "
                          f"\t(principal={who}, host={host}, "
                          f"operation={does}, permissionType=ALLOW)\n")
        else:
            how = "add" if "--add" in options else "remove"
            with open(folder + "/changes", "a") as changes:
                changes.writelines(f"{how} {right}\n" for right in sorted(asked))
            state = state | asked if how == "add" else state - asked
        open(folder + "/state", "w").write("".join(right + "\n" for right in sorted(state)))
        """#

    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "topic-rights-\(UUID().uuidString)")

    private static func read(_ name: String) -> [String] {
        let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// The rights that a run of the script added and removed.
    private static func run() throws -> [String] {
        try? FileManager.default.removeItem(at: folder.appending(path: "changes"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let (status, output) = try DeployTests.run(
            [
                "PATH=\(folder.path):\(path)", "sh",
                DeployTests.root.appending(path: "deploy/topic-rights.sh").path, "brokers",
            ], environment: ["TMPDIR": folder.path])
        #expect(status == 0, "\(output)")
        return read("changes")
    }

    @Test("adds missing rights first, and only then removes rights that the table lacks")
    func changes() throws {
        try FileManager.default.createDirectory(
            at: Self.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: Self.folder) }
        let tool = Self.folder.appending(path: "java")
        try Self.tool.write(to: tool, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: tool.path)
        let state = Self.folder.appending(path: "state")
        try "".write(to: state, atomically: true, encoding: .utf8)
        let added = try Self.run()
        #expect(added.allSatisfy { $0.hasPrefix("add ") })
        let whole = Self.read("state")
        #expect(Set(added).count == whole.count && !whole.isEmpty)
        #expect(whole.contains("User:CN=producer|*|LITERAL|WRITE|TOPIC|whereabouts.scans-inbound"))
        #expect(try Self.run().isEmpty)

        let lacking = try #require(whole.first { $0.contains("|READ|") })
        let stale = [
            "User:CN=locator|*|PREFIXED|ALTER_CONFIGS|TOPIC|whereabouts.",
            "User:CN=producer|*|LITERAL|ALTER|CLUSTER|kafka-cluster",
            "User:CN=router|10.0.0.1|LITERAL|WRITE|TOPIC|whereabouts.tokens",
        ]
        let others = "User:CN=company|*|LITERAL|READ|TOPIC|whereabouts.positions"
        let before = whole.filter { $0 != lacking } + stale + [others]
        try before.map { $0 + "\n" }.joined().write(to: state, atomically: true, encoding: .utf8)
        let changes = try Self.run()
        #expect(changes.first == "add \(lacking)")
        #expect(Set(changes.dropFirst()) == Set(stale.map { "remove \($0)" }))
        #expect(Set(Self.read("state")) == Set(whole + [others]))

        // A service that may change a topic's retention could empty the topic.
        let makers = whole.filter { $0.contains("|ALTER_CONFIGS|") || $0.contains("|CREATE|") }
        #expect(makers.allSatisfy { $0.hasPrefix("User:CN=topics|") } && makers.count == 2)
        #expect(!whole.contains { $0.contains("|ALL|TOPIC|") })
    }
}
