import ServiceRuntime
import Testing

@testable import ServiceHost

@Suite("What librdkafka says about itself") struct KafkaStatisticsTests {
    private func report(_ client: String, received: Int) -> String {
        #"{"name":"\#(client)","type":"consumer","rxmsgs":\#(received)}"#
    }

    @Test("is added up over the clients that live; those that came and went leave nothing")
    func sums() {
        let metrics = MetricsRegistry()
        let statistics = KafkaStatistics(metrics, interval: .seconds(15))
        let start = ContinuousClock.now
        for number in 0..<3_000 {
            statistics.take(
                report("whereabouts#consumer-\(number)", received: 7),
                at: start + .seconds(number))
        }
        // The last report and those of the 45 s before it.
        let gauge = metrics.gauge(
            "whereabouts_kafka_messages_received", help: "", labels: ["type": "consumer"])
        #expect(gauge.current == 46 * 7)
        let series = metrics.exposition.split(separator: "\n").filter {
            $0.hasPrefix("whereabouts_kafka_messages_received")
        }
        #expect(series.count == 1)
        statistics.take("{not json", at: start)
    }
}
