import EventLog
import Events
import Foundation
import Locator
import MemoryLog
import Postgres
import ServiceHost
import TestSupport
import Wire

/// Measures how the locator works off a backlog of scans, with two members of its group and with
/// one, on Kafka, PostgreSQL and in memory. With `--peer-positioner` it compares two positioners
/// instead, with one member each. Each run has a new log with the same scans.
///
/// The locator runs in this process, without views and routes, so that the process's time is the
/// locator's. On Kafka and PostgreSQL the servers share the processors with it.
struct BacklogBenchmark {
    struct Figures {
        var scansPerSecond: Double
        var microsecondsPerScan: Double
        /// The share of the time in which the member's thread was idle; only meaningful with one
        /// member.
        var idle: Double
    }

    private static let group = "locator"

    let options: BenchmarkOptions

    private var positioner: String { options.positioner ?? "auto" }

    func run() async throws {
        note("making \(options.scans) scans of a simulated building")
        let backlog = try SimulatedBacklog(scans: options.scans)
        for log in options.logs {
            if let peer = options.peerPositioner {
                try await compare(with: peer, backlog, log)
                continue
            }
            let isMemory = log == "memory"
            var comparison = Comparison(
                "backlog-\(log)",
                unit: isMemory ? "scans per second" : "microseconds of processor time per scan",
                peerName: "one member")
            for _ in 0..<options.pairs {
                let one = try await work(off: backlog, on: log, members: 1)
                let two = try await work(off: backlog, on: log, members: 2)
                if isMemory {
                    comparison.add(ours: two.scansPerSecond, peer: one.scansPerSecond)
                } else {
                    comparison.add(ours: two.microsecondsPerScan, peer: one.microsecondsPerScan)
                }
            }
            comparison.report()
        }
    }

    /// Compares two positioners over the same scans.
    private func compare(
        with peer: String, _ backlog: SimulatedBacklog, _ log: String
    ) async throws {
        var comparison = Comparison(
            "backlog-positioners-\(log)",
            unit: "microseconds of processor time per scan with \(positioner)", peerName: peer)
        for _ in 0..<options.pairs {
            let ours = try await work(off: backlog, on: log, members: 1)
            let other = try await work(off: backlog, on: log, members: 1, with: peer)
            comparison.add(ours: ours.microsecondsPerScan, peer: other.microsecondsPerScan)
        }
        comparison.report()
    }

    /// Locates all scans in a new log.
    ///
    /// - Parameters:
    ///   - other: the positioner; nil for that of the options.
    ///   - batch: the most scans that are located and stored at once; nil for the default.
    ///   - read: called with the log after that.
    func work(
        off backlog: SimulatedBacklog, on log: String, members: Int, with other: String? = nil,
        batch: Int? = nil, then read: (any EventLog) async throws -> Void = { _ in }
    ) async throws -> Figures {
        var environment = [
            "WHEREABOUTS_LOCATOR_MEMBERS": "\(members)",
            "WHEREABOUTS_POSITIONER": other ?? positioner,
            "WHEREABOUTS_LOG": log, "WHEREABOUTS_LOG_LEVEL": "error",
        ]
        if let batch { environment["WHEREABOUTS_LOCATOR_BATCH"] = "\(batch)" }
        var memory: MemoryLog?
        var kafka: RealKafka?
        defer { kafka?.stop() }
        switch log {
        case "kafka":
            guard let broker = RealKafka.start() else { throw BenchmarkFault("no Kafka starts") }
            kafka = broker
            environment["KAFKA_BOOTSTRAP_SERVERS"] = broker.bootstrapServers
            environment["DATABASE_URL"] = "postgresql:///nobody-asks"
        case "postgres":
            environment["DATABASE_URL"] = try await PrivatePostgres.shared().makeDatabase()
                .connectionString
        default:
            environment["WHEREABOUTS_LOG"] = "postgres"
            memory = MemoryLog()
        }
        let host = try ServiceHost.Host.make(
            environment: environment, service: "locator", settings: LocatorDefinition.settings,
            log: memory)
        try await host.log.createTopics(Topic.specifications())
        try await backlog.append(to: host.log)
        let locate = try LocatorDefinition.backlogLocator(
            host, of: backlog.site, backlog.sources, backlog.map)
        let start = (at: ContinuousClock.now, processor: processorSeconds())
        let work = Benchmark.beside { try await locate() }
        try await waitUntilLocated(host.log, scans: backlog.records.count)
        let seconds = (ContinuousClock.now - start.at) / .seconds(1)
        let used = processorSeconds() - start.processor
        let scans = Double(backlog.records.count)
        let figures = Figures(
            scansPerSecond: scans / seconds, microsecondsPerScan: used / scans * 1e6,
            idle: max(0, 1 - used / seconds))
        work.cancel()
        await work.value
        try await read(host.log)
        await host.log.close()
        note(
            String(
                format: "%@, %@, %d member(s): %.0f scans a second, %.1f us a scan, idle %.1f %%",
                log, other ?? positioner, members, figures.scansPerSecond,
                figures.microsecondsPerScan, figures.idle * 100))
        return figures
    }

    private func waitUntilLocated(_ log: any EventLog, scans: Int) async throws {
        let topic = Topic.scans.name
        let starts = try await log.bounds(of: topic).map(\.start)
        let deadline = ContinuousClock.now + .seconds(1_800)
        while .now < deadline {
            let committed = try await log.lastCommitted(group: Self.group, topics: [topic])
            let located = committed.reduce(0) { $0 + Int($1.value - starts[$1.key.partition]) }
            if located >= scans { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchmarkFault("not all scans were located in half an hour")
    }

    /// The processor time of this process, user and system together, in seconds.
    private func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
