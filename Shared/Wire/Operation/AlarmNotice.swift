public import Events
internal import JSON

/// Alarms that have begun or ended, as a webhook gets them.
public struct AlarmNotice: Sendable {
    public struct Entry: Sendable, Hashable {
        public var alarm: String
        public var hasEnded: Bool
        public var severity: String
        /// The time at which it began.
        public var since: Timestamp
        public var meaning: String
        public var advice: String
        /// The service, the path or the like that the alarm is about.
        public var labels: [String: String]

        public init(
            alarm: String, hasEnded: Bool, severity: String, since: Timestamp, meaning: String,
            advice: String, labels: [String: String]
        ) {
            self.alarm = alarm
            self.hasEnded = hasEnded
            self.severity = severity
            self.since = since
            self.meaning = meaning
            self.advice = advice
            self.labels = labels
        }
    }

    /// The address of the installation.
    public var installation: String
    public var at: Timestamp
    /// The same for people. Chat programs show a member of this name.
    public var text: String
    public var entries: [Entry]
    /// Those that stand besides: they began earlier, and have not ended.
    public var standing: [Entry]

    public init(
        installation: String, at: Timestamp, text: String, entries: [Entry], standing: [Entry] = []
    ) {
        self.installation = installation
        self.at = at
        self.text = text
        self.entries = entries
        self.standing = standing
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 256 + entries.count * 512)
        writer.beginObject()
        writer.field("installation", installation)
        writer.field("at", microseconds: at.microseconds)
        writer.field("text", text)
        writer.name("alarms")
        Self.write(entries, &writer)
        writer.name("standing")
        Self.write(standing, &writer)
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ entries: [Entry], _ writer: inout JSONWriter) {
        writer.beginArray()
        for entry in entries {
            writer.beginObject()
            writer.field("alarm", entry.alarm)
            writer.field("state", entry.hasEnded ? "ended" : "began")
            writer.field("severity", entry.severity)
            writer.field("since", microseconds: entry.since.microseconds)
            writer.field("meaning", entry.meaning)
            writer.field("advice", entry.advice)
            writer.name("labels")
            writer.beginObject()
            for (name, value) in entry.labels.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                writer.string(value)
            }
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
    }
}
