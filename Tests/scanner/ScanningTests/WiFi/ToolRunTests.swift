import Foundation
import Glibc
import Testing

@testable import Scanning

@Suite struct ToolRunTests {
    private func run(_ script: String, limitSeconds: Double = 30) -> Result<[UInt8], ScannerFault> {
        ToolRun.output(
            of: ["sh", "-c", script], limitSeconds: limitSeconds, mostBytes: 1_000)
    }

    @Test("A program's output comes at its end, and a failure has its own words")
    func output() throws {
        #expect(try run("echo a").get() == Array("a\n".utf8))
        #expect(throws: ScannerFault("sh ended with status 3: no")) {
            try run("echo no >&2; exit 3").get()
        }
        #expect(throws: ScannerFault("sh wrote more than 1000 bytes")) {
            try run("exec yes").get()
        }
    }

    @Test(
        "A program that closes its output and goes on is killed at its limit",
        .timeLimit(.minutes(1)))
    func endless() throws {
        let file = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let script = "trap '' TERM INT; echo $$ >\(file); exec >&- 2>&-; exec sleep 3600"
        #expect(throws: ScannerFault("sh took too long")) {
            try run(script, limitSeconds: 1.8).get()
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let identifier = try #require(pid_t(text.filter(\.isNumber)))
        #expect(kill(identifier, 0) == -1 && errno == ESRCH, "it still runs")
        // Nothing is left that would keep the next one from running.
        #expect(try run("echo b").get() == Array("b\n".utf8))
    }
}
