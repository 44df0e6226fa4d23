import Foundation
import Testing

/// Runs the pages' lines about Docker, with docker-compose and the files of a release.
@Suite("Pages about Docker") struct ComposePagesTests {
    private static let pages = DocumentationTests.files(under: "docs/operation", endingWith: ".md")

    /// A folder with what `deploy/release` packs for Docker.
    private static func withFiles<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["docker-compose.yml", "deploy"] {
            try FileManager.default.copyItem(
                at: DeployTests.root.appending(path: name), to: folder.appending(path: name))
        }
        return try body(folder)
    }

    private static func run(_ script: String, in folder: URL) throws -> (Int32, String) {
        try DeployTests.run(["sh", "-c", "cd '\(folder.path)' && \(script)"], environment: [:])
    }

    /// The block of a page that makes `.env`.
    private static func environmentBlock() throws -> String {
        let page = try DeployTests.text("docs/operation/install.md")
        let begin = try #require(page.range(of: "(umask 077; sed"))
        let rest = page[begin.lowerBound...]
        let end = try #require(rest.range(of: "> .env)"))
        return String(rest[..<end.upperBound])
    }

    @Test("Commands need no flags: .env names the compose files")
    func flags() throws {
        for page in Self.pages {
            let text = try DeployTests.text(page)
            #expect(!text.contains(#/docker compose\s+(-f|--file|--env-file)/#), "\(page)")
        }
        #expect(try Self.environmentBlock().contains("COMPOSE_FILE=deploy/compose.small.yml"))
    }

    @Test(
        "The .env of the page about installing leads a bare command to the small file",
        .enabled(if: DeployTests.hasCompose, "docker-compose is not installed"))
    func environment() throws {
        try Self.withFiles { folder in
            let made = try Self.run(Self.environmentBlock(), in: folder)
            #expect(made.0 == 0, "\(made.1)")
            let services = try Self.run("docker-compose config --services", in: folder)
            #expect(services.0 == 0, "\(services.1)")
            let names = Set(services.1.split(separator: "\n").map(String.init))
            #expect(names.contains("whereabouts") && !names.contains("kafka"), "\(names)")
            // The command of restore.md finds the password that was made.
            let page = try DeployTests.text("docs/operation/restore.md")
            let password = try #require(page.firstMatch(of: /PGPASSWORD="\$\((sed .+?)\)"/)).1
            let shown = try Self.run(String(password), in: folder)
            #expect(shown.1.wholeMatch(of: /[0-9a-f]{64}\n/) != nil, "\(shown.1)")
        }
    }

    @Test(
        "Prometheus stands beside each compose file, and has each of its services as a target",
        .enabled(if: DeployTests.hasCompose, "docker-compose is not installed"),
        arguments: DeployTests.composeFiles)
    func prometheus(file: String) throws {
        let isSmall = file.contains("small")
        try Self.withFiles { folder in
            let kind = isSmall ? "one-process" : "each-service"
            let files = file == "docker-compose.yml" ? "./deploy/prometheus" : ""
            let made = try Self.run(Self.environmentBlock(), in: folder)
            #expect(made.0 == 0, "\(made.1)")
            // In the shell's own environment docker-compose 1 would look for .env beside the file.
            let settings = """
                COMPOSE_FILE=\(file):deploy/compose.prometheus.yml
                PROMETHEUS_TARGETS=\(kind)
                PROMETHEUS_FILES=\(files)
                """
            let (status, output) = try Self.run(
                "printf '%s\\n' '\(settings)' >> .env && docker-compose config", in: folder)
            #expect(status == 0, "\(output)")
            // Each file that is mounted is there.
            let own = try #require(
                output.components(separatedBy: "\n  prometheus:\n").dropFirst().first)
            let mounted = own.matches(of: /- (\/\S+):\/etc\/prometheus\/\S+:ro/)
                .map { String($0.1) }
            #expect(mounted.count == 3, "\(own.prefix(2_000))")
            for path in mounted { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
            let list = try #require(mounted.first { $0.contains("targets") })
            let targets = Set(
                try String(contentsOfFile: list, encoding: .utf8)
                    .matches(of: /"([a-z-]+):8080"/).map { String($0.1) })
            let text = try DeployTests.text(file)
            let proxied = Set(
                try DeployTests.text("deploy/Caddyfile")
                    .matches(of: /reverse_proxy ([a-z-]+):8080/).map { String($0.1) })
            #expect(targets == (isSmall ? ["whereabouts"] : proxied))
            for target in targets { #expect(text.contains("\n  \(target):\n"), "\(target)") }
        }
    }

    @Test("Lines of one's own for Caddy are in a folder that every compose file mounts")
    func own() throws {
        #expect(try DeployTests.text("deploy/Caddyfile").contains("\timport own/*.caddy\n"))
        for file in DeployTests.composeFiles {
            let folder = file.hasPrefix("deploy/") ? "./own" : "./deploy/own"
            let text = try DeployTests.text(file)
            #expect(text.contains("- \(folder):/etc/caddy/own:ro\n"), "\(file)")
        }
        for page in Self.pages {
            let text = try DeployTests.text(page)
            #expect(!text.contains(/[Aa]dd (a|the) line[^.]*Caddyfile/), "\(page)")
        }
    }
}
