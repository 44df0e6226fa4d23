import Foundation
import Repository
import Testing

@Suite("Counts of the tests that ran") struct CountedTestsTests {
    static let failure = "<failure message='1 is not 2'/>"

    /// Writes a report with one test case per entry, and the runner's status.
    static func report(
        _ suite: String, in folder: URL, status: Int, _ cases: KeyValuePairs<String, String>
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = cases.map { name, verdict in
            "<testcase classname='Trees.OakTests' name='\(name)'>\(verdict)</testcase>"
        }
        try "<testsuites><testsuite>\(lines.joined())</testsuite></testsuites>".write(
            to: folder.appending(path: "\(suite).xml"), atomically: true, encoding: .utf8)
        try "\(status)".write(
            to: folder.appending(path: "\(suite).status"), atomically: true, encoding: .utf8)
        try "".write(
            to: folder.appending(path: "\(suite).log"), atomically: true, encoding: .utf8)
    }

    static func count(_ arguments: String..., in folder: URL) throws -> (Int32, String) {
        let program = repository.appending(path: "deploy/count-tests.py").path
        return try DeployTests.run(
            ["/usr/bin/python3", program] + arguments + [folder.path], environment: [:])
    }

    func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "counted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("A test that failed and passed alone counts as passed, and is named")
    func passedAgain() throws {
        try withFolder { folder in
            try Self.report(
                "Trees", in: folder, status: 1, ["grows()": "", "falls(_:)": Self.failure])
            let (_, listed) = try Self.count("--failed", in: folder)
            #expect(listed == #"Trees\#t^Trees\.OakTests/falls\("# + "\n")
            #expect(try Self.count(in: folder) == (1, "1 passed, 1 failed, 0 skipped\n"))
            let again = folder.appending(path: "again")
            try Self.report("1", in: again, status: 0, ["falls(_:)": ""])
            let (status, output) = try Self.count(in: folder)
            #expect(status == 0)
            #expect(output.contains("failed, and passed alone: Trees.OakTests.falls(_:)"))
            #expect(output.contains("2 passed, 0 failed, 0 skipped"))
        }
    }

    @Test(
        "A test that fails again, is skipped then, or ends the runner, counts as failed",
        arguments: [(1, failure), (0, "<skipped/>"), (139, "")])
    func failedAgain(status: Int, verdict: String) throws {
        try withFolder { folder in
            try Self.report("Trees", in: folder, status: 1, ["falls()": Self.failure])
            let again = folder.appending(path: "again")
            try Self.report("1", in: again, status: status, ["falls()": verdict])
            #expect(try Self.count(in: folder) == (1, "0 passed, 1 failed, 0 skipped\n"))
        }
    }

    @Test("A suite that ends the runner, or runs no test, counts as a failure")
    func crashed() throws {
        try withFolder { folder in
            try Self.report("Trees", in: folder, status: 139, ["grows()": ""])
            try Self.report("Shrubs", in: folder, status: 0, [:])
            let (status, output) = try Self.count(in: folder)
            #expect(status == 1)
            #expect(output.contains("Trees counts as failed: it ended with 139"))
            #expect(output.contains("Shrubs counts as failed: it ran no test"))
            #expect(output.contains("1 passed, 2 failed, 0 skipped"))
        }
    }
}
