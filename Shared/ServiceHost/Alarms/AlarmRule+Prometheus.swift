extension AlarmRule {
    /// The job under which Prometheus scrapes the services (deploy/prometheus/prometheus.yml).
    static let job = "whereabouts"

    /// The rules that raise alarms, as a file of Prometheus.
    public static var prometheusRules: String {
        "groups:\n  - name: whereabouts\n    rules:\n"
            + all.filter(\.isAlarm).map(\.rule).joined(separator: "\n")
    }

    /// The condition in Prometheus' query language.
    var expression: String {
        let series = metric == Self.answering ? "\(metric){job=\"\(Self.job)\"}" : metric
        if isOfMachine, case .below(let least) = limit {
            return "min by (\(labels.joined(separator: ", "))) (\(series)) < \(Self.text(least))"
        }
        return switch limit {
        case .above(let most): "\(series) > \(Self.text(most))"
        case .below(let least): "\(series) < \(Self.text(least))"
        case .grownBy(let most, let minutes):
            "increase(\(series)[\(minutes)m]) > \(Self.text(most))"
        }
    }

    private var rule: String {
        """
              - alert: \(name)
                expr: \(expression)
                for: \(minutes)m
                labels: {severity: \(severity.rawValue)}
                annotations:
                  summary: "\(meaning)"
                  description: "\(advice)"
        """
    }

    /// A unit test for promtool that raises and clears every alarm.
    public static var prometheusTests: String {
        """
        rule_files: [rules.yml]
        evaluation_interval: 1m
        tests:

        """ + all.filter(\.isAlarm).map(\.test).joined(separator: "\n")
    }

    /// The minutes before the condition holds, while it holds, and after it.
    private static let quietMinutes = 10
    private static let badMinutes = 60

    /// Values of the metric at the limit, which is still good, and beyond it.
    private var values: (good: Double, bad: Double) {
        switch limit {
        case .above(let most): (most, most + 1)
        case .below(let least): (least, least / 2)
        case .grownBy(let most, _): (0, most * 2 + 10)
        }
    }

    private var test: String {
        let own = labels.map { "\($0)=\"x\"" }
        let series = ["instance=\"a\"", "job=\"\(Self.job)\""] + own
        let (good, bad) = (Self.text(values.good), Self.text(values.bad))
        let begin = Self.quietMinutes
        var end = begin + Self.badMinutes
        var last = "\(good)x30"
        var raisedAt = begin + minutes + 1
        if case .grownBy(_, let window) = limit {
            // A counter stays where it is. The alarm ends when the growth is older than its window.
            (end, last) = (begin + window, "\(bad)x30")
            raisedAt = begin + 2
        }
        let shown =
            ["severity: \(severity.rawValue)"]
            + (isOfMachine ? [] : ["instance: a", "job: \(Self.job)"])
        return """
              - interval: 1m
                input_series:
                  - series: '\(metric){\(series.joined(separator: ","))}'
                    values: '\(good)x\(begin - 1) \(bad)x\(Self.badMinutes - 1) \(last)'
                alert_rule_test:
                  - {eval_time: \(begin - 1)m, alertname: \(name)}
                  - eval_time: \(raisedAt)m
                    alertname: \(name)
                    exp_alerts:
                      - exp_labels: {\((shown + labels.map { "\($0): x" }).joined(separator: ", "))}
                        exp_annotations:
                          summary: "\(meaning)"
                          description: "\(advice)"
                  - {eval_time: \(end + 2)m, alertname: \(name)}
            """
    }
}
