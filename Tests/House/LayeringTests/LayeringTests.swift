import Foundation
import Repository
import Testing

@Suite("Layering") struct LayeringTests {
    static let house = Result { try SourceTree(root: repository) }
    /// The faults of the tree itself.
    static let known = house.map { $0.violations() }

    /// A planted fault, its file, and the words that the message must contain.
    struct Planted: Sendable, CustomStringConvertible {
        let file: String
        let content: String
        let words: String
        /// The place that the message names, if it is not the planted file.
        var place: String?
        var description: String { "\(words) in \(file)" }
    }

    static let faults = [
        Planted(
            file: "Shared/Domain/Geometry/Planted/Planted.swift", content: "import Site\n",
            words: "imports nothing"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift", content: "import Postgres\n",
            words: "crosses a layer"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift", content: "import Foundation\n",
            words: "Foundation is neither"),
        Planted(
            file: "Shared/Domain/Events/Planted/Planted.swift", content: "public import Geometry\n",
            words: "imports nothing"),
        Planted(
            file: "Shared/Adapters/HTTP/Planted/Planted.swift",
            content: "public import struct Events.SiteID\n", words: "crosses a layer"),
        Planted(
            file: "Shared/Adapters/HTTP/Deeper/Planted.swift", content: "import EventLog\n",
            words: "does not say that HTTP uses EventLog"),
        Planted(
            file: "Shared/Adapters/JSON/Planted/Planted.swift",
            content: "@preconcurrency internal import CPostgres\n",
            words: "does not say that JSON uses CPostgres"),
        Planted(
            file: "Shared/Adapters/KafkaLog/Planted/Planted.swift", content: "import CKafka\n",
            words: "does not say that KafkaLog uses CKafka"),
        Planted(
            file: "Shared/Wire/Planted/Planted.swift", content: "@testable import ServiceHost\n",
            words: "does not say"),
        Planted(
            file: "Shared/Wire/Planted/Planted.swift", content: "import Archive\n",
            words: "does not say"),
        Planted(
            file: "Shared/ServiceHost/Planted/Planted.swift", content: "import CKafka\n",
            words: "crosses a layer"),
        Planted(
            file: "Shared/Domain/Beacons/Planted/Planted.swift", content: "import Devices\n",
            words: "does not say"),
        Planted(
            file: "Services/locator/Planted/Planted.swift", content: "import Router\n",
            words: "crosses a layer"),
        Planted(
            file: "Services/locator/Planted/Planted.swift", content: "import JSON\n",
            words: "may not import JSON"),
        Planted(
            file: "Services/site-editor/Planted/PlantedStore.swift", content: "import HTTP\n",
            words: "a store knows no HTTP"),
        Planted(
            file: "Services/router/Planted/Planted.swift",
            content: "let planted = Problem(\n    status: 418, code: \"planted\", detail: \"\")\n",
            words: "gives a problem a status"),
        Planted(
            file: "Services/router/Planted/Planted.swift",
            content: "let planted = \"SET LOCAL statement_timeout = 0\"\n",
            words: "sets statement_timeout"),
        Planted(file: "Shared/Domain/Orphan/Orphan.swift", content: "", words: "in no module"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift",
            content: String(repeating: "//\n", count: 401), words: "401 lines"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift",
            content: "// " + String(repeating: "x", count: 98) + "\n", words: "over 100 columns"),
        Planted(
            file: "Tests/Support/Repository/Planted/Planted.swift",
            content: "func long(x: [Int] = { [1] }()) {\n" + String(repeating: "\n", count: 60)
                + "}\n", words: "has 62 lines"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift",
            content: "public struct HTTPRequest { let a = Planted(HTTPRequest.self) }\n",
            words: "both have a type HTTPRequest", place: "Package.swift"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift",
            // In two parts, so that this file does not contain the name.
            content: "package func nobody" + "Calls() {}\n",
            words: "is public and used in Site alone"),
        Planted(
            file: "Shared/Domain/Site/Planted/Planted.swift",
            content: "/// Short.\n/// " + "What is planted.\n", words: "line 2: a sentence begins"),
    ]

    @Test("No import crosses a layer, no row has unused entries, and nothing is too long")
    func keepsItsRules() throws {
        let tree = try Self.house.get()
        // A tree without modules would keep every rule.
        #expect(tree.house.rows.count > 50)
        #expect(tree.swiftFiles(in: ["Shared"]).count > 500)
        let violations = try Self.known.get()
        #expect(
            violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test("Each planted fault is found, and nothing else", arguments: faults)
    func canary(fault: Planted) throws {
        try expect(fault.words, at: fault.place ?? fault.file, adding: fault.file, fault.content)
    }

    @Test("A row with too many entries, and a folder of 21 files, are found")
    func wholeFaults() throws {
        let file = repository.appending(path: "Package.swift")
        let manifest = try String(contentsOf: file, encoding: .utf8)
        func expectRow(_ words: String, _ old: String, _ new: String) throws {
            try #require(manifest.contains(old))
            try expect(
                words, at: "Package.swift", adding: "Package.swift",
                manifest.replacing(old, with: new))
        }
        try expectRow("SiteSearch does not use Media", "SiteSearch Site", "SiteSearch Site Media")
        try expectRow("may not use Postgres", "SiteSearch Site", "SiteSearch Site Postgres")
        try expectRow("CExpat is wrapped by", "Archive CArchive", "Archive CArchive CExpat")
        try expectRow(
            "tests of Site do not use Media", "Geometry Numbers |", "Geometry Numbers | Media")
        var tree = try Self.house.get()
        for number in 0...LayeringRules.mostFilesInAFolder {
            tree = tree.adding("Shared/Domain/Site/Many/File\(number).swift", "")
        }
        #expect(
            tree.violations().contains {
                $0.file == "Shared/Domain/Site/Many" && $0.problem.hasPrefix("21 Swift files")
            })
    }

    /// The first test covers faults of the tree itself, so they do not count here.
    private func expect(
        _ words: String, at place: String, adding file: String, _ content: String
    ) throws {
        let tree = try Self.house.get()
        let new = Set(tree.adding(file, content).violations()).subtracting(try Self.known.get())
        #expect(new.contains { $0.file == place && $0.problem.contains(words) }, "\(new)")
        #expect(new.allSatisfy { $0.file == place }, "\(new)")
    }
}
