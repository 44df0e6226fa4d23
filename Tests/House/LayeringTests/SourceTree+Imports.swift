extension SourceTree {
    /// Imports that cross a layer or that no row allows.
    func importViolations() -> [Violation] {
        swiftFiles(in: LayeringRules.sourceFolders).flatMap { path, file -> [Violation] in
            guard let row = house.row(of: path) else {
                return [Violation(file: path, problem: "lies in no module of Package.swift")]
            }
            return file.imports.compactMap { name in
                name == row.module ? nil : problem(of: row, importing: name)
            }.map { Violation(file: path, problem: $0) }
        }
    }

    /// Problems and settings in the wrong place. A store throws its own errors, and a code's status
    /// comes from the table.
    func refusalViolations() -> [Violation] {
        swiftFiles(in: LayeringRules.sourceFolders).flatMap { path, file -> [Violation] in
            var problems: [String] = []
            if path.split(separator: "/").last!.contains("Store"), file.imports.contains("HTTP") {
                problems.append("a store knows no HTTP")
            }
            if file.givesStatus, !LayeringRules.problemPlaces.contains(where: path.hasPrefix) {
                problems.append("gives a problem a status, which the table of problems has")
            }
            if file.words.contains("statement_timeout"),
                !LayeringRules.timeoutPlaces.contains(where: path.hasPrefix)
            {
                problems.append("sets statement_timeout, and this process would not wait as long")
            }
            return problems.map { Violation(file: path, problem: $0) }
        }
    }

    private func problem(of row: House.Row, importing name: String) -> String? {
        let module = row.module
        let isOurs = house[name] != nil || house.rows.contains { $0.uses.contains(name) }
        guard isOurs else {
            return LayeringRules.platformModules(in: row.section).contains(name)
                ? nil : "\(name) is neither ours nor allowed from the toolchain here"
        }
        if row.uses.isEmpty { return "\(module) imports nothing, not even \(name)" }
        guard sees(row.section, name) else {
            return "\(module) may not import \(name): the import crosses a layer"
        }
        if LayeringRules.forbidden[row.section, default: []].contains(name) {
            return "\(module) may not import \(name): Wire does it for services"
        }
        // An adapter may not use the libraries that its neighbours wrap.
        let allowed =
            row.section == LayeringRules.wrappers ? Set(row.uses) : house.reach(of: row)
        return allowed.contains(name)
            ? nil : "Package.swift does not say that \(module) uses \(name)"
    }

    /// Whether modules of the section may import the module at all. A C library has no row of its
    /// own.
    private func sees(_ section: String, _ name: String) -> Bool {
        guard let used = house[name] else { return section == LayeringRules.wrappers }
        return LayeringRules.sectionsSeen[section, default: []].contains(used.section)
    }

    /// Rows with modules that their section may not use, and C libraries that two adapters wrap.
    func rowViolations() -> [Violation] {
        var wrapper: [String: String] = [:]
        return house.rows.filter { LayeringRules.sectionsSeen[$0.section] != nil }
            .flatMap { row in
                row.uses.compactMap { name -> String? in
                    guard sees(row.section, name) else {
                        return "\(row.module) may not use \(name): the row crosses a layer"
                    }
                    guard house[name] == nil else { return nil }
                    let other = wrapper.updateValue(row.module, forKey: name)
                    return other.map { "\(name) is wrapped by \($0) and by \(row.module)" }
                }
            }.map { Violation(file: "Package.swift", problem: $0) }
    }

    /// Entries of rows that no import needs.
    func unusedEntries() -> [Violation] {
        var imported: [String: Set<String>] = [:]
        var importedByTests: [String: Set<String>] = [:]
        for (path, file) in swiftFiles(in: LayeringRules.measuredFolders) {
            if let row = house.row(of: path) {
                imported[row.module, default: []].formUnion(file.imports)
            } else if let row = house.tested(by: path) {
                importedByTests[row.module, default: []].formUnion(file.imports)
            }
        }
        // A program in C imports nothing.
        let isSwift = { (row: House.Row) in
            files.keys.contains { $0.hasPrefix(row.folder + "/") && $0.hasSuffix(".swift") }
        }
        return house.rows.filter(isSwift).flatMap { row -> [String] in
            // Test suites may use the modules that all tests use.
            let given = row.module.hasSuffix("Tests") ? LayeringRules.ofAllTests : []
            let seen = imported[row.module, default: []]
            // An adapter uses an entry only if it imports that module itself.
            let own =
                row.section == LayeringRules.wrappers
                ? row.uses.filter { !seen.contains($0) } : unused(row.uses, given: given, seen)
            let ofTests = unused(
                row.testsUse ?? [], given: [row.module] + LayeringRules.ofAllTests,
                importedByTests[row.module, default: []])
            return own.map { "\(row.module) does not use \($0)" }
                + ofTests.map { "the tests of \(row.module) do not use \($0)" }
        }.map { Violation(file: "Package.swift", problem: $0) }
    }

    /// The entries that no import needs. Programs are built, not imported.
    private func unused(
        _ entries: [String], given: [String], _ imported: Set<String>
    ) -> [String] {
        entries.filter { entry in
            guard entry.first?.isUppercase == true else { return false }
            let rest = house.closure(entries.filter { $0 != entry } + given)
            let lost = house.closure([entry]).subtracting(rest)
            return lost.isDisjoint(with: imported)
        }
    }
}
