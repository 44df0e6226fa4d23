/// One environment variable of a program: its name, kind, default and meaning.
public struct Setting: Sendable, Hashable {
    /// The form of a setting's value.
    public enum Kind: Sendable, Hashable {
        case text
        case integer(ClosedRange<Int>)
        /// An integer with a unit: `250ms`, `5s`, `10m`, `24h`, `7d`.
        case duration(ClosedRange<Duration>)
        /// An address `scheme://host…` with one of these schemes.
        case url(schemes: [String])
        /// `host:port`, `[::1]:port`, or `:port` for every address.
        case listenAddress
        case choice([String])
        /// Text with a form of its own, which the caller parses.
        case checked(TextForm)
        /// `true` or `false`, also `yes`, `no`, `1`, `0`, `on`, `off`.
        case flag
        /// A secret, which is never printed. `NAME_FILE` may name a file that holds it.
        case secret
        /// A secret with a form of its own.
        case checkedSecret(TextForm)
    }

    /// A form of text that this module does not define.
    public struct TextForm: Sendable, Hashable {
        /// A short description of the form. Equal forms have equal summaries.
        public let summary: String
        /// The fault of a value, as text that follows the variable's name. Nil for a valid value.
        let fault: @Sendable (String) -> String?

        public init(_ summary: String, fault: @escaping @Sendable (String) -> String?) {
            self.summary = summary
            self.fault = fault
        }

        public static func == (left: Self, right: Self) -> Bool { left.summary == right.summary }

        public func hash(into hasher: inout Hasher) { hasher.combine(summary) }
    }

    /// The rule for a variable that is absent or empty.
    public enum Presence: Sendable, Hashable {
        case required
        case optional
        /// The default, written like the variable's value. It must be well-formed.
        case defaultsTo(String)
    }

    /// Whether the value is never printed and may come from a file.
    var isSecret: Bool {
        switch kind {
        case .secret, .checkedSecret: true
        default: false
        }
    }

    public let name: String
    public let kind: Kind
    public let presence: Presence
    /// The setting's line in `--help`.
    public let help: String

    public init(_ name: String, _ kind: Kind, _ presence: Presence, help: String) {
        self.name = name
        self.kind = kind
        self.presence = presence
        self.help = help
    }

    /// The settings of every program. `ServiceProgram` adds them to the program's own.
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
