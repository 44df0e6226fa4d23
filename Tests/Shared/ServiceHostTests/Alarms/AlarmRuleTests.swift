import Testing

@testable import ServiceHost

@Suite struct AlarmRuleTests {
    @Test("Each rule has a name of its own, a metric of the table, and sentences")
    func all() {
        let metrics = Set(MetricTable.rows.map(\.name) + [AlarmRule.answering])
        #expect(Set(AlarmRule.all.map(\.name)).count == AlarmRule.all.count)
        for rule in AlarmRule.all {
            #expect(metrics.contains(rule.metric), "\(rule.name)")
            let row = MetricTable.rows.first { $0.name == rule.metric }
            #expect(Set(rule.labels).isSubset(of: row?.labels ?? []), "\(rule.name)")
            #expect(rule.meaning.hasSuffix(".") && rule.advice.hasSuffix("."), "\(rule.name)")
            #expect(!(rule.meaning + rule.advice).contains("\""), "\(rule.name)")
        }
    }

    @Test("A limit holds beyond its value, not at it")
    func limits() {
        let above = AlarmRule("a", "m", .above(1), .wrong, "A.", advice: "B.")
        #expect([1, 1.5, .infinity].map(above.holds) == [false, true, true])
        let below = AlarmRule("a", "m", .below(1), .wrong, "A.", advice: "B.")
        #expect([1, 0.5, .nan].map(below.holds) == [false, true, false])
        #expect(above.limitText == "above 1")
    }

    @Test("Prometheus gets each alarm as a rule with the same limit")
    func prometheus() {
        let text = AlarmRule.prometheusRules
        for rule in AlarmRule.all {
            #expect(text.contains("- alert: \(rule.name)\n") == rule.isAlarm, "\(rule.name)")
        }
        let disk = "expr: min by (machine, path) (whereabouts_disk_free_ratio) < 0.03\n"
        #expect(text.contains(disk))
        #expect(text.contains("expr: up{job=\"whereabouts\"} < 1\n"))
        #expect(text.contains("expr: increase(whereabouts_over_quota_total[15m]) > 100\n"))
    }
}
