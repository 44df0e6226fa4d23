import ServiceHost

/// A table of the program that a document of the repository repeats. A test compares both.
package enum DescribedTable: String, CaseIterable {
    case errors, paths, caddyfile, roles, settings
    case personalData = "personal-data"
    case securityEvents = "security-events"
    case metrics, alarms
    case prometheusRules = "prometheus-rules"
    case prometheusTests = "prometheus-tests"

    /// The document that repeats the table, between two marks.
    package var file: String {
        switch self {
        case .errors: "docs/errors.md"
        case .paths: "ARCHITECTURE.md"
        case .caddyfile: "deploy/Caddyfile"
        case .roles: "docs/roles.md"
        case .settings: "deploy/example.env"
        case .personalData: "docs/privacy.md"
        case .securityEvents: "SECURITY.md"
        case .metrics, .alarms: "docs/operation/alarms.md"
        case .prometheusRules: "deploy/prometheus/rules.yml"
        case .prometheusTests: "deploy/prometheus/tests.yml"
        }
    }

    /// The table as printed, without a line feed at the end.
    package var text: String {
        switch self {
        case .errors: ErrorTables.text
        case .paths: PathTables.markdown
        case .caddyfile: PathTables.caddyfile
        case .roles: RoleTables.text
        case .settings: SettingTables.text
        case .personalData: PersonalDataTable.text
        case .securityEvents: SecurityEventsTable.text
        case .metrics: WatchingTables.metrics
        case .alarms: WatchingTables.alarms
        case .prometheusRules: AlarmRule.prometheusRules
        case .prometheusTests: AlarmRule.prometheusTests
        }
    }

    /// The document with the table between its marks replaced; nil where the marks are missing.
    package func printed(in document: String) -> String? {
        let words = "whereabouts describe \(rawValue)"
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let begin = lines.firstIndex(where: { $0.contains("Printed by \(words)") }),
            let end = lines.firstIndex(where: { $0.contains("End of \(words)") }), begin < end
        else { return nil }
        return (lines[...begin] + [text[...]] + lines[end...]).joined(separator: "\n")
    }

    /// A table in Markdown.
    static func markdown(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.enumerated().map { number, cells in
            number == 1
                ? "|" + cells.joined(separator: "|") + "|"
                : "| " + cells.joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }
}
