import EventLog
import KafkaLog
import Postgres
import PostgresLog
import TestSupport

/// The kinds of log that pass the contract.
enum LogKind: String, CaseIterable, Sendable {
    case postgres, kafka

    /// Those whose server is installed here; the others say why they are left out.
    static let available: [LogKind] = allCases.filter { kind in
        if let reason = kind.absence { print("skipped: \(kind.rawValue) log: \(reason)") }
        return kind.absence == nil
    }

    private var absence: String? {
        switch self {
        case .postgres: PrivatePostgres.isInstalled ? nil : "PostgreSQL is not installed"
        case .kafka: RealKafka.shared == nil ? "there is no real Kafka" : nil
        }
    }
}

/// A server with nothing in it, and ways to open logs on it.
struct LogServer: Sendable {
    private enum Backing: Sendable {
        case postgres(PrivatePostgres, PostgresConfiguration)
        case kafka(RealKafka, prefix: String)
    }

    let kind: LogKind
    private let backing: Backing

    /// With `own`, a server that the test may kill; else a fresh part of the one that all share.
    init(_ kind: LogKind, own: Bool = false) async throws {
        self.kind = kind
        switch kind {
        case .postgres:
            let postgres = try own ? PrivatePostgres() : PrivatePostgres.shared()
            backing = .postgres(postgres, try await postgres.makeDatabase())
        case .kafka:
            guard let kafka = own ? RealKafka.start() : RealKafka.shared else {
                throw TestServerError("there is no real Kafka")
            }
            let random = UInt64.random(in: 0...UInt64.max)
            backing = .kafka(kafka, prefix: "test-\(String(random, radix: 36)).")
        }
    }

    func open() -> any EventLog { open(maximumQueuedRecords: nil) }

    /// A log whose queue holds ten records.
    func openNarrow() -> any EventLog { open(maximumQueuedRecords: 10) }

    func kill() {
        switch backing {
        case .postgres(let postgres, _): postgres.kill()
        case .kafka(let kafka, _): kafka.crash()
        }
    }

    func start() throws {
        switch backing {
        case .postgres(let postgres, _): try postgres.start()
        case .kafka(let kafka, _): kafka.restart()
        }
    }

    private func open(maximumQueuedRecords limit: Int?) -> any EventLog {
        switch backing {
        case .postgres(_, let database):
            var settings = PostgresLogSettings(database)
            if let limit { settings.maximumQueuedRecords = limit }
            return PostgresLog(settings)
        case .kafka(let kafka, let prefix):
            let settings = limit.map { ["queue.buffering.max.messages": "\($0)"] } ?? [:]
            guard
                let log = try? KafkaLog(
                    bootstrapServers: kafka.bootstrapServers, settings: settings,
                    onUnexpected: { print("Kafka log: \($0)") })
            else { preconditionFailure("librdkafka takes these settings") }
            return NamespacedLog(log: log, prefix: prefix)
        }
    }
}

/// Opens a log on a fresh server, and closes it after the body.
func withLog(
    _ kind: LogKind, _ topics: [TopicSpecification] = [],
    _ body: (any EventLog, LogServer) async throws -> Void
) async throws {
    let server = try await LogServer(kind)
    let log = server.open()
    do {
        try await log.createTopics(topics)
        try await body(log, server)
    } catch {
        await log.close()
        throw error
    }
    await log.close()
}
