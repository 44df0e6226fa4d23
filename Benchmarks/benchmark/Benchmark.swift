import Foundation

/// Measures the project against peers that run in the same minutes on the same machine.
///
///     benchmark NAME [PATH] [--pairs N] [--log kafka|postgres] [--rate N]
///
/// What a person reads goes to stderr; the last line of stdout is one JSON object.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, let run = benchmarks[name] else {
            let names = benchmarks.keys.sorted().joined(separator: " | ")
            tell("usage: benchmark \(names) [PATH] [--pairs N] [--log kafka|postgres] [--rate N]")
            exit(2)
        }
        let options: BenchmarkOptions
        do {
            options = try BenchmarkOptions(Array(arguments.dropFirst()))
        } catch {
            tell("\(error)")
            exit(2)
        }
        do {
            try await run(options)
        } catch {
            tell("benchmark \(name) failed: \(error)")
            exit(1)
        }
        // Servers of our own end with their exit handlers, which a return from here runs too.
        exit(0)
    }

    private static let benchmarks: [String: @Sendable (BenchmarkOptions) async throws -> Void] = [
        "backlog": { try await BacklogBenchmark(options: $0).run() },
        "ingest": { try await IngestBenchmark(options: $0).run() },
        "ingest-batch": { try await IngestBatchBenchmark(options: $0).run() },
        "latency": { try await LatencyBenchmark(options: $0).run() },
        "locate": { try await LocateBenchmark(options: $0).run() },
        "route-http": { try await RouteHTTPBenchmark(options: $0).run() },
        "route": { try await RouteBenchmark(options: $0).run() },
        "rebuild": { try await RebuildBenchmark(options: $0).run() },
        "search": { try await SearchBenchmark(options: $0).run() },
        "streams": { try await StreamsBenchmark(options: $0).run() },
        "outage": { try await OutageBenchmark(options: $0).run() },
        "mock-cluster": { _ in try MockClusterProgram.run() },
    ]
}

/// What the command line says beside the name.
struct BenchmarkOptions {
    /// Measurements of ours and of the peer that take turns.
    var pairs = 7
    var logs = ["kafka", "postgres"]
    /// Scans a second, where a benchmark has a choice.
    var rate: Int?
    /// Scans that wait in `backlog`.
    var scans = 1_000_000
    /// Of a data set.
    var path: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard option.hasPrefix("-") else {
                path = option
                continue
            }
            guard let value = rest.popFirst() else {
                throw BenchmarkFault("\(option) needs a value")
            }
            switch (option, value, Int(value)) {
            case ("--pairs", _, let count?) where count > 0: pairs = count
            case ("--rate", _, let count?) where count > 0: rate = count
            case ("--scans", _, let count?) where count > 0: scans = count
            case ("--log", "kafka", _), ("--log", "postgres", _), ("--log", "memory", _):
                logs = [value]
            default: throw BenchmarkFault("\(option) \(value) is not understood")
            }
        }
    }
}

struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A line for people.
func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
