/// A condition that an operator should know of: a metric, a limit, and advice.
///
/// The alarms by mail, Prometheus' rules, `whereabouts doctor` and the page about alarms are all
/// made from these rules.
public struct AlarmRule: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable {
        /// It works, but not for long, or not for everybody.
        case warning
        /// Something does not work now, or data is in danger.
        case wrong
    }

    /// The values of the metric for which the rule holds.
    public enum Limit: Hashable, Sendable {
        case above(Double)
        case below(Double)
        /// The counter has grown by more than this.
        case grownBy(Double, withinMinutes: Int)
    }

    /// The name, in lower case with hyphens.
    public let name: String
    public let metric: String
    public let limit: Limit
    /// How long the rule must hold until the alarm begins.
    public let minutes: Int
    public let severity: Severity
    /// The metric's labels.
    public let labels: [String]
    /// One sentence about the state.
    public let meaning: String
    /// One or two sentences with the remedy.
    public let advice: String
    /// Whether it is about the machine, so that all its processes show the same.
    public let isOfMachine: Bool
    /// Whether an alarm is raised. The others show in `whereabouts doctor` only.
    public let isAlarm: Bool

    init(
        _ name: String, _ metric: String, _ limit: Limit, for minutes: Int = 0,
        _ severity: Severity, labels: [String] = [], isOfMachine: Bool = false,
        isAlarm: Bool = true, _ meaning: String, advice: String
    ) {
        self.name = name
        self.metric = metric
        self.limit = limit
        self.minutes = minutes
        self.severity = severity
        self.labels = labels
        self.meaning = meaning
        self.advice = advice
        self.isOfMachine = isOfMachine
        self.isAlarm = isAlarm
    }

    /// Whether the value itself breaks the limit. A counter's growth needs earlier values.
    public func holds(_ value: Double) -> Bool {
        switch limit {
        case .above(let most): value > most
        case .below(let least): value < least
        case .grownBy: false
        }
    }

    /// The limit as words, such as "above 0.1".
    public var limitText: String {
        switch limit {
        case .above(let most): "above \(Self.text(most))"
        case .below(let least): "below \(Self.text(least))"
        case .grownBy(let most, let minutes):
            "more than \(Self.text(most)) new in \(minutes) minutes"
        }
    }

    static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}
