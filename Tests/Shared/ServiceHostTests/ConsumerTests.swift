import EventLog
import Retrying
import ServiceHost
import ServiceRuntime
import Testing

@Suite struct ConsumerTests {
    private func host() throws -> Host {
        try Host.make(
            environment: ["DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"], service: "test")
    }

    @Test(
        "A consumer that stops for good makes the process unready, but ends nothing else")
    func stopped() throws {
        let host = try host()
        #expect(host.context.health.isReady)
        host.retries.stopped("seen-view", reason: "42703: no such column")
        #expect(!host.context.health.isReady)
        #expect(host.context.health.summaryJSON.contains("seen-view"))
        #expect(!host.context.health.summaryJSON.contains("42703"))
        #expect(
            host.context.metrics.exposition.contains(#"whereabouts_alarms{work="seen-view"} 1"#))
    }

    @Test("A process has a start, in which its services wait for each other without warnings")
    func start() throws { #expect(try host().notices.start != nil) }

    @Test("Work that fails for long makes the process unready, and ready when it works again")
    func lasting() throws {
        let host = try host()
        var retry = Retry(of: "Reading", notices: host.notices, isWatched: true)
        retry.failed(EventLogError(.unavailable, "away"))
        host.retries.look(at: .now + .seconds(31))
        #expect(!host.context.health.isReady)
        retry.ended()
        #expect(host.context.health.isReady)
        #expect(host.context.metrics.exposition.contains(#"whereabouts_alarms{work="Reading"} 0"#))
    }
}
