/// One environment variable that a program understands: its name, shape, default and meaning.
public struct Setting: Sendable, Hashable {
    /// What a value must look like.
    public enum Kind: Sendable, Hashable {
        case text
        case integer(ClosedRange<Int>)
        /// A number and a unit: `250ms`, `5s`, `10m`, `24h`, `7d`.
        case duration(ClosedRange<Duration>)
        /// `scheme://host…`, with one of these schemes.
        case url(schemes: [String])
        /// `host:port`, `[::1]:port`, or `:port` for every address.
        case listenAddress
        case choice([String])
        /// Text with a form of its own, read by whoever uses it.
        case checked(TextForm)
        /// `true` or `false`, also `yes`, `no`, `1`, `0`, `on`, `off`.
        case flag
        /// Never printed. `NAME_FILE` may name a file that holds it.
        case secret
        /// A secret with a form of its own.
        case checkedSecret(TextForm)
    }

    /// A form of text that this module does not know.
    public struct TextForm: Sendable, Hashable {
        /// What a value looks like, in a few words; equal forms have equal ones.
        public let summary: String
        /// What is wrong with a value, as it follows on a variable's name; nil for a good one.
        let fault: @Sendable (String) -> String?

        public init(_ summary: String, fault: @escaping @Sendable (String) -> String?) {
            self.summary = summary
            self.fault = fault
        }

        public static func == (left: Self, right: Self) -> Bool { left.summary == right.summary }

        public func hash(into hasher: inout Hasher) { hasher.combine(summary) }
    }

    /// What holds when the variable is absent or empty.
    public enum Presence: Sendable, Hashable {
        case required
        case optional
        /// Written as the variable would be; it must be well formed.
        case defaultsTo(String)
    }

    /// Never printed, and may come from a file.
    var isSecret: Bool {
        switch kind {
        case .secret, .checkedSecret: true
        default: false
        }
    }

    public let name: String
    public let kind: Kind
    public let presence: Presence
    /// One line for `--help`.
    public let help: String

    public init(_ name: String, _ kind: Kind, _ presence: Presence, help: String) {
        self.name = name
        self.kind = kind
        self.presence = presence
        self.help = help
    }

    /// The settings that every program has; `ServiceProgram` adds them to the program's own.
    public static let standard: [Setting] = [
        Setting(
            "WHEREABOUTS_LOG_LEVEL", .choice(LogLevel.allCases.map(\.name)), .defaultsTo("info"),
            help: "the least serious level that is logged"),
        Setting(
            "WHEREABOUTS_LOG_FORMAT", .choice(["auto", "json", "human"]), .defaultsTo("auto"),
            help: "the form of log lines; auto is human on a terminal, else json"),
        Setting(
            "WHEREABOUTS_STOP_LIMIT", .duration(.seconds(1) ... .seconds(600)),
            .defaultsTo("10s"), help: "the most time that each component may need to stop"),
    ]
}
