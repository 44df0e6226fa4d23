/// One subcommand of `whereabouts`.
public struct Command: Sendable {
    public let name: String
    /// One line for the list of commands.
    public let summary: String
    /// The help, as it is printed beside a wrong argument.
    public let help: String
    /// The text that `--help` prints among these arguments.
    let helpOf: @Sendable ([String]) -> String
    /// Does the work. Throws `UsageFault` when the arguments are wrong, and otherwise what went
    /// wrong, whose description people read.
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

/// What a command is given: its arguments, and where its words go.
public struct Invocation: Sendable {
    /// Without the name of the program and of the command.
    public var arguments: [String]
    /// Writes a line for programs; the last one is JSON.
    public var output: @Sendable (String) -> Void
    /// Writes a line for people.
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

/// The arguments are wrong.
public struct UsageFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the description needs the command's help behind it.
    let showsHelp: Bool

    public init(_ description: String, showsHelp: Bool = true) {
        self.description = description
        self.showsHelp = showsHelp
    }
}

/// The arguments are right, and what was asked for can't be done as things are: told in one line.
public struct CommandFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
