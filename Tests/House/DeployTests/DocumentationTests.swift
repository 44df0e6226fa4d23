import Commands
import Foundation
import ServiceHost
import Site
import Testing
import Wire

@Suite("Documents") struct DocumentationTests {
    /// Files under a folder of the repository, by their path in it. Build folders are left out.
    static func files(under folder: String, endingWith suffix: String) -> [String] {
        let base = DeployTests.root.appending(path: folder)
        guard let names = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var paths: [String] = []
        for case let name as String in names {
            if name.hasPrefix(".") {
                names.skipDescendants()
            } else if name.hasSuffix(suffix) {
                paths.append(folder.isEmpty ? name : "\(folder)/\(name)")
            }
        }
        return paths.sorted()
    }

    /// The targets of a Markdown text's links and images, without web addresses.
    static func relativeLinks(_ text: String) -> [String] {
        text.matches(of: /\]\(([^()\s]+)\)/).map { String($0.1) }.filter { link in
            !link.contains("://") && !link.hasPrefix("mailto:")
        }
    }

    /// The anchors of a Markdown text's headings, as code hosts make them: lower case, without
    /// punctuation, and with hyphens for spaces.
    static func anchors(_ text: String) -> Set<String> {
        Set(
            text.matches(of: /(?m)^#+ (.+)$/).map { heading in
                String(
                    heading.1.lowercased().compactMap { character -> Character? in
                        if character == " " { return "-" }
                        return character.isLetter || character.isNumber || "-_".contains(character)
                            ? character : nil
                    })
            })
    }

    @Test("Every relative link of every page leads to a file, and to a heading in it")
    func links() throws {
        let pages = Self.files(under: "", endingWith: ".md")
        #expect(pages.count > 10)
        for page in pages {
            let file = DeployTests.root.appending(path: page)
            for link in Self.relativeLinks(try DeployTests.text(page)) {
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? file : file.deletingLastPathComponent().appending(path: String(parts[0]))
                #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link)")
                guard parts.count > 1, target.pathExtension == "md" else { continue }
                let text = try String(contentsOf: target, encoding: .utf8)
                #expect(Self.anchors(text).contains(String(parts[1])), "\(page): \(link)")
            }
        }
        // The test sees planted links and headings, and ignores a link to the web.
        #expect(Self.relativeLinks("[a](b/c.md#d) [e](https://f.g) [h](#i)") == ["b/c.md#d", "#i"])
        #expect(Self.anchors("# A `b`, c\ntext\n## D-e") == ["a-b-c", "d-e"])
    }

    @Test("Wherever the console's consumer is shown, it reads only committed records")
    func consoleConsumer() throws {
        var shown = 0
        for page in Self.files(under: "", endingWith: ".md") {
            let text = try DeployTests.text(page).replacing(/\\\n\s*/, with: "")
            for line in text.split(separator: "\n") where line.contains("console-consumer") {
                shown += 1
                // The tool's own default also shows records of aborted transactions.
                #expect(line.contains("--isolation-level read_committed"), "\(page): \(line)")
            }
        }
        #expect(shown > 0)
    }

    @Test("The page of the program lists every command, and the changelog knows its version")
    func commands() throws {
        let page = try DeployTests.text("Services/whereabouts/README.md")
        let folder = "Services/whereabouts/Commands"
        var names: Set<String> = []
        for file in Self.files(under: folder, endingWith: ".swift") {
            let forms = try DeployTests.text(file).matches(of: /Command\(\s*name: "([a-z-]+)"/)
            names.formUnion(forms.map { String($0.1) })
        }
        #expect(names.count > 15)
        let listed = page.matches(of: /(?m)^\| (`[^|]+`) \|/).map { String($0.1) }.joined(
            separator: " ")
        for name in names.sorted() {
            #expect(
                listed.contains("`\(name)`") || listed.contains("`\(name) "), "\(name)")
        }
        #expect(try DeployTests.text("CHANGELOG.md").contains(whereaboutsVersion))
    }

    @Test(
        "A printed table in a document equals the output of whereabouts describe",
        arguments: DescribedTable.allCases)
    func printed(table: DescribedTable) throws {
        let document = try DeployTests.text(table.file)
        let printed = try #require(table.printed(in: document), "\(table.file) lacks the marks")
        #expect(printed == document, "run deploy/describe.py")
        // The test notices a missing row.
        let rows = document.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(
            table.text.split(separator: "\n").last { $0.contains("`") || $0.contains("@") })
        #expect(table.printed(in: rows.filter { $0 != row }.joined(separator: "\n")) == document)
    }

    /// `METHOD path` of each route that a service's sources declare.
    static func routes(of service: String) throws -> Set<String> {
        var routes: Set<String> = []
        // One service has its answers in a module of their own.
        let shared = service == "timetable-fetcher" ? ["Shared/RoomAnswers"] : []
        for file in (["Services/\(service)"] + shared).flatMap({
            files(under: $0, endingWith: ".swift")
        }) {
            let source = try DeployTests.text(file)
            for match in source.matches(of: /Route\(\s*\.(\w+), "(\/[^"\\]*)"/) {
                routes.insert("\(match.1) \(match.2)")
            }
            // The records of all kinds share the same routes.
            for type in RecordKind.written where source.contains("RecordRoutes<Record>(") {
                let list = "/v1/sites/{site}/\(type.kind.path)"
                routes.insert("get \(list)")
                routes.formUnion(["get", "put", "patch", "delete"].map { "\($0) \(list)/{id}" })
            }
            for match in source.matches(of: /\bpost\("(\/[^"]*)"/) {
                routes.insert("post \(match.1)")
            }
            for match in source.matches(of: /\broute\("(\/[^"]*)"/) {
                routes.insert("get \(match.1)")
            }
        }
        return routes
    }

    struct Description: Decodable {
        struct Operation: Decodable { let tags: [String] }
        let paths: [String: [String: Operation]]
    }

    @Test(
        "The table of paths and owners, the description and the routes of a service agree",
        arguments: [
            "scan-ingest", "site-editor", "fingerprint-builder", "locator", "router",
            "timetable-fetcher",
        ])
    func paths(service: String) throws {
        let routes = try Self.routes(of: service)
        #expect(!routes.isEmpty)
        let description = try JSONDecoder().decode(
            Description.self, from: Data(try DeployTests.text("docs/openapi.json").utf8))
        let described = description.paths.flatMap { path, operations in
            operations.filter { $0.value.tags == [service] }.map { "\($0.key) \(path)" }
        }
        #expect(Set(described) == routes)
        let architecture = try DeployTests.text("ARCHITECTURE.md")
        let rows = architecture.matches(of: /(?m)^\| `(\/[^`]*)` \| ([a-z-]+) \|$/)
        let owned = rows.filter { $0.2 == service }.map { String($0.1) }
        #expect(Set(owned) == Set(routes.map { String($0.drop { $0 != "/" }) }))
    }

    @Test("The description of a site's removal tells how a test ends, without a confirmation")
    func endOfTest() throws {
        struct Parameter: Decodable {
            let name: String?
            let required: Bool?
        }
        struct Removal: Decodable {
            let description: String?
            let parameters: [Parameter]?
        }
        struct Path: Decodable { let delete: Removal? }
        struct Description: Decodable { let paths: [String: Path] }
        let description = try JSONDecoder().decode(
            Description.self, from: Data(try DeployTests.text("docs/openapi.json").utf8))
        let removal = try #require(description.paths["/v1/sites/{site}"]?.delete)
        #expect(removal.description?.contains("testers' site") == true)
        let confirmation = try #require(
            removal.parameters?.first { $0.name == "confirm" })
        #expect(confirmation.required != true)
    }

    @Test("Each function of the walks in ARCHITECTURE.md is in the file named beside it")
    func walks() throws {
        let architecture = try DeployTests.text("ARCHITECTURE.md")
        var count = 0
        let rows = architecture.matches(
            of: /(?m)^\| [· ]*`(\w+)(?:\((\w+:)\))?` \| ([^|]*) \|/)
        for row in rows {
            for file in row.3.matches(of: /`([^`]+\.swift)`/) {
                let source = try DeployTests.text(String(file.1))
                let declarations =
                    row.1 == "init"
                    ? ["init(\(row.2?.dropLast() ?? "")"]
                    : ["func \(row.1)(", "var \(row.1):", "func \(row.1)<"]
                #expect(
                    declarations.contains { source.contains($0) }, "\(file.1): \(row.1)")
                count += 1
            }
        }
        #expect(count > 30)
    }
}
