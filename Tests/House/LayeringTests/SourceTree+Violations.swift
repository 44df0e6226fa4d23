import Foundation

extension SourceTree {
    /// Everything that breaks a rule, sorted by file.
    func violations() throws -> [Violation] {
        let found = try importViolations() + folderViolations() + lengthViolations()
        return found.sorted { $0.file < $1.file }
    }

    private func importViolations() throws -> [Violation] {
        let byName = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0) })
        return try swiftFiles.flatMap { file -> [Violation] in
            guard let module = module(of: file) else { return [] }
            return try imports(of: file).compactMap { name in
                guard name != module.name else { return nil }
                return problem(of: module, importing: name, byName).map {
                    Violation(file: file, problem: $0)
                }
            }
        }
    }

    private func problem(
        of module: Module, importing name: String, _ byName: [String: Module]
    ) -> String? {
        if LayeringRules.modulesWithoutImports.contains(module.name) {
            return "\(module.name) imports nothing, not even \(name)"
        }
        guard let used = byName[name] else {
            let platform = LayeringRules.platformModules(of: module.layer)
            return platform.contains(name)
                ? nil : "\(name) is neither ours nor allowed from the toolchain here"
        }
        guard LayeringRules.allows(module.layer, used.layer) else {
            return "\(module.name) may not import \(name): the import crosses a layer"
        }
        if module.layer == .adapter {
            let table =
                used.layer == .cLibrary
                ? LayeringRules.librariesOfAdapter : LayeringRules.adaptersOfAdapter
            guard table[module.name, default: []].contains(name) else {
                return "the adapter \(module.name) may not import \(name)"
            }
        }
        return module.dependencies.contains(name)
            ? nil : "Package.swift does not say that \(module.name) uses \(name)"
    }

    /// Each module lies in a folder of its name, and each folder is a module.
    private func folderViolations() -> [Violation] {
        let misnamed = modules.compactMap { module -> Violation? in
            let parts = module.path.split(separator: "/").map(String.init)
            let folder = (parts.last == "main" ? parts.dropLast().last : parts.last) ?? ""
            let words = folder.split(separator: "-").map {
                $0.prefix(1).uppercased() + $0.dropFirst()
            }
            guard module.name != folder, module.name != words.joined() else { return nil }
            return Violation(
                file: module.path, problem: "the folder is not named after \(module.name)")
        }
        let homeless = swiftFiles.filter { module(of: $0) == nil }
        return misnamed
            + homeless.map { Violation(file: $0, problem: "lies in no module of Package.swift") }
    }

    private func lengthViolations() throws -> [Violation] {
        try LayeringRules.measuredFolders.flatMap(files).compactMap { file in
            let count = try lines(of: file).count - 1
            guard count > LayeringRules.longestFileLines else { return nil }
            return Violation(
                file: file,
                problem: "\(count) lines; \(LayeringRules.longestFileLines) is the most")
        }
    }

    private var swiftFiles: [String] {
        LayeringRules.sourceFolders.flatMap(files).filter { $0.hasSuffix(".swift") }
    }
}
