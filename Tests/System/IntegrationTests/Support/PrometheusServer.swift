import Foundation
import HTTPClient
import Repository
import TestSupport

/// Debian's Prometheus with the rules of deploy/prometheus, scraping the services of a campus each
/// second.
final class PrometheusServer: Sendable {
    static let isInstalled = (try? runProgram(["which", "prometheus"])) != nil

    private let process: ServerProcess
    private let client = HTTPClient()
    private let url: String
    private let log: URL

    init(scraping campus: Campus) async throws {
        let folder = try makeTemporaryFolder("prometheus")
        AtExit.remove(folder.path)
        let targets = campus.names.map { campus.url($0).replacing("http://", with: "") }
        let rules = repository.appending(path: "deploy/prometheus/rules.yml").path
        let configuration = """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["\(rules)"]
            scrape_configs:
              - job_name: whereabouts
                static_configs: [{targets: [\(targets.map { "\"\($0)\"" }.joined(separator: ","))]}]
            """
        let file = folder.appending(path: "prometheus.yml")
        try Data(configuration.utf8).write(to: file)
        log = folder.appending(path: "log")
        let port = Int.random(in: 20_000..<30_000)
        url = "http://127.0.0.1:\(port)"
        process = try ServerProcess(
            [
                "prometheus", "--config.file=\(file.path)",
                "--storage.tsdb.path=\(folder.appending(path: "data").path)",
                "--web.listen-address=127.0.0.1:\(port)",
            ], logPath: log.path)
        try await eventually("Prometheus is ready: \(messages)") { [process, client, url] in
            guard process.isRunning else { throw TestServerError("Prometheus ended") }
            return (try? await client.send("GET", "\(url)/-/ready"))?.status == 200
        }
    }

    var messages: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    func stop() { process.end(with: SIGTERM) }

    /// The number of series that a query gives now.
    func count(_ query: String) async throws -> Int {
        let answer = try await get("/api/v1/query?query=\(Self.escaped(query))")
        guard let result = answer["result"] as? [[String: Any]] else {
            throw TestServerError("\(query): \(answer)")
        }
        return result.count
    }

    /// The rules that raise alarms, with their queries.
    func rules() async throws -> [(name: String, query: String)] {
        let groups = try await get("/api/v1/rules")["groups"] as? [[String: Any]] ?? []
        return groups.flatMap { $0["rules"] as? [[String: Any]] ?? [] }.map { rule in
            (rule["name"] as? String ?? "", rule["query"] as? String ?? "")
        }
    }

    private func get(_ path: String) async throws -> [String: Any] {
        let answer = try await client.send("GET", url + path)
        return jsonObject(answer.body)["data"] as? [String: Any] ?? jsonObject(answer.body)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
