import EventLog
import ServiceHost
import ServiceRuntime
import Testing

@Suite struct ConsumerTests {
    private func host() throws -> Host {
        try Host.make(
            environment: ["DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"], service: "test")
    }

    @Test(
        "A consumer that stops for good makes the process unready, says so, and ends nothing else")
    func stopped() throws {
        let host = try host()
        #expect(host.context.health.isReady)
        host.outages.stopped("seen-view", reason: "42703: no such column")
        #expect(!host.context.health.isReady)
        #expect(host.context.health.summaryJSON.contains("seen-view"))
        #expect(!host.context.health.summaryJSON.contains("42703"))
        #expect(
            host.context.metrics.exposition.contains(#"whereabouts_alarms{work="seen-view"} 1"#))
    }

    @Test("Work that fails for long makes the process unready, and ready when it works again")
    func lasting() throws {
        let host = try host()
        var outage = Outage(of: "Reading", notices: host.notices, isWatched: true)
        outage.failed(EventLogError(.unavailable, "away"))
        host.outages.look(at: .now + .seconds(31))
        #expect(!host.context.health.isReady)
        outage.ended()
        #expect(host.context.health.isReady)
        #expect(host.context.metrics.exposition.contains(#"whereabouts_alarms{work="Reading"} 0"#))
    }
}
