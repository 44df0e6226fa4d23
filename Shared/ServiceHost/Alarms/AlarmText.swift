import Events
import Wire

/// Alarms as sentences for people.
struct AlarmText {
    /// The address of the installation, so that one mailbox can serve several.
    let installation: String
    let news: AlarmNews

    /// Such as "map.example: disk-low began (and 2 more)".
    var subject: String {
        guard let first = news.entries.first else { return installation }
        let more = news.entries.count > 1 ? " (and \(news.entries.count - 1) more)" : ""
        return "\(installation): \(first.alarm) \(Self.state(first))\(more)"
    }

    /// A paragraph for each alarm.
    func body(at now: Timestamp) -> String {
        var paragraphs = news.entries.map { paragraph($0, at: now) }
        if news.leftOut > 0 { paragraphs.append("\(news.leftOut) earlier alarms were left out.") }
        if !news.standing.isEmpty {
            let lines = news.standing.map { entry in
                "- \(entry.alarm)\(Self.place(entry)), \(entry.severity), since \(entry.since.text)"
            }
            paragraphs.append("Also standing:\n" + lines.joined(separator: "\n"))
        }
        return (paragraphs + ["`whereabouts doctor` shows all checks."])
            .joined(separator: "\n\n") + "\n"
    }

    private func paragraph(_ entry: AlarmNotice.Entry, at now: Timestamp) -> String {
        let head = "\(entry.alarm) \(Self.state(entry))\(Self.place(entry))"
        guard !entry.hasEnded else {
            return "\(head), after \(Self.minutes(now - entry.since))."
        }
        return """
            \(head), \(entry.severity), since \(entry.since.text).
            \(entry.meaning)
            \(entry.advice)
            """
    }

    /// Such as " (path /)".
    static func place(_ entry: AlarmNotice.Entry) -> String {
        let labels = entry.labels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return labels.isEmpty ? "" : " (\(labels.joined(separator: ", ")))"
    }

    private static func state(_ entry: AlarmNotice.Entry) -> String {
        entry.hasEnded ? "ended" : "began"
    }

    private static func minutes(_ microseconds: Int64) -> String {
        let minutes = max(1, microseconds / 60_000_000)
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }
}
