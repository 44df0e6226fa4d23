public import HTTPClient
public import ServiceRuntime

/// Asks all processes of an installation for their metrics.
public struct MetricCollector: Sendable {
    private static let answerSeconds = 5.0

    /// A process and the services in it.
    public struct Process: Hashable, Sendable {
        /// The names of its services, with `+` between them; `whereabouts` for all services.
        public var name: String
        public var url: String
    }

    public let processes: [Process]
    private let client: HTTPClient

    /// - Parameter configuration: its addresses of services say which processes there are.
    public init(_ configuration: Configuration, client: HTTPClient) {
        self.client = client
        processes = Self.processes(configuration)
    }

    /// Services with the same address run in one process. Those without an address of their own run
    /// in the process that these settings are for.
    static func processes(_ configuration: Configuration) -> [Process] {
        let urls = ServiceURLs(configuration: configuration)
        var services: [String: [String]] = [:]
        for service in ServiceURLs.services { services[urls[service], default: []].append(service) }
        return services.map { url, names in
            let isWhole = names.count == ServiceURLs.services.count
            return Process(
                name: isWhole ? "whereabouts" : names.joined(separator: "+"), url: url)
        }.sorted { $0.name < $1.name }
    }

    /// The samples of all processes, each with the label `service`. A process that does not answer
    /// has one sample only: `up` with the value 0.
    public func collect() async -> [MetricSample] {
        await withTaskGroup(of: [MetricSample].self) { group in
            for process in processes { group.addTask { await samples(of: process) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func samples(of process: Process) async -> [MetricSample] {
        let label = [AlarmJudge.serviceLabel: process.name]
        let answer = try? await client.send(
            "GET", process.url + "/metrics", timeoutSeconds: Self.answerSeconds)
        let isUp = answer?.status == 200
        let up = MetricSample(AlarmRule.answering, label, isUp ? 1 : 0)
        guard isUp, let answer else { return [up] }
        return [up]
            + MetricSample.samples(
                in: String(decoding: answer.body, as: UTF8.self), adding: label)
    }
}
