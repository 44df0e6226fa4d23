import Foundation

struct Violation: Hashable, CustomStringConvertible {
    let file: String
    let problem: String
    var description: String { "\(file): \(problem)" }
}

/// The source files of the repository, read once.
struct SourceTree: Sendable {
    let house: House
    /// The files by their path from the root.
    let files: [String: SourceFile]

    init(root: URL) throws {
        let manifest = root.appending(path: "Package.swift")
        house = House(manifest: try String(contentsOf: manifest, encoding: .utf8))
        var files: [String: SourceFile] = [:]
        for folder in LayeringRules.measuredFolders {
            let base = root.appending(path: folder)
            let names = FileManager.default.enumerator(atPath: base.path)?.compactMap {
                $0 as? String
            }
            for name in names ?? [] {
                let ending = (name as NSString).pathExtension
                guard LayeringRules.sourceEndings.contains(ending) else { continue }
                let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
                files["\(folder)/\(name)"] = SourceFile(text, isSwift: ending == "swift")
            }
        }
        self.files = files
    }

    private init(house: House, files: [String: SourceFile]) {
        self.house = house
        self.files = files
    }

    /// The same tree with one file added or replaced.
    func adding(_ file: String, _ content: String) -> SourceTree {
        if file == "Package.swift" {
            return SourceTree(house: House(manifest: content), files: files)
        }
        var more = files
        more[file] = SourceFile(content, isSwift: file.hasSuffix(".swift"))
        return SourceTree(house: house, files: more)
    }

    /// All broken rules, sorted by file.
    func violations() -> [Violation] {
        let found =
            importViolations() + refusalViolations() + rowViolations() + unusedEntries()
            + sizeViolations() + wordViolations() + folderViolations() + nameViolations()
            + reachViolations()
        return found.sorted { ($0.file, $0.problem) < ($1.file, $1.problem) }
    }

    /// Swift files in these folders and their subfolders.
    func swiftFiles(in folders: [String]) -> [(path: String, file: SourceFile)] {
        files.filter { path, _ in
            path.hasSuffix(".swift") && folders.contains { path.hasPrefix($0 + "/") }
        }.map { ($0.key, $0.value) }
    }
}
