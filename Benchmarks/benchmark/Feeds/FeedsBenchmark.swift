import Foundation
import HTTPClient
import JSON
import Postgres
import TestSupport

/// Measures the processor time of timetable-fetcher for 1,000 feeds of 60 kB, of 50 hosts over TLS,
/// that are polled each minute. A tenth of them changes from each poll to the next, and a tenth has
/// no ETag.
///
/// The peers are loops of libcurl and libical over the same feeds: one that remembers ETags and
/// bytes, and one that reads each feed whole. It also measures how soon a change is an event, and
/// checks that each change has one and nothing else has any.
struct FeedsBenchmark {
    /// Changes whose way to the log is measured, in each minute.
    private static let touches = 12
    private static let minute = Duration.seconds(60)
    /// The bar for a change: a polling interval and this.
    private static let spareSeconds = 2.0
    private static let peerRounds = 4

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try FeedsServer(in: directory)
        let database = try await PrivatePostgres.shared().makeDatabase()
        let connection = PostgresConnection(database)
        let log = ChosenLog.postgres(conninfo: database.connectionString)
        try await FeedsServer.publishSites(to: log)
        let service = try await RunningService(
            "timetable-fetcher", log: log,
            environment: [
                "WHEREABOUTS_FEED_NETWORKS": "127.0.1.0/24",
                "WHEREABOUTS_CA_FILE": server.certificate,
                "WHEREABOUTS_SERVICE_SECRET": "a-secret-of-the-benchmark-feeds-alone",
            ], in: directory)
        let idle = try await seconds(service, while: { try await Task.sleep(for: .seconds(20)) })
        note(String(format: "without feeds: %.0f ms of processor time a minute", idle * 3_000))
        try await server.setUp(service)
        try await untilRead(connection)
        note(
            String(
                format: "all are read for the first time after %.1f s of processor time",
                service.program.processorSeconds))
        let events = Events(connection: connection)
        let (before, changedBefore) = (try await events.count(), try await server.changed())
        var remembering = Comparison(
            "feeds", unit: "milliseconds of processor time a minute",
            peerName: "libcurl and libical, remembering")
        var whole = Comparison(
            "feeds-whole", unit: "milliseconds of processor time a minute",
            peerName: "libcurl and libical, each feed whole")
        var latencies: [Double] = []
        for pair in 1...options.pairs {
            var touched: [(word: String, at: Double)] = []
            let spent = try await seconds(
                service, while: { touched = try await touch(server, pair) })
            latencies += try await events.seconds(since: touched)
            remembering.add(
                ours: spent * 1_000,
                peer: try server.peerMilliseconds(Self.peerRounds, in: directory))
            whole.add(
                ours: spent * 1_000,
                peer: try server.peerMilliseconds(2, "all", in: directory))
        }
        try await expectEvents(connection, events, server, before, changedBefore)
        latencies.sort()
        note(
            String(
                format: "a change is on the log after %.1f s (median), %.1f s at most",
                median(latencies), latencies.last ?? 0))
        guard latencies.last ?? 0 <= 60 + Self.spareSeconds else {
            throw BenchmarkFault("a change took longer than a polling interval and 2 s")
        }
        note(
            "the service has had \(try service.program.mostResidentBytes() / 1_000_000) MB at most")
        whole.report()
        remembering.report()
        service.program.end()
    }

    /// The processor time of the service while the body runs, as of a minute.
    private func seconds(
        _ service: RunningService, while body: () async throws -> Void
    ) async throws -> Double {
        let before = service.program.processorSeconds
        try await body()
        return service.program.processorSeconds - before
    }

    private func untilRead(_ connection: PostgresConnection) async throws {
        let deadline = Date(timeIntervalSinceNow: 900)
        while Date() < deadline {
            let count: Int64 = try await connection.query(
                "SELECT count(*) AS read FROM timetables.feeds WHERE good_at IS NOT NULL")[0][
                    "read"]
            let waiting: Int64 = try await connection.query(
                "SELECT count(*) AS waiting FROM timetables.outbox")[0]["waiting"]
            if count == FeedsServer.feeds, waiting == 0 { return }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw BenchmarkFault("the feeds are not read")
    }

    /// Changes calendars at moments all over a minute, and returns at its end.
    private func touch(
        _ server: FeedsServer, _ pair: Int
    ) async throws -> [(word: String, at: Double)] {
        let began = ContinuousClock.now
        var touched: [(word: String, at: Double)] = []
        for number in 0..<Self.touches {
            try await Task.sleep(
                until: began + Self.minute * (Double(number) / Double(Self.touches)))
            let word = "touched-\(pair)-\(number)"
            touched.append((word, Date().timeIntervalSince1970))
            try await server.touch((pair * 97 + number * 83) % FeedsServer.feeds, word)
        }
        try await Task.sleep(until: began + Self.minute)
        return touched
    }

    /// No event but of what has changed, and each change has one.
    private func expectEvents(
        _ connection: PostgresConnection, _ events: Events, _ server: FeedsServer,
        _ before: Int64, _ changedBefore: Int64
    ) async throws {
        try await connection.query("UPDATE timetables.feeds SET is_enabled = false")
        try await Task.sleep(for: .seconds(5))
        let written = try await events.count() - before
        let changed = try await server.changed() - changedBefore
        note("\(changed) answers had changed, and \(written) events were written")
        guard written == changed else {
            throw BenchmarkFault("\(written) events are not \(changed)")
        }
    }

    /// The events on the log.
    private struct Events {
        let connection: PostgresConnection

        /// All that were ever appended: the topic is compacted, so its rows are fewer.
        func count() async throws -> Int64 {
            try await connection.query(
                """
                SELECT coalesce(sum(next_offset), 0)::bigint AS events FROM log.partitions
                JOIN log.topics ON log.topics.id = log.partitions.topic
                WHERE log.topics.name = 'whereabouts.timetables'
                """)[0]["events"]
        }

        /// The seconds from each change to its event on the log.
        func seconds(since touched: [(word: String, at: Double)]) async throws -> [Double] {
            var seconds: [Double] = []
            let deadline = Date(timeIntervalSinceNow: 75)
            for (word, at) in touched {
                while true {
                    let rows = try await connection.query(
                        """
                        SELECT extract(epoch FROM min(appended_at))::float8 AS at
                        FROM log."whereabouts.timetables"
                        WHERE appended_at > to_timestamp($1) AND value LIKE $2
                        """, [.double(at - 1), .text("%\(word)\"%")])
                    let appended: Double? = try rows[0]["at"]
                    if let appended {
                        seconds.append(appended - at)
                        break
                    }
                    guard Date() < deadline else {
                        throw BenchmarkFault("the change \(word) has no event")
                    }
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            return seconds
        }
    }
}
