import EventLog
import Foundation
import Postgres
import PostgresLog

/// Measures the log on PostgreSQL against bare libpq in the same run, on the same server.
///
///     log-benchmark CONNINFO [SECONDS]
///
/// The database is filled with topics named `benchmark.*`; use an empty one.
@main
struct LogBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            print("usage: log-benchmark CONNINFO [SECONDS]")
            exit(2)
        }
        let seconds = arguments.count > 2 ? Int(arguments[2]) ?? 10 : 10
        let database = PostgresConfiguration(arguments[1], applicationName: "log-benchmark")
        let appends = try await AppendRate(database).run(seconds: seconds)
        print("appends of 2 kB: \(Int(appends)) a second")
        for (members, separate) in [(1, false), (4, false), (4, true)] {
            try await compare(database, members: members, separate: separate, seconds: seconds)
        }
    }

    /// Takes turns with the peer, since other work on the machine comes and goes, and compares
    /// medians of three rounds.
    private static func compare(
        _ database: PostgresConfiguration, members: Int, separate: Bool, seconds: Int
    ) async throws {
        var peers: [Latencies] = []
        var owns: [Latencies] = []
        for _ in 0..<3 {
            peers.append(
                try Peer(conninfo: database.connectionString)
                    .run(bytes: 2_000, rate: 500, seconds: seconds))
            owns.append(
                try await PipelineLatency(database, members: members, separate: separate)
                    .run(bytes: 2_000, rate: 500, seconds: seconds))
        }
        let peer = Latencies(medianOf: peers)
        let own = Latencies(medianOf: owns)
        print("500/s, \(members) members, \(separate ? "three logs" : "one log"): \(own)")
        print("    two bare commits: \(peer)")
        print(
            String(format: "    ratio p50 %.2f, p99 %.2f", own.p50 / peer.p50, own.p99 / peer.p99))
    }
}

/// Milliseconds.
struct Latencies: CustomStringConvertible {
    var p50: Double
    var p99: Double
    var max: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        p50 = sorted[sorted.count / 2]
        p99 = sorted[sorted.count * 99 / 100]
        max = sorted[sorted.count - 1]
    }

    init(medianOf rounds: [Latencies]) {
        func median(_ value: (Latencies) -> Double) -> Double {
            rounds.map(value).sorted()[rounds.count / 2]
        }
        p50 = median(\.p50)
        p99 = median(\.p99)
        max = median(\.max)
    }

    var description: String {
        String(format: "p50 %.2f ms, p99 %.2f ms, max %.2f ms", p50, p99, max)
    }
}

/// Runs `postgres-commit-peer`, which is built beside this program.
struct Peer {
    let conninfo: String

    func run(bytes: Int, rate: Int, seconds: Int) throws -> Latencies {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "postgres-commit-peer")
        process.arguments = [conninfo, "\(bytes)", "\(rate)", "\(seconds)"]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let fields = try JSONDecoder().decode([String: Double].self, from: data)
        var latencies = Latencies([0])
        latencies.p50 = fields["p50"] ?? .nan
        latencies.p99 = fields["p99"] ?? .nan
        latencies.max = fields["max"] ?? .nan
        return latencies
    }
}
