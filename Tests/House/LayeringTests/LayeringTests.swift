import Foundation
import Repository
import Testing

@Suite("Layering") struct LayeringTests {
    static let house = Result { try SourceTree(root: repository) }

    /// A fault, where it is planted, and a word of the message that must name it.
    struct Planted: Sendable, CustomStringConvertible {
        let file: String
        let content: String
        let word: String
        var description: String { file }
    }

    static let faults = [
        Planted(
            file: "Shared/Domain/Geometry/Planted.swift", content: "import Postgres\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/Domain/Site/Planted.swift", content: "import Foundation\n",
            word: "Foundation is neither"),
        Planted(
            file: "Shared/Domain/Events/Planted.swift", content: "public import Geometry\n",
            word: "imports nothing"),
        Planted(
            file: "Shared/Adapters/HTTP/Planted.swift",
            content: "public import struct Events.SiteID\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/Adapters/HTTP/Deeper/Planted.swift", content: "import EventLog\n",
            word: "the adapter HTTP may not"),
        Planted(
            file: "Shared/Adapters/ChildProgram/Planted.swift", content: "import Positioning\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/Adapters/JSON/Planted.swift",
            content: "@preconcurrency internal import CPostgres\n", word: "the adapter JSON may not"
        ),
        Planted(
            file: "Shared/Wire/Planted.swift", content: "@testable import ServiceHost\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/ServiceHost/Planted.swift", content: "import CKafka\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/Wire/Planted.swift", content: "import Archive\n",
            word: "Package.swift does not say"),
        Planted(
            file: "Shared/Domain/Beacons/Planted.swift", content: "import Devices\n",
            word: "Package.swift does not say"),
        Planted(
            file: "Shared/Datasets/Planted.swift", content: "import CArchive\n",
            word: "crosses a layer"),
        Planted(
            file: "Shared/Domain/Orphan/Orphan.swift", content: "", word: "lies in no module"),
        Planted(
            file: "Shared/Domain/Site/Planted.swift",
            content: String(repeating: "//\n", count: 401), word: "401 lines"),
    ]

    @Test("No import crosses a layer, folders are modules, and no file is too long")
    func keepsItsRules() throws {
        let tree = try Self.house.get()
        // A tree without modules would pass any rule.
        #expect(tree.modules.count > 20)
        #expect(tree.files(in: "Shared").count > 20)
        let violations = try tree.violations()
        #expect(
            violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test("Each planted fault is found, alone", arguments: faults)
    func canary(fault: Planted) throws {
        let manager = FileManager.default
        let copy = manager.temporaryDirectory.appending(path: "house-\(UUID().uuidString)")
        try manager.createDirectory(at: copy, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: copy) }
        for name in LayeringRules.sourceFolders {
            try manager.copyItem(
                at: repository.appending(path: name), to: copy.appending(path: name))
        }
        let tree = SourceTree(root: copy, like: try Self.house.get())
        // Faults of the house itself are the other test's affair.
        let before = Set(try tree.violations())
        let file = copy.appending(path: fault.file)
        try manager.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try fault.content.write(to: file, atomically: true, encoding: .utf8)
        let new = Set(try tree.violations()).subtracting(before)
        #expect(new.map(\.file) == [fault.file])
        #expect(new.first?.problem.contains(fault.word) == true)
    }

    @Test("A service may use what is shared and itself, not another service")
    func services() {
        #expect(LayeringRules.allows(.service("locator"), .frame))
        #expect(LayeringRules.allows(.service("locator"), .service("locator")))
        #expect(!LayeringRules.allows(.service("locator"), .service("router")))
        #expect(!LayeringRules.allows(.service("locator"), .cLibrary))
        #expect(!LayeringRules.allows(.service("locator"), .whereabouts))
        #expect(LayeringRules.allows(.whereabouts, .service("locator")))
        #expect(!LayeringRules.allows(.frame, .service("locator")))
    }
}
