import ServiceHost
import ServiceRuntime

extension Doctor {
    /// Rules that other checks look at themselves, with what this machine sees.
    private static let checkedElsewhere: Set = [
        "service-away", "not-ready", "clock", "database-transaction", "dead-letters",
        "backup-old", "backup-failed", "backup-damaged", "certificate",
    ]

    /// The time between two looks at the counters.
    static let countingSeconds = 10

    /// The rules of the alarms, by what the services' metrics show now.
    ///
    /// - Parameter before: the samples of `countingSeconds` ago.
    func rules(_ samples: [MetricSample], before: [MetricSample]) -> [Finding] {
        let byName = Dictionary(grouping: samples, by: \.name)
        let byNameBefore = Dictionary(grouping: before, by: \.name)
        return AlarmRule.all.filter { !Self.checkedElsewhere.contains($0.name) }.map { rule in
            guard rule.name != "alarm-channel" || sendsAlarms else {
                return Finding(
                    rule.name, .ok, "only the log has alarms: neither mail nor webhook is set")
            }
            return Self.finding(
                rule, byName[rule.metric] ?? [], before: byNameBefore[rule.metric] ?? [])
        }
    }

    private var sendsAlarms: Bool {
        host.configuration.optionalText("WHEREABOUTS_ALARM_MAIL") != nil
            || host.configuration.optionalSecret("WHEREABOUTS_ALARM_WEBHOOK") != nil
    }

    static func finding(
        _ rule: AlarmRule, _ now: [MetricSample], before: [MetricSample] = []
    ) -> Finding {
        guard !now.isEmpty else {
            // There need be no site that has any.
            guard !rule.labels.contains("site") else {
                return Finding(rule.name, .ok, "no service shows \(rule.metric) of a site")
            }
            return Finding(rule.name, .unknown, "no service shows \(rule.metric)")
        }
        var (samples, most) = (now, Double.infinity)
        if case .grownBy(let limit, let minutes) = rule.limit {
            // A total says nothing about today, so what came between two looks is compared.
            let old = Dictionary(before.map { ($0.labels, $0.value) }) { $1 }
            for index in samples.indices {
                samples[index].value -= min(
                    old[samples[index].labels] ?? samples[index].value, samples[index].value)
            }
            most = limit * Double(countingSeconds) / Double(minutes * 60)
        }
        let broken = samples.filter { $0.value > most || rule.holds($0.value) }
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
        // All processes of a machine show the same disk.
        let places = Set(samples.map { place($0, of: rule) }).sorted()
        let more = places.count > most ? " and \(places.count - most) more" : ""
        return places.prefix(most).joined(separator: "; ") + more
    }

    /// The service, the labels and the value of a sample.
    private static func place(_ sample: MetricSample, of rule: AlarmRule) -> String {
        let labels = rule.labels.compactMap { sample.labels[$0] }
        let service = rule.isOfMachine ? [] : [sample.labels["service"] ?? ""]
        let name = (service + labels).joined(separator: " ")
        return "\(name): \(text(sample.value, of: rule.metric))"
    }

    private static func text(_ value: Double, of metric: String) -> String {
        if metric.hasSuffix("_seconds") {
            return value.isFinite ? span(value) : "never"
        }
        if metric.hasSuffix("_ratio") { return "\(Int((value * 100).rounded())) %" }
        let rounded = (value * 1_000).rounded() / 1_000
        let number = Int(exactly: rounded).map(String.init) ?? "\(rounded)"
        return metric.hasSuffix("_total") ? "\(number) new in \(countingSeconds) s" : number
    }
}
