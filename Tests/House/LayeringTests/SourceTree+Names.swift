extension SourceTree {
    /// Public types with the same name in two modules.
    func nameViolations() -> [Violation] {
        var places: [String: Set<String>] = [:]
        for (path, file) in swiftFiles(in: LayeringRules.sourceFolders) {
            guard let module = house.row(of: path)?.module else { continue }
            for name in file.publicTypes { places[name, default: []].insert(module) }
        }
        return places.filter { $0.value.count > 1 }.map { name, modules in
            Violation(
                file: "Package.swift",
                problem: "\(modules.sorted().joined(separator: " and ")) both have a type \(name)")
        }
    }

    /// Public declarations that no other module, test or benchmark uses.
    func reachViolations() -> [Violation] {
        // For each word, the modules that use it.
        var users: [String: Set<String>] = [:]
        var requirements = LayeringRules.namesOfProtocols
        var shown: [String: Set<String>] = [:]
        for (path, file) in swiftFiles(in: LayeringRules.measuredFolders) {
            let user = house.row(of: path)?.module ?? "tests"
            for word in file.words where users[word, default: []].count < 2 {
                users[word, default: []].insert(user)
            }
            requirements.formUnion(file.requirements)
            shown[user, default: []].formUnion(file.publicWords)
        }
        return swiftFiles(in: LayeringRules.sourceFolders).flatMap { path, file -> [Violation] in
            guard let module = house.row(of: path)?.module,
                !LayeringRules.products.contains(module)
            else { return [] }
            return Set(file.publicNames).filter { name in
                !requirements.contains(name) && users[name, default: []].isSubset(of: [module])
                    && !shown[module, default: []].contains(name)
            }.map { Violation(file: path, problem: "\($0) is public and used in \(module) alone") }
        }
    }
}
