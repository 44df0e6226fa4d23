import Events
import HTTP
import JSON
import ServiceHost

/// /v1/doctor and /v1/services: how the installation is, for people without a shell.
struct UpkeepRoutes: Sendable {
    /// The doctor looks at most once a minute, however many screens ask.
    private static let doctorFreshSeconds: Int64 = 60
    /// It may look for half a minute; until then its last findings are answered.
    private static let doctorUsableSeconds: Int64 = 900
    private static let servicesFreshSeconds: Int64 = 10

    private let doctor: Renewed<[Finding]>
    private let services: Renewed<[MetricSample]>

    /// - Parameters:
    ///   - findings: makes all checks.
    ///   - samples: asks all services for their metrics.
    init(
        clock: EventClock, findings: @escaping @Sendable () async -> [Finding],
        samples: @escaping @Sendable () async -> [MetricSample]
    ) {
        doctor = Renewed(
            clock: clock, freshSeconds: Self.doctorFreshSeconds,
            usableSeconds: Self.doctorUsableSeconds, make: findings)
        services = Renewed(
            clock: clock, freshSeconds: Self.servicesFreshSeconds,
            usableSeconds: Self.servicesFreshSeconds, make: samples)
    }

    var all: [Route] {
        [
            Route(.get, "/v1/doctor", handler: .task { _ in await findings() }),
            Route(.get, "/v1/services", handler: .task { _ in await figures() }),
        ]
    }

    private func findings() async -> HTTPResponse {
        let latest = await doctor.latest()
        return .json(Finding.answer(latest.value, at: latest.at, isRunning: latest.isRunning))
    }

    private func figures() async -> HTTPResponse {
        let latest = await services.latest()
        return .json(ServiceFigures.json(latest.value, at: latest.at))
    }
}

/// How each process is, and how far its consumers are behind, from the metrics of all.
enum ServiceFigures {
    static func json(_ samples: [MetricSample], at moment: Timestamp) -> [UInt8] {
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
