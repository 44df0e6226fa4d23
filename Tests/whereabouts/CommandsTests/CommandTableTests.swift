import Commands
import ServiceRuntime
import Synchronization
import Testing

@Suite("The table of commands")
struct CommandTableTests {
    @Test("exits with 78 if settings are wrong, and names all of them")
    func wrongEnvironment() async {
        let faults = [
            ConfigurationFault(name: "A", problem: "is no number"),
            ConfigurationFault(name: "B", problem: "is missing"),
        ]
        let command = Command(name: "try", summary: "", help: "") { _ in
            throw ConfigurationError(faults: faults)
        }
        let told = Mutex<[String]>([])
        let status = await CommandTable(program: "whereabouts", [command]).run(
            ["try"], output: { _ in }, note: { line in told.withLock { $0.append(line) } })
        #expect(status == 78)
        #expect(told.withLock { $0 } == ["whereabouts try: A is no number\nB is missing"])
    }

    private struct Run {
        var status: Int32
        var output: [String]
        var notes: [String]
    }

    private func run(_ arguments: String...) async -> Run { await run(arguments) }

    private func run(_ arguments: [String]) async -> Run {
        let output = Mutex<[String]>([])
        let notes = Mutex<[String]>([])
        let status = await CommandTable(program: "whereabouts", Command.all).run(
            arguments, output: { line in output.withLock { $0.append(line) } },
            note: { note in notes.withLock { $0.append(note) } })
        return Run(
            status: status, output: output.withLock { $0 }, notes: notes.withLock { $0 })
    }

    /// All commands but `serve`, whose arguments the services read.
    private static let commands = Command.all.map(\.name).filter { $0 != "serve" }

    @Test("A wrong argument is one line, which names the command's help", arguments: commands)
    func wrongArgument(_ name: String) async throws {
        let wrong = await run(name, "--nonsense")
        #expect(wrong.status == 64 && wrong.output == [])
        let note = try #require(wrong.notes.first)
        #expect(wrong.notes.count == 1 && !note.contains("\n"), "\(note)")
        #expect(note.hasSuffix("; see whereabouts \(name) --help"), "\(note)")
    }

    @Test(
        "Wrong arguments of token are one line, also without a database",
        arguments: [["create", "--role", "boss"], ["create"], ["remove"], ["revoke", "x"], []])
    func wrongToken(_ arguments: [String]) async {
        let wrong = await run(["token"] + arguments)
        #expect(wrong.status == 64 && wrong.notes.count == 1)
        #expect(wrong.notes.first?.hasSuffix("; see whereabouts token --help") == true)
        #expect(wrong.notes.first?.contains("\n") == false)
    }

    @Test("A word that is no command is one line, which names the overview")
    func noCommand() async {
        let wrong = await run("fly")
        #expect(wrong.status == 64)
        #expect(wrong.notes == ["whereabouts: fly is not a command; see whereabouts --help"])
    }

    @Test("Lines of help have 100 characters at most", arguments: commands)
    func width(_ name: String) async {
        let help = await run(name, "--help")
        #expect(help.status == 0 && help.notes == [])
        for line in help.output.joined(separator: "\n").split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
        }
    }

    @Test("The overview names --version and each command")
    func overview() async {
        let text = await run("--help").output.joined()
        #expect(text.contains("whereabouts --version"))
        for name in Command.all.map(\.name) { #expect(text.contains("  \(name) "), "\(name)") }
    }

    @Test("Every table that describe prints is on stdout")
    func describedTables() async {
        for name in ["errors", "paths", "caddyfile", "roles", "settings"] {
            let described = await run("describe", name)
            #expect(described.status == 0 && described.notes == [], "\(name)")
            #expect(described.output.first?.contains("\n") == true, "\(name)")
        }
        let page = await run("describe", "roles", "--page").output
        let roles = await run("describe", "roles").output
        #expect(roles.count == 2 && page == [roles[0]])
        #expect(roles.last?.hasPrefix(#"{"operations":["#) == true)
    }
}
