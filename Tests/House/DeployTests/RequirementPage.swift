import Foundation

/// The tables of one page of docs/requirements, and what is wrong with them.
///
/// Each row is about one requirement: where it stands in the report, and its state. The tests that
/// a row names fail if its answer is no longer true.
struct RequirementPage {
    enum State: String, CaseIterable {
        case works, partly
        case notYet = "not yet"
        case wont = "won't"
    }

    static let head = "| where | what they asked | state | answer in Whereabouts | test |"

    private(set) var rowCount = 0
    private(set) var faults: [String] = []

    /// - Parameters:
    ///   - tests: all tests, as `Suite.function`.
    ///   - operations: all operations of the API, as `GET /v1/sites`.
    init(_ text: String, tests: Set<String>, operations: Set<String>) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var isInTable = false
        for line in lines {
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            if line == Self.head {
                isInTable = true
            } else if isInTable, !line.hasPrefix("|---") {
                check(line, tests, operations)
            } else if !isInTable {
                faults.append("another table: \(line)")
            }
        }
    }

    private mutating func check(
        _ line: Substring, _ tests: Set<String>, _ operations: Set<String>
    ) {
        rowCount += 1
        let cells = line.dropFirst().dropLast().split(
            separator: "|", omittingEmptySubsequences: false
        ).map { $0.trimmingCharacters(in: .whitespaces) }
        func fault(_ problem: String) { faults.append("\(problem): \(line)") }
        guard cells.count == 5, line.hasSuffix("|") else { return fault("not five columns") }
        if cells[..<4].contains(where: \.isEmpty) { fault("an empty column") }
        guard let state = State(rawValue: cells[2]) else { return fault("no such state") }
        let named = Self.spans(cells[4])
        for name in named where !tests.contains(name) { fault("no test \(name)") }
        switch state {
        case .works, .partly: if named.isEmpty { fault("no test is named") }
        case .notYet: break
        case .wont: if !cells[3].contains("because") { fault("no reason is given") }
        }
        for path in Self.paths(cells[3])
        where !operations.contains(where: { $0 == path || $0.hasSuffix(" \(path)") }) {
            fault("no operation \(path)")
        }
    }

    /// The texts in backquotes.
    private static func spans(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The operations or paths that a cell names, without queries. `…` stands for a site's path.
    private static func paths(_ cell: String) -> [String] {
        spans(cell).compactMap { span -> String? in
            let form = #/(?:(?:GET|PUT|POST|PATCH|DELETE) )?(?:\/|…\/).*/#
            guard span.wholeMatch(of: form) != nil else { return nil }
            return String(span.prefix { $0 != "?" }).replacing("…", with: "/v1/sites/{site}")
        }
    }

    /// All tests of a file of Tests/System/Browser, as `file.function` without `.py`.
    static func browserTests(in source: String, file: String) -> Set<String> {
        Set(source.matches(of: #/(?m)^ {4}def ([a-z]\w*)\(self\):/#).map { "\(file).\($0.1)" })
    }

    /// All tests of a Swift file, as `Suite.function`. A suite is a type, or its extension, whose
    /// name ends in `Tests`.
    static func tests(in source: String) -> Set<String> {
        var tests: Set<String> = []
        var suite = ""
        var isTest = false
        for line in source.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if ["@Suite", ")", "struct", "extension", "final"].contains(where: line.hasPrefix),
                let type = line.firstMatch(of: #/\b(?:struct|class|extension) (\w+Tests)\b/#)
            {
                suite = String(type.1)
            }
            if line.hasPrefix("@Test") { isTest = true }
            if isTest, let function = line.firstMatch(of: #/\bfunc (\w+)\(/#) {
                tests.insert("\(suite).\(function.1)")
                isTest = false
            }
        }
        return tests
    }
}
