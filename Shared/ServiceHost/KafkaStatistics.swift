import JSON
import ServiceRuntime

/// What librdkafka says about itself, as gauges: its own names are kept (STATISTICS.md of
/// librdkafka), with the client's kind as a label.
struct KafkaStatistics: Sendable {
    private let metrics: MetricsRegistry

    init(_ metrics: MetricsRegistry) { self.metrics = metrics }

    private static let fields: [(name: StaticString, metric: String, help: String)] = [
        ("msg_cnt", "whereabouts_kafka_messages_waiting", "Messages in the producer's queue."),
        ("msg_size", "whereabouts_kafka_bytes_waiting", "Bytes in the producer's queue."),
        ("txmsgs", "whereabouts_kafka_messages_sent", "Messages sent since the client started."),
        ("rxmsgs", "whereabouts_kafka_messages_received", "Messages got since the client started."),
        ("replyq", "whereabouts_kafka_events_waiting", "Events that wait to be polled."),
    ]

    /// Takes one report. What can't be read is left out: it is news, not work.
    func take(_ json: String) {
        try? JSONParser.read(Array(json.utf8)) { root in
            guard let object = root.object, let client = object["name"]?.string else { return }
            let kind = object["type"]?.string ?? "client"
            for field in Self.fields {
                guard let value = object[field.name]?.double else { continue }
                metrics.gauge(
                    field.metric, help: field.help, labels: ["type": kind, "client": client]
                ).set(value)
            }
        }
    }
}
