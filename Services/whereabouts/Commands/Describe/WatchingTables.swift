import ServiceHost

/// The tables of metrics and alarms.
enum WatchingTables {
    static var metrics: String {
        let rows = MetricTable.rows.map { row in
            [
                "`\(row.name)`", row.labels.map { "`\($0)`" }.joined(separator: ", "),
                row.shownBy, row.meaning,
            ]
        }
        let table = DescribedTable.markdown(["metric", "labels", "shown by", "meaning"], rows)
        return "\n\(table)\n"
    }

    static var alarms: String {
        let rows = AlarmRule.all.filter(\.isAlarm).map { rule in
            let delay = rule.minutes > 0 ? " for \(rule.minutes) min" : ""
            return [
                "`\(rule.name)`", rule.severity.rawValue,
                "`\(rule.metric)` \(rule.limitText)\(delay)", rule.meaning, rule.advice,
            ]
        }
        let table = DescribedTable.markdown(
            ["alarm", "severity", "begins when", "means", "what to do"], rows)
        return "\n\(table)\n"
    }
}
