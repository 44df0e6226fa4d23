import Events
import Foundation
import HTTPClient
import JSON
import Postgres
import TestSupport

/// Measures how soon each service starts on a log that is three years old, and the most memory that
/// it takes. The log has 1,000 publications, 500,000 surveys (or `--surveys`) and 10,000 tokens.
///
/// Views and radio maps are made first, since a service that has run for years has them. Then each
/// service is a process of its own. The bars are 10 s and 300 MB.
struct AgedBenchmark {
    private static let services = [
        "site-editor", "fingerprint-builder", "scan-ingest", "locator", "router",
    ]
    /// How long a service runs before its memory counts.
    private static let settling = Duration.seconds(15)

    let options: BenchmarkOptions

    func run() async throws {
        let contents = AgedLog(surveys: options.surveys)
        for log in options.logs {
            let directory = try temporaryDirectory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let database = try await PrivatePostgres.shared().makeDatabase().connectionString
            if log == "postgres" {
                try await measure(contents, .postgres(conninfo: database), database, directory)
            } else if let kafka = RealKafka.start() {
                try await measure(
                    contents, .kafka(bootstrapServers: kafka.bootstrapServers), database,
                    directory)
                kafka.stop()
            }
        }
    }

    private func measure(
        _ contents: AgedLog, _ log: ChosenLog, _ database: String, _ directory: URL
    ) async throws {
        note("writing \(contents.surveys) surveys, publications and tokens into the log")
        try await contents.fill(log)
        let addresses = Dictionary(
            uniqueKeysWithValues: Self.services.enumerated().map {
                ($0.element, "127.0.0.1:\(24_100 + $0.offset)")
            })
        var environment = log.environment
        environment["DATABASE_URL"] = database
        environment["WHEREABOUTS_LOG_LEVEL"] = "warning"
        environment["WHEREABOUTS_SERVICE_SECRET"] = "a-secret-of-the-benchmark-and-nobody-else"
        // The choice of positioners takes minutes of one core, and is made once for each map.
        environment["WHEREABOUTS_QUALITY_QUIET"] = "86400s"
        for (name, address) in addresses {
            let variable = name.uppercased().replacing("-", with: "_")
            environment["WHEREABOUTS_\(variable)_URL"] = "http://\(address)"
        }
        try await makeViews(contents, environment, database, directory)
        var lines: [String] = []
        var running: [PinnedProgram] = []
        for name in Self.services {
            environment["WHEREABOUTS_LISTEN"] = addresses[name]
            let start = ContinuousClock.now
            let program = try PinnedProgram(
                "whereabouts", ["serve", name], processor: nil, environment: environment,
                in: directory)
            running.append(program)
            try await waitUntilReady(addresses[name] ?? "", program)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            try await Task.sleep(for: Self.settling)
            let megabytes = Double(try program.mostResidentBytes()) / 1e6
            note(String(format: "%@: ready after %.1f s, %.0f MB", name, seconds, megabytes))
            lines.append(
                String(
                    format: #"{"service":"%@","seconds":%.2f,"megabytes":%.0f}"#, name, seconds,
                    megabytes))
        }
        for program in running { program.end() }
        let kind = environment["WHEREABOUTS_LOG"] ?? ""
        print(
            #"{"benchmark":"aged-\#(kind)","surveys":\#(contents.surveys),"services":["#
                + lines.joined(separator: ",") + "]}")
    }

    /// Runs the services that keep views until these have read everything.
    private func makeViews(
        _ contents: AgedLog, _ environment: [String: String], _ database: String,
        _ directory: URL
    ) async throws {
        note("making the views and the radio maps")
        var environment = environment
        environment["WHEREABOUTS_LISTEN"] = "127.0.0.1:24099"
        let program = try PinnedProgram(
            "whereabouts", ["serve", "site-editor", "fingerprint-builder", "locator"],
            processor: nil, environment: environment, in: directory)
        let connection = PostgresConnection(.init(database))
        let deadline = ContinuousClock.now + .seconds(3_600)
        while true {
            let surveys = try? await connection.query(
                """
                SELECT (SELECT count(*) FROM fingerprint_builder.surveys) AS read,
                    (SELECT count(*) FROM surveyed_places.surveys) AS noted,
                    (SELECT coalesce(sum(surveys), 0)::bigint FROM (
                        SELECT DISTINCT ON (site) surveys FROM radio_maps.radio_maps
                        ORDER BY site, version DESC) AS newest) AS mapped
                """)
            if let row = surveys?.first {
                let counts: [Int] = [try row["read"], try row["noted"], try row["mapped"]]
                if counts.allSatisfy({ $0 == contents.surveys }) { break }
            }
            guard ContinuousClock.now < deadline, program.isRunning else {
                throw BenchmarkFault("the views were not made within an hour")
            }
            try await Task.sleep(for: .seconds(1))
        }
        await connection.close()
        program.end()
    }

    private func waitUntilReady(_ address: String, _ program: PinnedProgram) async throws {
        let client = HTTPClient()
        defer { client.close() }
        let deadline = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < deadline, program.isRunning {
            let answer = try? await client.send("GET", "http://\(address)/readyz")
            if answer?.status == 200 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchmarkFault("the service is not ready")
    }
}
