import Cryptography
import EventLog
import Events
import Foundation
import HTTPClient
import Postgres
import TestSupport
import Wire

/// Measures the p99 of the time from a scan's POST to its position event, through `whereabouts
/// serve` at 500 scans a second (or `--rate`).
///
/// On Kafka the positions are read from the log. The peer is a C program that consumes, copies and
/// commits in transactions; the same producer and consumer feed and read it.
///
/// On PostgreSQL the positions come over the service's stream of server-sent events, as in an
/// installation with one process. The peer makes two commits one after the other.
///
/// If `WHEREABOUTS_SCAN_INGEST_URL` and `WHEREABOUTS_FINGERPRINT_BUILDER_URL` name running
/// services, those are measured on Kafka, with a peer that runs beside them:
/// Benchmarks/latency-in-containers does so.
struct LatencyBenchmark {
    private static let usualRate = 500
    private static let peerInput = "benchmark.in"
    private static let peerOutput = "benchmark.out"

    let options: BenchmarkOptions

    /// Scans per second. With `--rate` the benchmark measures the median in place of the p99, and
    /// sends at random moments, as devices do, in place of equal intervals.
    private var perSecond: Int { options.rate ?? Self.usualRate }
    private var isMedian: Bool { options.rate != nil }
    private var seconds: Int { isMedian ? 30 : 10 }
    private var unit: String { isMedian ? "milliseconds, median" : "milliseconds, p99" }

    func run() async throws {
        if let running = MeasuredServices(ProcessInfo.processInfo.environment) {
            guard let kafka = RealKafka.shared else { throw BenchmarkFault("no Kafka is named") }
            return try await compareRunning(running, kafka.bootstrapServers)
        }
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        for log in options.logs {
            let database = try await PrivatePostgres.shared().makeDatabase().connectionString
            if log == "postgres" {
                try await comparePostgres(database, directory)
            } else if let kafka = RealKafka.shared {
                try await compareKafka(kafka.bootstrapServers, database, directory)
            }
        }
    }

    // MARK: Kafka

    private func compareKafka(_ servers: String, _ database: String, _ directory: URL) async throws
    {
        let choice = ChosenLog.kafka(bootstrapServers: servers)
        let service = try await serve(choice, database, directory)
        let log = try choice.open()
        try await makePeerTopics(log)
        let peer = try PinnedProgram(
            "kafka-transform-peer", [servers, Self.peerInput, Self.peerOutput, "benchmark-peer"],
            processor: nil, in: directory)
        _ = try peer.firstLine()
        try await compare("latency-kafka", MeasuredServices(service), log)
        service.program.end()
        peer.end()
        await log.close()
    }

    /// Measures services and a peer that somebody else has started; it does not stop them.
    private func compareRunning(_ running: MeasuredServices, _ servers: String) async throws {
        let choice = ChosenLog.kafka(bootstrapServers: servers)
        var services = running
        services.token = try await LogContents.publish(to: choice).text
        try await teach(services)
        let log = try choice.open()
        try await makePeerTopics(log)
        try await compare("latency-kafka-containers", services, log)
        await log.close()
    }

    private func makePeerTopics(_ log: any EventLog) async throws {
        try await log.createTopics(
            [Self.peerInput, Self.peerOutput].map {
                TopicSpecification(
                    name: $0, partitions: 12, cleanup: .delete(after: .seconds(3_600)))
            })
    }

    private func compare(
        _ name: String, _ services: MeasuredServices, _ log: any EventLog
    ) async throws {
        var comparison = Comparison(name, unit: unit, peerName: "consume, copy, commit in C")
        for pair in 0...options.pairs {
            let ours = try await measureService(services, .log(log))
            let bare = try await measurePeer(log)
            // The first pair fills caches and does not count.
            if pair > 0 { comparison.add(ours: ours, peer: bare) }
        }
        comparison.report()
    }

    /// Measures the peer with the same reader and with records of the same size.
    private func measurePeer(_ log: any EventLog) async throws -> Double {
        var samples = ScanSamples(seed: 3)
        let arrivals = Arrivals()
        return try await p99(Self.peerOutput, arrivals) { ready in
            try await arrivals.follow(
                Self.peerOutput, of: log, ready: ready, scanID: { try ScanRecorded(json: $0).id })
        } send: { number in
            let now = Timestamp.now
            let id = EventID(at: now)
            let record = samples.scan(device: number % 200, id: id, at: now)
                .recorded(id: id, site: ScanSamples.site, device: DeviceID("pi-\(number % 200)"))
                .record(topic: Self.peerInput, source: "/benchmark")
            arrivals.willSend(id)
            log.append([record]) { result in
                if case .failure(let error) = result { note("append: \(error)") }
            }
        }
    }

    // MARK: PostgreSQL

    private func comparePostgres(_ database: String, _ directory: URL) async throws {
        try await fillWriteAheadLog(database)
        let choice = ChosenLog.postgres(conninfo: database)
        let service = try await serve(choice, database, directory)
        var comparison = Comparison(
            "latency-postgres", unit: unit, peerName: "two bare commits")
        for pair in 0...options.pairs {
            let ours = try await measureService(MeasuredServices(service), .stream)
            let bare = try measureCommits(database, directory)
            if pair > 0 { comparison.add(ours: ours, peer: bare) }
        }
        service.program.end()
        comparison.report()
    }

    /// Makes the files of PostgreSQL's write-ahead log in advance.
    ///
    /// A server that has run for a while reuses old files. A new one fills each file with 16 MB of
    /// zeros first, and all commits wait meanwhile, those of the peer too.
    private func fillWriteAheadLog(_ database: String) async throws {
        let connection = PostgresConnection(PostgresConfiguration(database))
        for _ in 0..<60 {
            try await connection.query(
                "SELECT pg_logical_emit_message(false, 'benchmark', 'x'), pg_switch_wal()", [])
        }
        try await connection.execute(script: "CHECKPOINT")
        await connection.close()
    }

    private func measureCommits(_ database: String, _ directory: URL) throws -> Double {
        struct Printed: Decodable { var p99: Double }
        let peer = try PinnedProgram(
            "postgres-commit-peer", [database, "2400", "\(perSecond)", "\(seconds)"],
            processor: nil, in: directory)
        let printed = try peer.wholeOutput(limitSeconds: 60)
        return try JSONDecoder().decode(Printed.self, from: Data(printed.utf8)).p99
    }

    // MARK: Ours

    /// Starts all services in one process, with a site and a radio map.
    private func serve(
        _ log: ChosenLog, _ database: String, _ directory: URL
    ) async throws -> RunningService {
        let service = try await RunningService(
            log: log, environment: ["DATABASE_URL": database],
            in: directory)
        try await teach(MeasuredServices(service))
        return service
    }

    /// Sends surveys and waits for their radio map.
    private func teach(_ services: MeasuredServices) async throws {
        var samples = ScanSamples(seed: 2)
        let client = HTTPClient()
        defer { client.close() }
        for survey in 0..<200 {
            let now = Timestamp.now
            var scan = samples.scan(device: survey % 20, id: EventID(at: now), at: now)
            scan.place = .metres(
                floor: ScanSamples.floor, x: Double(survey % 20) * 2, y: Double(survey / 20) * 2)
            let answer = try await client.send(
                "POST", services.scanIngest + "/v1/surveys", headers: services.headers,
                body: scan.json)
            guard answer.status == 202 else {
                throw BenchmarkFault("a survey was not accepted: \(answer.status)")
            }
        }
        try await services.waitUntil(
            "able to locate", services.fingerprintBuilder,
            path: "/v1/sites/\(ScanSamples.site)/radio-map")
    }

    /// The place where positions are read.
    private enum Source {
        case log(any EventLog)
        case stream
    }

    private func measureService(
        _ services: MeasuredServices, _ source: Source
    ) async throws -> Double {
        var samples = ScanSamples(seed: 4)
        let client = HTTPClient()
        defer { client.close() }
        let (url, headers) = (services.scanIngest + "/v1/scans", services.headers)
        let arrivals = Arrivals()
        return try await p99("positions", arrivals) { ready in
            switch source {
            case .log(let log):
                try await arrivals.follow(
                    Topic.positions.name, of: log, ready: ready,
                    scanID: { try PositionEstimated(json: $0).scan })
            case .stream:
                let address =
                    services.scanIngest + "/v1/positions/stream?site=\(ScanSamples.site)"
                let stream = try await client.stream(address, headers: headers)
                ready()
                try await arrivals.follow(stream)
            }
        } send: { number in
            let now = Timestamp.now
            let id = EventID(at: now)
            let body = samples.scan(device: number % 200, id: id, at: now).json
            arrivals.willSend(id)
            Benchmark.beside {
                let answer = try await client.send("POST", url, headers: headers, body: body)
                if answer.status != 202 { note("a scan was answered \(answer.status)") }
            }
        }
    }

    /// Sends scans at the rate, waits for all their results, and returns the p99 (or the median) in
    /// milliseconds.
    private func p99(
        _ name: String, _ arrivals: Arrivals,
        following:
            @escaping @Sendable (_ ready: @escaping @Sendable () -> Void) async throws ->
            Void, send: (Int) -> Void
    ) async throws -> Double {
        let (ready, signal) = AsyncStream<Void>.makeStream()
        let reading = Task {
            // If `following` fails before it is ready, this ends the wait below.
            defer { signal.finish() }
            try await following { signal.yield() }
        }
        for await _ in ready { break }
        try await pace(perSecond: perSecond, seconds: seconds, isEven: !isMedian, send)
        let deadline = ContinuousClock.now + .seconds(30)
        while arrivals.outstanding > 0, .now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        let missing = arrivals.outstanding
        reading.cancel()
        do { try await reading.value } catch is CancellationError {}
        guard missing == 0 else { throw BenchmarkFault("\(missing) scans have no result") }
        let milliseconds = arrivals.drain()
        note(
            String(
                format: "    %@: p50 %.1f ms, p99 %.1f ms, most %.1f ms", name,
                milliseconds[milliseconds.count / 2], milliseconds[milliseconds.count * 99 / 100],
                milliseconds.last ?? 0))
        return milliseconds[milliseconds.count * (isMedian ? 50 : 99) / 100]
    }
}
