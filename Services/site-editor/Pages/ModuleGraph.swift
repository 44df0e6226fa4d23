/// The ES modules of the apps and what each imports, so that a page can ask for all of them at
/// once. Otherwise a browser would find each only after it has read the one before.
struct ModuleGraph: Sendable {
    private let imports: [String: [String]]

    init(_ files: [(name: String, bytes: [UInt8])]) {
        imports = Dictionary(
            files.filter { $0.name.hasSuffix(".js") }.map { name, bytes in
                (name, Self.imports(of: String(decoding: bytes, as: UTF8.self), in: name))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The module and all that it imports, each once, nearest first.
    func modules(from first: String) -> [String] {
        guard imports[first] != nil else { return [] }
        var found = [first]
        var next = 0
        while next < found.count {
            for name in imports[found[next]] ?? [] where !found.contains(name) {
                found.append(name)
            }
            next += 1
        }
        return found
    }

    /// The names of the static imports: `import … from './name.js'` and `import './name.js'` of the
    /// module's folder, and `/app/name.js`. An import within a function is asked for when it is
    /// needed.
    private static func imports(of text: String, in module: String) -> [String] {
        let folder = module.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        return text.matches(
            of: #/(?m:^|\s)(?:from|import)\s*['"](\.|\/app)\/([A-Za-z0-9._\/-]+)['"]/#
        ).map { ($0.1 == "." ? folder : "") + $0.2 }
    }
}
