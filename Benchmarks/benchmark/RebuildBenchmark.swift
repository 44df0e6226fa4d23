import EventLog
import Events
import Foundation
import Postgres
import TestSupport
import Wire

/// Measures `whereabouts rebuild surveys` with a million survey readings in the log. The peer is
/// COPY of the same rows into tables with the same indexes. Both use one PostgreSQL, with fsync.
struct RebuildBenchmark {
    private static let surveys = 40_000
    private static let schema = "fingerprint_builder"
    private static let peerSchema = "peer"
    private static let tables = ["surveys", "measurements", "access_points", "sites"]

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        // PostgreSQL writes the peer's files, and runs as another account.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: directory.path)
        let server = try PrivatePostgres(settings: ["max_wal_size=4GB", "shared_buffers=256MB"])
        defer { server.stop() }
        let database = try await server.makeDatabase()
        let choice = ChosenLog.postgres(conninfo: database.connectionString)
        note("writing \(Self.surveys) surveys into the log")
        try await fill(choice)
        try rebuild(choice, directory)
        let connection = PostgresConnection(database)
        try await preparePeer(connection, directory)
        var comparison = Comparison(
            "rebuild", unit: "readings per second", peerName: "COPY into the same tables")
        let readings = Double(Self.surveys * ScanSamples.readings)
        for _ in 0..<options.pairs {
            let ours = try rebuild(choice, directory)
            let peer = try await copy(connection, directory)
            comparison.add(ours: readings / ours, peer: readings / peer)
        }
        comparison.report()
    }

    private func fill(_ choice: ChosenLog) async throws {
        let log = try choice.open()
        try await log.createTopics(Topic.specifications())
        var samples = ScanSamples(seed: 5)
        let now = Timestamp.now
        for first in stride(from: 0, to: Self.surveys, by: 500) {
            var records: [LogRecord] = []
            for number in first..<first + 500 {
                let id = EventID(at: now)
                let scan = samples.scan(device: number % 50, id: id, at: now)
                    .recorded(
                        id: id, site: ScanSamples.site, device: DeviceID("pi-\(number % 50)"))
                let survey = SurveyRecorded(
                    scan: scan, place: .location(LocationID("place-\(number % 500)")))
                records.append(survey.record(source: "/benchmark"))
            }
            try await log.append(records)
        }
        await log.close()
    }

    /// Runs the command and returns the seconds from its start to its end.
    @discardableResult
    private func rebuild(_ log: ChosenLog, _ directory: URL) throws -> Double {
        let start = ContinuousClock.now
        let program = try PinnedProgram(
            "whereabouts", ["rebuild", "surveys"], processor: nil, environment: log.environment,
            in: directory)
        let printed = try program.wholeOutput(limitSeconds: 600)
        guard printed.contains("\"records\":\(Self.surveys)") else {
            throw BenchmarkFault("not everything was rebuilt: \(printed)")
        }
        return seconds(since: start)
    }

    private func preparePeer(_ connection: PostgresConnection, _ directory: URL) async throws {
        for table in Self.tables {
            try await connection.execute(
                script: """
                    COPY \(Self.schema).\(table) TO '\(file(table, directory))' (FORMAT binary)
                    """)
        }
    }

    /// Loads the rows into new tables and returns the seconds. Making the tables is not counted.
    private func copy(_ connection: PostgresConnection, _ directory: URL) async throws -> Double {
        try await connection.execute(
            script: "DROP SCHEMA IF EXISTS \(Self.peerSchema) CASCADE; "
                + "CREATE SCHEMA \(Self.peerSchema)")
        for table in Self.tables {
            try await connection.execute(
                script: """
                    CREATE TABLE \(Self.peerSchema).\(table)
                        (LIKE \(Self.schema).\(table) INCLUDING ALL)
                    """)
        }
        let start = ContinuousClock.now
        for table in Self.tables {
            try await connection.execute(
                script: """
                    COPY \(Self.peerSchema).\(table)
                        FROM '\(file(table, directory))' (FORMAT binary)
                    """)
        }
        return seconds(since: start)
    }

    private func file(_ table: String, _ directory: URL) -> String {
        directory.appending(path: "\(table).copy").path
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .seconds(1)
    }
}
