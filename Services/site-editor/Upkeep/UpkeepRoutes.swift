import Events
import HTTP
import ServiceHost

/// /v1/doctor and /v1/services: how the installation is, for people without a shell.
struct UpkeepRoutes: Sendable {
    /// The doctor looks at most once a minute, however many screens ask.
    private static let doctorFreshSeconds: Int64 = 60
    /// It may look for half a minute; until then its last findings are answered, or none.
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
        let present = await doctor.present()
        return .json(
            Finding.answer(
                present?.value ?? [], at: present?.at, isRunning: present?.isRunning ?? true))
    }

    private func figures() async -> HTTPResponse {
        let latest = await services.latest()
        return .json(ServiceFigures.json(latest.value, at: latest.at))
    }
}
