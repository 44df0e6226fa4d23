import ServiceRuntime
import Testing

@testable import ServiceHost

@Suite("The statistics of librdkafka") struct KafkaStatisticsTests {
    private func report(_ client: String, received: Int) -> String {
        #"{"name":"\#(client)","type":"consumer","rxmsgs":\#(received)}"#
    }

    @Test("are added up over running clients; clients that are gone leave nothing")
    func sums() {
        let metrics = MetricsRegistry()
        let statistics = KafkaStatistics(metrics, interval: .seconds(15))
        let start = ContinuousClock.now
        for number in 0..<3_000 {
            statistics.apply(
                report("whereabouts#consumer-\(number)", received: 7),
                at: start + .seconds(number))
        }
        // The last report, and the reports of the 45 s before it.
        let gauge = metrics.gauge(
            "whereabouts_kafka_messages_received", help: "", labels: ["type": "consumer"])
        #expect(gauge.current == 46 * 7)
        let series = metrics.exposition.split(separator: "\n").filter {
            $0.hasPrefix("whereabouts_kafka_messages_received")
        }
        #expect(series.count == 1)
        statistics.apply("{not json", at: start)
    }
}
