extension SourceTree {
    func sizeViolations() -> [Violation] {
        files.filter { !$0.key.hasPrefix(LayeringRules.frozenFolder + "/") }.flatMap {
            path, file -> [Violation] in
            var problems: [String] = []
            if file.lineCount > LayeringRules.longestFileLines {
                problems.append(
                    "\(file.lineCount) lines; \(LayeringRules.longestFileLines) is the most")
            }
            if let line = file.longLines.first {
                problems.append(
                    "\(file.longLines.count) lines are over \(LayeringRules.longestLineColumns) "
                        + "columns, the first is line \(line)")
            }
            for function in file.functions
            where function.length > LayeringRules.longestFunctionLines {
                problems.append(
                    "the function in line \(function.line) has \(function.length) lines; "
                        + "\(LayeringRules.longestFunctionLines) is the most")
            }
            return problems.map { Violation(file: path, problem: $0) }
        }
    }

    /// Comments and names of functions that break the rules of docs/words.md.
    func wordViolations() -> [Violation] {
        files.filter { !$0.key.hasPrefix(LayeringRules.frozenFolder + "/") }.flatMap { path, file in
            file.wordFaults.map {
                Violation(file: path, problem: "line \($0.line): \($0.problem)")
            }
        }
    }

    /// Folders with too many Swift files, each reported once.
    func folderViolations() -> [Violation] {
        var counts: [String: Int] = [:]
        for (path, _) in swiftFiles(in: LayeringRules.measuredFolders) {
            counts[String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), default: 0] += 1
        }
        return counts.filter { $0.value > LayeringRules.mostFilesInAFolder }.map { folder, count in
            Violation(
                file: folder,
                problem: "\(count) Swift files; \(LayeringRules.mostFilesInAFolder) is the most")
        }
    }
}
