import Cryptography
import EventLog
import Events
import Foundation
import HTTPClient
import Postgres
import TestSupport
import Wire

/// From POST to position event at 500 scans a second (or `--rate`), p99, through
/// `whereabouts serve`. On Kafka the positions are read from the log, and the peer is a C program
/// that consumes, copies and commits in transactions, fed and read by the same producer and
/// consumer. On PostgreSQL the peer is two commits one after the other, which nobody reads; the
/// positions come over the service's stream of server-sent events, as they come to whoever runs all
/// in one process.
///
/// Where `WHEREABOUTS_SCAN_INGEST_URL` and `WHEREABOUTS_FINGERPRINT_BUILDER_URL` name services that
/// run, in containers for instance, those are measured, on Kafka, and a peer that runs beside them:
/// Benchmarks/latency-in-containers.
struct LatencyBenchmark {
    private static let usualRate = 500
    private static let peerInput = "benchmark.in"
    private static let peerOutput = "benchmark.out"

    let options: BenchmarkOptions

    /// With a rate of the user's own it is the median that counts, as for people who wait for their
    /// scan, and scans come at chance's own moments and not like a clock's.
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

    /// Services and a peer that somebody else has started. Nothing is ended but the log's client.
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
            // The first pair warms both up.
            if pair > 0 { comparison.add(ours: ours, peer: bare) }
        }
        comparison.report()
    }

    /// The same reader, and records of the same size.
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
                if case .failure(let error) = result { tell("append: \(error)") }
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

    /// A server that has run for a while writes its log over old files. A new one makes each file
    /// first, 16 MB of zeros, and all commits wait for that; so files are made here for the time to
    /// come, for us and for the peer.
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

    /// All services in one process, with a radio map made of surveys.
    private func serve(
        _ log: ChosenLog, _ database: String, _ directory: URL
    ) async throws -> RunningService {
        let service = try await RunningService(
            log: log, environment: ["DATABASE_URL": database],
            in: directory)
        try await teach(MeasuredServices(service))
        return service
    }

    /// Sends surveys and waits for the radio map of them.
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
                throw BenchmarkFault("a survey was not taken: \(answer.status)")
            }
        }
        try await services.waitUntil(
            "able to locate", services.fingerprintBuilder,
            path: "/v1/sites/\(ScanSamples.site)/radio-map")
    }

    /// Where the positions are read.
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
            Task {
                let answer = try await client.send("POST", url, headers: headers, body: body)
                if answer.status != 202 { tell("a scan was answered \(answer.status)") }
            }
        }
    }

    /// Sends at the rate and waits for what comes of it.
    private func p99(
        _ name: String, _ arrivals: Arrivals,
        following:
            @escaping @Sendable (_ ready: @escaping @Sendable () -> Void) async throws ->
            Void, send: (Int) -> Void
    ) async throws -> Double {
        let (ready, signal) = AsyncStream<Void>.makeStream()
        let reading = Task {
            // Ends the wait below too when it fails before it is ready.
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
        guard missing == 0 else { throw BenchmarkFault("\(missing) scans have no outcome") }
        let milliseconds = arrivals.take()
        tell(
            String(
                format: "    %@: p50 %.1f ms, p99 %.1f ms, most %.1f ms", name,
                milliseconds[milliseconds.count / 2], milliseconds[milliseconds.count * 99 / 100],
                milliseconds.last ?? 0))
        return milliseconds[milliseconds.count * (isMedian ? 50 : 99) / 100]
    }
}
