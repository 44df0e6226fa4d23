import ChildProgram
import Foundation
import Testing

@Suite(.serialized) struct LineProgramTests {
    private let ample = Duration.seconds(60)

    /// Python that reads each input line into `line`. The program is the body of that loop.
    private func python(_ body: String, before: String = "pass") -> String {
        let program =
            "import os, sys, time\n\(before)\nfor line in sys.stdin:\n"
            + body.split(separator: "\n").map { "    \($0)\n" }.joined()
        return "exec /usr/bin/python3 -u -c '\(program)'"
    }

    private func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func code(_ body: () throws(ChildProgramError) -> Void) -> ChildProgramError.Code? {
        do throws(ChildProgramError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    private func isRunning(_ identifier: pid_t) -> Bool {
        // A zombie would still have a folder there.
        FileManager.default.fileExists(atPath: "/proc/\(identifier)")
    }

    /// Whether the process exists and is not a zombie.
    private func runs(_ identifier: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        return status.map { !$0.contains("State:\tZ") } ?? false
    }

    @Test("A line of any length up to a megabyte gets its answer")
    func answers() throws {
        let program = try LineProgram(
            python("sys.stdout.write(line[::-1].strip() + chr(10))"), maximumAnswerBytes: 2 << 20)
        #expect(text(try program.ask(line("abc"), within: ample)) == "cba")
        let long = String(repeating: "xy", count: 1 << 19)
        #expect(try program.ask(line(long), within: ample).count == 1 << 20)
        #expect(program.fault == nil)
        #expect(text(try program.ask(line("1 2"), within: ample)) == "2 1")
    }

    @Test("A program without an answer in time is killed, with every process that it started")
    func hangs() throws {
        var program: LineProgram? = try LineProgram(
            python(
                "if line == \"pid\\n\": print(os.getpid(), child)\nelse: time.sleep(1000)",
                before: "child = os.spawnlp(os.P_NOWAIT, \"sleep\", \"sleep\", \"1000\")"),
            maximumAnswerBytes: 100)
        let identifiers = try #require(
            try program?.ask(line("pid"), within: ample)
        ).split(separator: 32).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
        #expect(identifiers.count == 2)
        #expect(identifiers.allSatisfy(isRunning))
        let outcome = code { () throws(ChildProgramError) in
            _ = try program?.ask(line("sleep"), within: .milliseconds(300))
        }
        #expect(outcome == .tooSlow)
        program = nil
        #expect(!isRunning(identifiers[0]))
        // The second process was not this process's child. It disappears soon, or waits for its
        // parent.
        for _ in 0..<1_000 where runs(identifiers[1]) { Thread.sleep(forTimeInterval: 0.02) }
        #expect(!runs(identifiers[1]))
    }

    @Test("The error for a program that died says how it ended, even before the first line")
    func dies() throws {
        let dying = try LineProgram(python("os._exit(3)"), maximumAnswerBytes: 100)
        #expect(throws: ChildProgramError(.ended, "ended with status 3")) {
            try dying.ask(line("go"), within: ample)
        }
        let missing = try LineProgram("exec /nonexistent/program", maximumAnswerBytes: 100)
        let large = [UInt8](repeating: 65, count: 1 << 20)
        #expect(throws: ChildProgramError(.ended, "ended with status 127")) {
            try missing.ask(large, within: ample)
        }
        #expect(missing.fault?.code == .ended)
    }

    @Test("Endless lines and unasked lines are refused")
    func babbles() throws {
        let endless = try LineProgram(
            python("while True: sys.stdout.write(\"x\" * 1000)"), maximumAnswerBytes: 10_000)
        #expect(
            code { () throws(ChildProgramError) in
                _ = try endless.ask(line("go"), within: ample)
            } == .lineTooLong)
        let twice = try LineProgram(
            python("os.write(1, b\"one\\ntwo\\n\")"), maximumAnswerBytes: 100)
        #expect(text(try twice.ask(line("go"), within: ample)) == "one")
        #expect(twice.fault?.code == .unasked)
    }

    @Test("A program that ends at the end of its input is not killed")
    func endsByItself() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "end-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var program: LineProgram? = try LineProgram(
            "while read -r line; do echo \"$line\"; done; echo bye > \(file)",
            maximumAnswerBytes: 100)
        #expect(text(try #require(try program?.ask(line("a"), within: ample))) == "a")
        program = nil
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "bye\n")
    }
}
