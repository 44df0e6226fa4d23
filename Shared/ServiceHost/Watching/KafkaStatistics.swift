import JSON
import ServiceRuntime
import Synchronization

/// The statistics of librdkafka as gauges, with librdkafka's own names (its STATISTICS.md). The
/// values of all clients of a kind are added up.
///
/// A gauge for each client would stay for ever, since clients come and go under names of their own.
final class KafkaStatistics: Sendable {
    /// A client counts as gone when it has missed this many reports.
    private static let reportsUntilGone = 3

    private struct Report {
        var kind: String
        var values: [Double]
        var at: ContinuousClock.Instant
    }

    private let metrics: MetricsRegistry
    private let lifetime: Duration
    private let reports = Mutex<[String: Report]>([:])

    /// - Parameter interval: the time between two reports of a client.
    init(_ metrics: MetricsRegistry, interval: Duration = .seconds(15)) {
        self.metrics = metrics
        lifetime = interval * Self.reportsUntilGone
    }

    private static let fields: [(name: StaticString, metric: String, help: String)] = [
        ("msg_cnt", "whereabouts_kafka_messages_waiting", "Messages in the producers' queues."),
        ("msg_size", "whereabouts_kafka_bytes_waiting", "Bytes in the producers' queues."),
        ("txmsgs", "whereabouts_kafka_messages_sent", "Messages sent by running clients."),
        ("rxmsgs", "whereabouts_kafka_messages_received", "Messages received by running clients."),
        ("replyq", "whereabouts_kafka_events_waiting", "Events waiting to be polled."),
    ]

    /// Applies one report. An unreadable report is ignored, because nothing depends on statistics.
    func apply(_ json: String) { apply(json, at: .now) }

    func apply(_ json: String, at now: ContinuousClock.Instant) {
        try? JSONParser.read(Array(json.utf8)) { root in
            guard let object = root.object, let client = object["name"]?.string else { return }
            let kind = object["type"]?.string ?? "client"
            let values = Self.fields.map { object[$0.name]?.double ?? 0 }
            show(
                reports.withLock { reports in
                    reports[client] = Report(kind: kind, values: values, at: now)
                    // A kind whose last client has gone is set to 0 once.
                    let kinds = Set(reports.values.map(\.kind))
                    reports = reports.filter { now - $0.value.at <= lifetime }
                    return Self.sums(of: Array(reports.values), kinds)
                })
        }
    }

    private static func sums(of reports: [Report], _ kinds: Set<String>) -> [String: [Double]] {
        var sums: [String: [Double]] = [:]
        for kind in kinds { sums[kind] = fields.map { _ in 0 } }
        for report in reports {
            for (index, value) in report.values.enumerated() { sums[report.kind]?[index] += value }
        }
        return sums
    }

    private func show(_ sums: [String: [Double]]) {
        for (kind, values) in sums {
            for (field, value) in zip(Self.fields, values) {
                metrics.gauge(field.metric, help: field.help, labels: ["type": kind]).set(value)
            }
        }
    }
}
