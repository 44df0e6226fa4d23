import ServiceHost

/// The table of the security log's lines.
enum SecurityEventsTable {
    static var text: String {
        let rows = SecurityEvent.allCases.map { event in
            [
                "`\(event.rawValue)`", event.cause,
                event.fields.map { "`\($0)`" }.joined(separator: ", "),
            ]
        }
        return "\n\(DescribedTable.markdown(["line", "when", "fields"], rows))\n"
    }
}
