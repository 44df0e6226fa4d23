public import Events
import JSON

/// How each process is, and how far its consumers are behind, from the metrics of all.
public enum ServiceFigures {
    public static func json(_ samples: [MetricSample], at moment: Timestamp) -> [UInt8] {
        let processes = Dictionary(grouping: samples) { $0.labels["service"] ?? "" }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("at", microseconds: moment.microseconds)
        writer.name("services")
        writer.beginArray()
        for (name, samples) in processes.sorted(by: { $0.key < $1.key }) {
            write(name, samples, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private static func write(
        _ name: String, _ samples: [MetricSample], to writer: inout JSONWriter
    ) {
        func value(_ metric: String) -> Double? {
            samples.first { $0.name == metric }?.value
        }
        writer.beginObject()
        writer.field("service", name)
        writer.field("isUp", value(AlarmRule.answering) == 1)
        writer.field("isReady", value("whereabouts_ready") == 1)
        let version = samples.first { $0.name == "whereabouts_build_info" }?.labels["version"]
        writer.field("version", version)
        let failing = samples.filter { $0.name == "whereabouts_alarms" && $0.value > 0 }
        writer.name("failing")
        writer.beginArray()
        for work in Set(failing.compactMap { $0.labels["work"] }).sorted() { writer.string(work) }
        writer.endArray()
        writer.name("lag")
        writer.beginArray()
        let lags = samples.filter { $0.name == "whereabouts_lag_records" && $0.value.isFinite }
            .map { (group: $0.labels["group"] ?? "", topic: $0.labels["topic"] ?? "", $0.value) }
        for lag in lags.sorted(by: { ($0.group, $0.topic) < ($1.group, $1.topic) }) {
            writer.beginObject()
            writer.field("group", lag.group)
            writer.field("topic", lag.topic)
            writer.field("records", Int(lag.2))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
