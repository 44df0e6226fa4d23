import ServiceHost

extension Doctor {
    /// Rules that other checks look at themselves, with what this machine sees.
    private static let checkedElsewhere: Set = [
        "service-away", "not-ready", "clock", "database-transaction", "dead-letters",
        "backup-old", "backup-failed", "certificate",
    ]

    /// The rules of the alarms, by what the services' metrics show now.
    func rules(_ samples: [MetricSample]) -> [Finding] {
        let byName = Dictionary(grouping: samples, by: \.name)
        return AlarmRule.all.filter { !Self.checkedElsewhere.contains($0.name) }.map { rule in
            Self.finding(rule, byName[rule.metric] ?? [])
        }
    }

    static func finding(_ rule: AlarmRule, _ samples: [MetricSample]) -> Finding {
        guard !samples.isEmpty else {
            return Finding(rule.name, .unknown, "no service shows \(rule.metric)")
        }
        let broken = samples.filter { sample in
            // How fast a counter grows does not show in one look, so its total is compared.
            if case .grownBy(let most, _) = rule.limit { return sample.value > most }
            return rule.holds(sample.value)
        }
        guard !broken.isEmpty else {
            return Finding(rule.name, .ok, shown(samples, of: rule))
        }
        return Finding(
            rule.name, rule.severity == .wrong ? .wrong : .warning,
            "\(rule.meaning.dropLast()) (\(shown(broken, of: rule)))",
            advice: String(rule.advice.dropLast()))
    }

    private static func shown(_ samples: [MetricSample], of rule: AlarmRule) -> String {
        let most = 4
        let places = samples.map { place($0, of: rule) }.sorted()
        let more = places.count > most ? " and \(places.count - most) more" : ""
        return places.prefix(most).joined(separator: "; ") + more
    }

    /// The service, the labels and the value of a sample.
    private static func place(_ sample: MetricSample, of rule: AlarmRule) -> String {
        let labels = rule.labels.compactMap { sample.labels[$0] }
        let name = ([sample.labels["service"] ?? ""] + labels).joined(separator: " ")
        return "\(name): \(text(sample.value, of: rule.metric))"
    }

    private static func text(_ value: Double, of metric: String) -> String {
        if metric.hasSuffix("_seconds") {
            return value.isFinite ? span(value) : "never"
        }
        if metric.hasSuffix("_ratio") { return "\(Int((value * 100).rounded())) %" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
