import EventLog
import Events
import Foundation
import Wire

/// Measures how many scans scan-ingest accepts per second of processor time when they come in
/// batches of 50. The peer is librdkafka, producing records of the same keys, values and headers.
struct IngestBatchBenchmark {
    private static let serverProcessor = 0
    private static let otherProcessor = 1
    private static let scansPerRequest = 50
    private static let requestsPerRun = 4_000

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let payload = try Payload(in: directory)
        let mock = try PinnedProgram(
            "benchmark", ["mock-cluster"], processor: Self.otherProcessor, in: directory)
        let servers = try mock.firstLine()
        let ours = try await RunningService(
            "scan-ingest", log: .kafka(bootstrapServers: servers),
            processor: Self.serverProcessor, in: directory)
        let load = HTTPLoad(
            port: ours.port, token: ours.token, bodies: payload.bodies,
            requests: Self.requestsPerRun, processor: Self.otherProcessor, directory: directory)
        var comparison = Comparison(
            "ingest-batch", unit: "scans per processor second", peerName: "librdkafka")
        _ = try rate(ours.program, load)
        for _ in 0..<options.pairs {
            comparison.add(
                ours: try rate(ours.program, load),
                peer: try peerRate(servers, payload, directory))
        }
        for program in [ours.program, mock] { program.end() }
        comparison.report()
    }

    private func rate(_ server: PinnedProgram, _ load: HTTPLoad) throws -> Double {
        let before = server.processorSeconds
        let outcome = try load.run()
        return Double(outcome.ok * Self.scansPerRequest) / (server.processorSeconds - before)
    }

    private func peerRate(
        _ servers: String, _ payload: Payload, _ directory: URL
    ) throws -> Double {
        struct Printed: Decodable { var processorSecondsPerRecord: Double }
        let program = try PinnedProgram(
            "kafka-produce-peer",
            [
                servers, Topic.scans.name, "\(Self.requestsPerRun * Self.scansPerRequest)",
                payload.values, "\(Payload.devices)", payload.headers,
            ], processor: Self.serverProcessor, in: directory)
        let printed = try program.wholeOutput(limitSeconds: 120)
        return 1
            / (try JSONDecoder().decode(Printed.self, from: Data(printed.utf8))
                .processorSecondsPerRecord)
    }

    /// The same scans as request bodies for scan-ingest and as records for the peer.
    private struct Payload {
        static let devices = 800
        var bodies: [String] = []
        let values: String
        let headers: String

        init(in directory: URL) throws {
            var samples = ScanSamples(seed: 6)
            let now = Timestamp.now
            var records: [LogRecord] = []
            for number in 0..<Payload.devices / IngestBatchBenchmark.scansPerRequest {
                var body: [UInt8] = [UInt8(ascii: "[")]
                for place in 0..<IngestBatchBenchmark.scansPerRequest {
                    let device = number * IngestBatchBenchmark.scansPerRequest + place
                    // The load generator replaces this id by a new one in each request.
                    let id = EventID(high: 0, low: 0)
                    let scan = samples.scan(device: device, id: id, at: now)
                    if place > 0 { body.append(UInt8(ascii: ",")) }
                    body += scan.json
                    records.append(
                        scan.recorded(
                            id: EventID(at: now), site: ScanSamples.site,
                            device: DeviceID("pi-\(1_000 + device)")
                        ).record(source: "/scan-ingest"))
                }
                body.append(UInt8(ascii: "]"))
                let file = directory.appending(path: "batch-\(number).json")
                try Data(body).write(to: file)
                bodies.append(file.path)
            }
            let lines = records.map { String(decoding: $0.value ?? [], as: UTF8.self) }
            var fields: [String] = []
            records[0].headers.forEach({ name, value in
                let name = String(decoding: name, as: UTF8.self)
                fields.append("\(name)=\(String(decoding: value, as: UTF8.self))")
            })
            values = directory.appending(path: "values").path
            headers = directory.appending(path: "headers").path
            try lines.joined(separator: "\n").write(
                toFile: values, atomically: true, encoding: .utf8)
            try fields.joined(separator: "\n").write(
                toFile: headers, atomically: true, encoding: .utf8)
        }
    }
}
