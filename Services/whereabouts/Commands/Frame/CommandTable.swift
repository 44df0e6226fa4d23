import ServiceHost
import ServiceRuntime

/// The subcommands of a program. Runs the one that the arguments name, and prints the overview
/// for any other word.
public struct CommandTable: Sendable {
    private let program: String
    private let version: String
    private let commands: [Command]

    /// - Parameter version: nil for the version of Whereabouts.
    public init(program: String, version: String? = nil, _ commands: [Command]) {
        self.program = program
        self.version = version ?? whereaboutsVersion
        self.commands = commands
    }

    /// Runs the command that the arguments name.
    ///
    /// - Parameter arguments: without the program's own name.
    /// - Returns: the exit status: 0, 1 when the work failed, 64 when the arguments are wrong
    ///   (EX_USAGE of sysexits.h).
    public func run(
        _ arguments: [String], output: @escaping @Sendable (String) -> Void,
        note: @escaping @Sendable (String) -> Void
    ) async -> Int32 {
        guard let name = arguments.first else {
            note(overview)
            return 64
        }
        // Help that was asked for goes to stdout, so that it can be paged and searched.
        if ["--help", "-h", "help"].contains(name) {
            output(overview)
            return 0
        }
        if name == "--version" {
            output("\(program) \(version)")
            return 0
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            note("\(program): \(name) is not a command; see \(program) --help")
            return 64
        }
        let rest = Array(arguments.dropFirst())
        guard !rest.contains("--help") else {
            output(command.helpOf(rest))
            return 0
        }
        do {
            try await command.run(Invocation(arguments: rest, output: output, note: note))
            return 0
        } catch let ended as ServiceEnded {
            return ended.code.rawValue
        } catch let fault as UsageFault {
            note("\(program) \(name): \(fault); see \(program) \(name) --help")
            return 64
        } catch let error as ConfigurationError {
            note("\(program) \(name): \(error)")
            return ExitCode.configuration.rawValue
        } catch {
            note("\(program) \(name): \(error)")
            return 1
        }
    }

    private var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { command in
            let padding = String(repeating: " ", count: width - command.name.count)
            return "  \(command.name)\(padding)  \(command.summary)"
        }
        let usage = "\(program) COMMAND [--help]\n\(program) --version\n\n"
        return usage + lines.joined(separator: "\n")
    }
}
