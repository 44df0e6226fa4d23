/// One subcommand of `whereabouts`.
public struct Command: Sendable {
    public let name: String
    /// One line for the list of commands.
    public let summary: String
    /// The help text, in lines of 100 characters at most.
    public let help: String
    /// The text that `--help` prints, given the other arguments of the command line.
    let helpOf: @Sendable ([String]) -> String
    /// Does the work. Throws `UsageFault` when the arguments are wrong. The description of any
    /// other error is shown to the person at the terminal.
    public let run: @Sendable (Invocation) async throws -> Void

    public init(
        name: String, summary: String, help: String,
        helpOf: (@Sendable ([String]) -> String)? = nil,
        run: @escaping @Sendable (Invocation) async throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.help = help
        self.helpOf = helpOf ?? { _ in help }
        self.run = run
    }
}

/// The words as alternatives in a help text, `a | b`, in lines of 100 characters at most.
///
/// - Parameter indent: the column of the first word, and of the lines after the first.
func alternatives(_ words: [String], indent: Int) -> String {
    var lines = [""]
    for (number, word) in words.enumerated() {
        let piece = number == words.count - 1 ? word : "\(word) |"
        let last = lines[lines.count - 1]
        if last.isEmpty {
            lines[lines.count - 1] = piece
        } else if indent + last.count + 1 + piece.count <= 100 {
            lines[lines.count - 1] += " \(piece)"
        } else {
            lines.append(piece)
        }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
}

/// One call of a command: its arguments and where it prints.
public struct Invocation: Sendable {
    /// The arguments behind the names of the program and the command.
    public var arguments: [String]
    /// Writes a line for programs to stdout; the last line of a command is JSON.
    public var output: @Sendable (String) -> Void
    /// Writes a line for people to stderr.
    public var note: @Sendable (String) -> Void

    public init(
        arguments: [String], output: @escaping @Sendable (String) -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.arguments = arguments
        self.output = output
        self.note = note
    }
}

/// The arguments are wrong. The description is one line; the command's help is only named after
/// it, so that the reason is not lost above a long text.
public struct UsageFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The arguments are right, but the work can't be done. The description is one line: the reason
/// and what to do.
public struct CommandFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
