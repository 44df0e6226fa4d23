import Access
import Testing

@Suite("The pages about requirements") struct RequirementTests {
    static let operations = Set(
        AccessTable.rows.map { "\($0.operation.method) \($0.operation.pattern)" })
    static let pages = DocumentationTests.files(under: "docs/requirements", endingWith: ".md")

    static func tests() throws -> Set<String> {
        var tests: Set<String> = []
        for file in DocumentationTests.files(under: "Tests", endingWith: "Tests.swift") {
            tests.formUnion(RequirementPage.tests(in: try DeployTests.text(file)))
        }
        let browser = "Tests/System/Browser"
        for file in DocumentationTests.files(under: browser, endingWith: "_tests.py") {
            let name = String(file.dropFirst(browser.count + 1).dropLast(3))
            tests.formUnion(
                RequirementPage.browserTests(in: try DeployTests.text(file), file: name))
        }
        return tests
    }

    @Test("Each row has a state, the tests that it names, and paths of the API")
    func rows() throws {
        let tests = try Self.tests()
        #expect(tests.count > 1_000)
        #expect(Self.pages.count == 5)
        for page in Self.pages {
            let read = RequirementPage(
                try DeployTests.text(page), tests: tests, operations: Self.operations)
            #expect(read.rowCount > 20, "\(page)")
            #expect(read.faults.isEmpty, "\(page): \(read.faults.joined(separator: "\n"))")
        }
    }

    private static func table(_ row: String) -> String {
        "Text.\n\n\(RequirementPage.head)\n|---|---|---|---|---|\n\(row)\n\nText, too.\n"
    }

    @Test(
        "Planted faults are noticed",
        arguments: [
            ("| 1 | rooms | works | `…/rooms` | `ATests.kept`, `BTests.no` |", "no test BTests"),
            ("| 1 | rooms | works | `GET …/rooms` | `ATests` |", "no test ATests"),
            ("| 1 | rooms | works | `GET …/rooms` | — |", "no test is named"),
            ("| 1 | rooms | partly | `GET …/rooms` | |", "no test is named"),
            ("| 1 | rooms | done | `GET …/rooms` | `ATests.kept` |", "no such state"),
            ("| 1 | rooms | works | `POST …/rooms` | `ATests.kept` |", "no operation POST"),
            ("| 1 | rooms | not yet | `/v1/rooms/{id}` | — |", "no operation /v1"),
            ("| 1 | rooms | won't | a game | — |", "no reason"),
            ("| 1 | | not yet | a game | — |", "an empty column"),
            ("| 1 | rooms | works | `ATests.kept` |", "not five columns"),
        ])
    func planted(row: String, problem: String) {
        let source = """
            @Suite("A") struct ATests {
                @Test("Rooms are kept", arguments: [1, 2])
                func kept(_ number: Int) {}
                func no() {}
            }
            """
        let tests = RequirementPage.tests(in: source)
        #expect(tests == ["ATests.kept"])
        let operations: Set = ["GET /v1/sites/{site}/rooms"]
        let faults = RequirementPage(Self.table(row), tests: tests, operations: operations).faults
        #expect(faults.count == 1 && faults[0].hasPrefix(problem), "\(faults)")
        let good = "| 1 | rooms | works | `GET …/rooms?floor=`, `…/rooms` | `ATests.kept` |"
        let read = RequirementPage(Self.table(good), tests: tests, operations: operations)
        #expect(read.rowCount == 1 && read.faults.isEmpty, "\(read.faults)")
        let python = "class Rooms(Subject):\n    def um2_list(self):\n    def _count(self):\n"
        #expect(
            RequirementPage.browserTests(in: python, file: "rooms_tests")
                == ["rooms_tests.um2_list"])
    }
}
