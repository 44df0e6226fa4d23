import Foundation

/// A file that breaks a rule.
struct Violation: Hashable, CustomStringConvertible {
    let file: String
    let problem: String
    var description: String { "\(file): \(problem)" }
}

/// The sources under one root, and the modules that its Package.swift declares.
struct SourceTree {
    struct Module {
        let name: String
        let path: String
        let layer: Layer
        let dependencies: Set<String>
    }

    let root: URL
    /// Those of Shared and Services.
    let modules: [Module]

    init(root: URL) throws {
        self.root = root
        modules = try Self.declaredModules(root)
    }

    /// Other sources under the same Package.swift.
    init(root: URL, like other: SourceTree) {
        self.root = root
        modules = other.modules
    }

    /// Paths below the root of the files in a folder, sorted.
    func files(in folder: String) -> [String] {
        let base = root.appending(path: folder)
        guard let names = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return names.compactMap { $0 as? String }
            .filter { LayeringRules.sourceEndings.contains(($0 as NSString).pathExtension) }
            .map { "\(folder)/\($0)" }.sorted()
    }

    func lines(of file: String) throws -> [Substring] {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules that a Swift file imports, whatever stands before or after the word.
    func imports(of file: String) throws -> [String] {
        let pattern =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
        return try lines(of: file).compactMap { line in
            // Looking for the word first spares nearly all of the matching, which is slow.
            guard line.contains("import ") else { return nil }
            return line.firstMatch(of: pattern).map { String($0.1) }
        }
    }

    /// The module whose folder holds the file.
    func module(of file: String) -> Module? {
        modules.filter { file.hasPrefix($0.path + "/") }.max { $0.path.count < $1.path.count }
    }

    private struct Manifest: Decodable {
        struct Target: Decodable {
            let name: String
            let path: String?
            let dependencies: [[String: [Name?]]]
        }
        /// A dependency's name; the platform conditions beside it are of no interest.
        struct Name: Decodable {
            let text: String?
            init(from decoder: any Decoder) throws {
                text = try? decoder.singleValueContainer().decode(String.self)
            }
        }
        let targets: [Target]
    }

    private static func declaredModules(_ root: URL) throws -> [Module] {
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "layering-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let swift = Process()
        swift.executableURL = URL(filePath: "/usr/bin/env")
        // A scratch folder of its own: the usual one is locked by the test run itself.
        swift.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path,
            "dump-package",
        ]
        let output = Pipe()
        swift.standardOutput = output
        try swift.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        swift.waitUntilExit()
        return try JSONDecoder().decode(Manifest.self, from: data).targets.compactMap { target in
            let path = target.path ?? "Sources/\(target.name)"
            guard let layer = Layer(path: path) else { return nil }
            let names = target.dependencies.flatMap(\.values).compactMap { $0.first??.text }
            return Module(
                name: target.name, path: path, layer: layer, dependencies: Set(names))
        }
    }
}
