import Events
import Foundation
import Postgres
import TestSupport
import Wire

/// Measures how many scans scan-ingest accepts per second of processor time. The peer is a
/// libmicrohttpd server that only reads the same bodies and answers 202.
///
/// The log is librdkafka's mock cluster in a process of its own. The server has one processor, the
/// load generator and the mock cluster share the other.
struct IngestBenchmark {
    private static let serverProcessor = 0
    private static let otherProcessor = 1
    private static let requestsPerRun = 100_000

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let bodies = try writeBodies(directory)
        let mock = try PinnedProgram(
            "benchmark", ["mock-cluster"], processor: Self.otherProcessor, in: directory)
        let brokers = try mock.firstLine()
        let ours = try await RunningService(
            "scan-ingest", log: .kafka(bootstrapServers: brokers),
            processor: Self.serverProcessor, in: directory)
        let bare = try PinnedProgram(
            "bare-http", ["0"], processor: Self.serverProcessor, in: directory)
        let barePort = try port(of: bare)
        let oursLoad = load(ours.port, ours.token, bodies, directory)
        let bareLoad = load(barePort, ours.token, bodies, directory)
        var comparison = Comparison(
            "ingest", unit: "scans per processor second", peerName: "bare libmicrohttpd")
        // The first run of each fills caches and connects to the log, so it does not count.
        _ = try rate(ours.program, oursLoad)
        _ = try rate(bare, bareLoad)
        for _ in 0..<options.pairs {
            comparison.add(ours: try rate(ours.program, oursLoad), peer: try rate(bare, bareLoad))
        }
        try noteRelay(bodies, brokers, ours.token, directory)
        for program in [ours.program, bare, mock] { program.end() }
        try await noteRates(bodies, directory)
        comparison.report()
    }

    private func load(
        _ port: Int, _ token: String, _ bodies: [String], _ directory: URL
    ) -> HTTPLoad {
        HTTPLoad(
            port: port, token: token, bodies: bodies, requests: Self.requestsPerRun,
            processor: Self.otherProcessor, directory: directory)
    }

    private func port(of bare: PinnedProgram) throws -> Int {
        guard let port = Int(try bare.firstLine()) else {
            throw BenchmarkFault("bare-http did not print its port")
        }
        return port
    }

    /// Measures a relay of libmicrohttpd and librdkafka that passes bodies on without reading
    /// them. No server on these two libraries can be faster.
    private func noteRelay(
        _ bodies: [String], _ brokers: String, _ token: String, _ directory: URL
    ) throws {
        let relay = try PinnedProgram(
            "bare-http", ["0", brokers], processor: Self.serverProcessor, in: directory)
        let relayLoad = load(try port(of: relay), token, bodies, directory)
        _ = try rate(relay, relayLoad)
        let rates = try (0..<3).map { _ in try rate(relay, relayLoad) }.sorted()
        relay.end()
        note(
            String(
                format: "a relay of libmicrohttpd and librdkafka that reads nothing: %.0f scans"
                    + " per processor second", rates[1]))
    }

    /// Requests answered per second of processor time of the server's threads.
    private func rate(_ server: PinnedProgram, _ load: HTTPLoad) throws -> Double {
        let before = server.processorSeconds
        let outcome = try load.run()
        return Double(outcome.ok) / (server.processorSeconds - before)
    }

    private func writeBodies(_ directory: URL) throws -> [String] {
        var samples = ScanSamples(seed: 1)
        let now = Timestamp.now
        return try (0..<64).map { device in
            // The load generator replaces this id by a new one in each request.
            let scan = samples.scan(device: device, id: EventID(high: 0, low: 0), at: now)
            let file = directory.appending(path: "scan-\(device).json")
            try Data(scan.json).write(to: file)
            return file.path
        }
    }

    /// Measures requests per second on a real Kafka and on PostgreSQL; printed, not compared.
    private func noteRates(_ bodies: [String], _ directory: URL) async throws {
        if options.logs.contains("postgres") {
            let database = try await PrivatePostgres.shared().makeDatabase()
            try await noteRate(
                "PostgreSQL", .postgres(conninfo: database.connectionString), bodies, directory)
        }
        if options.logs.contains("kafka"), let kafka = RealKafka.shared {
            try await noteRate(
                "a real Kafka", .kafka(bootstrapServers: kafka.bootstrapServers), bodies, directory)
        }
    }

    private func noteRate(
        _ name: String, _ log: ChosenLog, _ bodies: [String], _ directory: URL
    ) async throws {
        let server = try await RunningService("scan-ingest", log: log, in: directory)
        var load = load(server.port, server.token, bodies, directory)
        load.processor = nil
        load.requests = 20_000
        _ = try load.run()
        let outcome = try load.run()
        server.program.end()
        note(
            String(
                format: "on %@: %.0f scans a second, p50 %.1f ms, p99 %.1f ms", name,
                outcome.requestsPerSecond, outcome.latencyMillisecondsP50,
                outcome.latencyMillisecondsP99))
    }
}

func temporaryDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "whereabouts-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A benchmark that fails ends at once.
    AtExit.remove(directory.path)
    return directory
}
