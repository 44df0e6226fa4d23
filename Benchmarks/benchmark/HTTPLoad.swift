import Foundation

/// One run of the load generator: keep-alive connections, one request in flight on each.
struct HTTPLoad {
    static let ordinaryConnections = 512

    var port: Int
    var token: String
    var bodies: [String]
    var requests: Int
    var processor: Int?
    var directory: URL
    var path = "/v1/scans"
    var connections = ordinaryConnections

    struct Outcome: Decodable {
        var requests: Int
        var ok: Int
        var requestsPerSecond: Double
        var latencyMillisecondsP50: Double
        var latencyMillisecondsP99: Double
    }

    func run() throws -> Outcome {
        let limitSeconds = 120
        let program = try PinnedProgram(
            "http-load",
            [
                "--token", token, "--requests", "\(requests)", "127.0.0.1", "\(port)", path,
                "\(connections)", "\(limitSeconds)",
            ] + bodies, processor: processor, in: directory)
        let printed = try program.wholeOutput(limitSeconds: Double(limitSeconds + 30))
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(printed.utf8))
        guard outcome.ok == outcome.requests, outcome.ok > 0 else {
            throw BenchmarkFault("not all requests were accepted: \(printed)")
        }
        return outcome
    }
}
