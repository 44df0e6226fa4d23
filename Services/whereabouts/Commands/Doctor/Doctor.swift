import Events
import ServiceHost
import ServiceRuntime

/// Runs all checks at the same time, and lists their findings in a fixed order.
struct Doctor: Sendable {
    /// The longest time for one group of checks.
    private static let limit = Duration.seconds(40)

    let host: Host
    let collector: MetricCollector

    init(_ host: Host) {
        self.host = host
        collector = MetricCollector(host.configuration, client: host.client)
    }

    func findings() async -> [Finding] {
        async let services = limited("services") { await self.services() }
        async let database = limited("postgresql") { await self.database() }
        async let log = limited("log") { await self.log() }
        async let places = limited("certificates") { await self.places() }
        return await services + database + log + places
    }

    private func limited(
        _ name: String, _ checks: @escaping @Sendable () async -> [Finding]
    ) async -> [Finding] {
        await withTimeLimit(Self.limit, checks)
            ?? [
                Finding(
                    name, .unknown,
                    "no answer within \(Self.limit.configurationText)",
                    advice: "Look whether its server hangs")
            ]
    }

    /// One finding for each, in their order, made at the same time.
    func sideBySide<Subject: Sendable>(
        _ subjects: [Subject], _ check: @escaping @Sendable (Subject) async -> Finding
    ) async -> [Finding] {
        await withTaskGroup(of: (Int, Finding).self) { group in
            for (number, subject) in subjects.enumerated() {
                group.addTask { (number, await check(subject)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
                .sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// The rest of a finding for an error of the world.
    static func reason(_ error: any Error) -> String { "\(error)" }

    /// A length of time for people, such as "3 h".
    static func span(_ seconds: Double) -> String {
        switch abs(seconds) {
        case ..<120: "\(Int(seconds)) s"
        case ..<7_200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3_600)) h"
        default: "\(Int(seconds / 86_400)) days"
        }
    }
}
