extension SourceTree {
    /// Types of one name that two modules show to others.
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

    /// Declarations for other modules that no other module, test or benchmark names.
    func reachViolations() -> [Violation] {
        // In how many modules a word stands, and in which one where it is the only one.
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
