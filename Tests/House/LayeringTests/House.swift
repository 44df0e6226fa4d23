import Foundation

/// The rows of Package.swift: the modules that each module may use.
struct House: Sendable {
    struct Row: Sendable {
        /// The folder of the row's section, such as Shared/Domain.
        let section: String
        let module: String
        let folder: String
        let uses: [String]
        /// The further modules that its tests use. Nil where it has no tests.
        let testsUse: [String]?
    }

    let rows: [Row]
    private let byName: [String: Row]
    private let byFolder: [String: Row]
    /// For each module, those that it may use, directly and indirectly.
    private var reached: [String: Set<String>] = [:]

    /// Parses the rows the way Package.swift does.
    init(manifest: String) {
        let text = manifest.components(separatedBy: "\"\"\"").dropFirst().first ?? ""
        // A row that ends with a backslash continues on the next line.
        let lines = text.replacing("\\\n", with: "").split(separator: "\n")
        var section = ""
        var rows: [Row] = []
        for line in lines where !line.allSatisfy(\.isWhitespace) {
            // Sections are indented by four columns, rows by five.
            guard line.hasPrefix("     ") else {
                section = line.trimmingCharacters(in: .whitespaces)
                continue
            }
            rows += line.split(separator: ",").map { Self.row(String($0), in: section) }
        }
        self.rows = rows
        byName = Dictionary(rows.map { ($0.module, $0) }) { first, _ in first }
        byFolder = Dictionary(rows.map { ($0.folder, $0) }) { first, _ in first }
        for row in rows { reached[row.module] = closure(row.uses) }
    }

    private static func row(_ entry: String, in section: String) -> Row {
        let halves = entry.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").map(String.init) }
        let module = halves[0][0]
        return Row(
            section: section, module: module, folder: "\(section)/\(folder(module, section))",
            uses: Array(halves[0].dropFirst()), testsUse: halves.count > 1 ? halves[1] : nil)
    }

    /// A service's folder is named like its module, with hyphens.
    private static func folder(_ module: String, _ section: String) -> String {
        guard section == "Services" else { return module }
        let hyphenated = module.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
        return String(hyphenated.joined().dropFirst())
    }

    subscript(module: String) -> Row? { byName[module] }

    /// All modules that the row's module may use.
    func reach(of row: Row) -> Set<String> { reached[row.module] ?? [] }

    /// The modules with all modules that they may use, directly and indirectly.
    func closure(_ modules: some Sequence<String>) -> Set<String> {
        var found = Set(modules)
        var open = Array(found)
        while let module = open.popLast() {
            for next in byName[module]?.uses ?? [] where found.insert(next).inserted {
                open.append(next)
            }
        }
        return found
    }

    /// The module whose folder holds the file; of two, the inner one.
    func row(of file: String) -> Row? {
        var folder = file[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if let row = byFolder[String(folder)] { return row }
        }
        return nil
    }

    /// The module that the tests in the file's folder test.
    func tested(by file: String) -> Row? {
        let parts = file.split(separator: "/")
        guard parts.count > 3, parts[0] == "Tests", parts[2].hasSuffix("Tests") else { return nil }
        return byName[String(parts[2].dropLast(5))]
    }
}
