import Foundation

/// Measures this project against peers, programs that do comparable work. Both run alternately on
/// the same machine.
///
///     benchmark NAME [PATH] [--pairs N] [--log kafka|postgres|memory] [--rate N] [--scans N]
///         [--rows N] [--surveys N] [--positions N] [--media-megabytes N]
///         [--positioner NAME] [--peer-positioner NAME] [--at-rest PERCENT]
///
/// Text for people goes to stderr; the last line of stdout is one JSON object.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, let run = benchmarks[name] else {
            let names = benchmarks.keys.sorted().joined(separator: " | ")
            note(
                "usage: benchmark \(names) [PATH] [--pairs N] [--log kafka|postgres|memory] "
                    + "[--rate N] [--scans N] [--rows N] [--surveys N] [--positions N] "
                    + "[--media-megabytes N] [--positioner NAME] [--peer-positioner NAME] "
                    + "[--at-rest PERCENT]")
            exit(2)
        }
        let options: BenchmarkOptions
        do {
            options = try BenchmarkOptions(Array(arguments.dropFirst()))
        } catch {
            note("\(error)")
            exit(2)
        }
        StartedPrograms.watch()
        do { try await run(options) } catch { fail(error) }
        // exit() runs the exit handlers, which end the servers that the benchmark has started.
        exit(0)
    }

    private static let benchmarks: [String: @Sendable (BenchmarkOptions) async throws -> Void] = [
        "campus": { try await CampusBenchmark(options: $0).run() },
        "campus-files": { try CampusFiles.write($0) },
        "aged": { try await AgedBenchmark(options: $0).run() },
        "backup": { try await BackupBenchmark(options: $0).run() },
        "backlog": { try await BacklogBenchmark(options: $0).run() },
        "backlog-state": { try await BacklogStateBenchmark(options: $0).run() },
        "edits": { try await EditsBenchmark(options: $0).run() },
        "feeds": { try await FeedsBenchmark(options: $0).run() },
        "ingest": { try await IngestBenchmark(options: $0).run() },
        "ingest-batch": { try await IngestBatchBenchmark(options: $0).run() },
        "latency": { try await LatencyBenchmark(options: $0).run() },
        "locate": { try await LocateBenchmark(options: $0).run() },
        "positions": { try await PositionsBenchmark(options: $0).run() },
        "route-http": { try await RouteHTTPBenchmark(options: $0).run() },
        "route": { try await RouteBenchmark(options: $0).run() },
        "rebuild": { try await RebuildBenchmark(options: $0).run() },
        "search": { try await SearchBenchmark(options: $0).run() },
        "streams": { try await StreamsBenchmark(options: $0).run() },
        "takeover": { try await TakeoverBenchmark(options: $0).run() },
        "outage": { try await OutageBenchmark(options: $0).run() },
        "mock-cluster": { _ in try MockClusterProgram.run() },
    ]
}

/// The options of the command line, behind the benchmark's name.
struct BenchmarkOptions {
    /// The number of measurements of each side, which alternate.
    var pairs = 7
    var logs = ["kafka", "postgres"]
    /// Scans a second; nil for the benchmark's usual rate.
    var rate: Int?
    /// The scans that wait in `backlog`.
    var scans = 1_000_000
    /// The surveys in the log of `aged`.
    var surveys = 500_000
    /// The positions in the table of `positions`.
    var rows = 2_000_000
    /// The positions and the media that `backup` backs up.
    var positions = 100_000
    var mediaMegabytes = 50
    /// The positioner that `backlog`, `backlog-state` and `locate` measure; nil for the usual one.
    var positioner: String?
    /// The positioner of the peer in `backlog`; nil to compare numbers of members.
    var peerPositioner: String?
    /// The share of the devices that are at rest in `backlog-state`; nil for half of them and none.
    var atRest: Double?
    /// The path of a data set or map.
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
            case ("--surveys", _, let count?) where count > 0: surveys = count
            case ("--positions", _, let count?) where count > 0: positions = count
            case ("--media-megabytes", _, let count?) where count > 0: mediaMegabytes = count
            case ("--rows", _, let count?) where count > 0: rows = count
            case ("--log", "kafka", _), ("--log", "postgres", _), ("--log", "memory", _):
                logs = [value]
            case ("--positioner", _, _): positioner = value
            case ("--peer-positioner", _, _): peerPositioner = value
            case ("--at-rest", _, let percent?) where (0...100).contains(percent):
                atRest = Double(percent) / 100
            default: throw BenchmarkFault("\(option) \(value) is no option; see the usage")
            }
        }
    }
}

struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Writes a line for people to stderr.
func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
