import EventLog
import Foundation
import KafkaLog
import Postgres
import PostgresLog
import TestSupport

/// The kinds of log that pass the contract.
enum LogKind: String, CaseIterable, Sendable {
    case postgres, kafka

    /// Those whose server is here; for the others it is printed why they are left out.
    static let available: [LogKind] = allCases.filter { kind in
        if let reason = kind.absence { print("skipped: \(kind.rawValue) log: \(reason)") }
        return kind.absence == nil
    }

    private var absence: String? {
        switch self {
        case .postgres: PrivatePostgres.isInstalled ? nil : "PostgreSQL is not installed"
        case .kafka: RealKafka.shared == nil ? "there is no real Kafka" : nil
        switch kind {
        case .postgres:
            if !PrivatePostgres.isInstalled { print("skipped: PostgreSQL is not installed") }
            return PrivatePostgres.isInstalled
        case .kafka: return RealKafka.shared != nil
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
    private enum Server: Sendable {
        case postgres(PrivatePostgres, PostgresConfiguration)
        case kafka(RealKafka)
    }
    private let server: Server
    private let prefix: String

    /// With `own`, a server that the test may kill; else a fresh part of the one that all share.
    init(_ kind: LogKind, own: Bool = false) async throws {
        prefix = "test-\(UUID().uuidString)."
        switch kind {
        case .postgres:
            let postgres = try own ? PrivatePostgres() : PrivatePostgres.shared()
            server = .postgres(postgres, try await postgres.makeDatabase())
        case .kafka:
            guard let kafka = own ? RealKafka.start() : RealKafka.shared else {
                throw TestServerError("Kafka did not start")
            }
            server = .kafka(kafka)
        }
    }

    func open() throws -> any EventLog { try open { _ in } }

    /// A log whose queue holds ten records.
    func openNarrow() throws -> any EventLog { try open { $0.maximumQueuedRecords = 10 } }

    private func open(_ adjust: (inout PostgresLogSettings) -> Void) throws -> any EventLog {
        switch server {
        case .postgres(_, let database):
            var settings = PostgresLogSettings(database)
            adjust(&settings)
            return PrefixedLog(log: PostgresLog(settings), prefix: prefix)
        case .kafka(let kafka):
            let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
            return PrefixedLog(log: log, prefix: prefix)
        }
    }

    /// Starts a process that copies one topic to the other as a member of the group.
    func startProbe(
        group: String, from input: String, to output: String, fault: String? = nil
    ) throws -> ServerProcess {
        var words = [builtProgram("log-probe")]
        switch server {
        case .postgres(_, let database): words += ["postgres", database.connectionString]
        case .kafka(let kafka): words += ["kafka", kafka.bootstrapServers]
        }
        words += [prefix + group, prefix + input, prefix + output]
        var environment = ProcessInfo.processInfo.environment
        environment["WHEREABOUTS_FAULT"] = fault
        return try ServerProcess(words, logPath: "/dev/null", environment: environment)
    }

    /// SIGKILL, as a crash.
    func kill() {
        switch server {
        case .postgres(let postgres, _): postgres.kill()
        case .kafka(let kafka): kafka.crash()
        }
    }

    /// Starts the server again on what it had stored.
    func restart() throws {
        switch server {
        case .postgres(let postgres, _): try postgres.start()
        case .kafka(let kafka): kafka.restart()
        }
    }

    /// Ends a server of the test's own.
    func stop() {
        switch server {
        case .postgres(let postgres, _): postgres.stop()
        case .kafka(let kafka): kafka.stop()
        }
    }
}

/// Opens a log on a fresh server, and closes it after the body.
func withLog(
    _ kind: LogKind, _ topics: [TopicSpecification] = [],
    _ body: (any EventLog, LogServer) async throws -> Void
) async throws {
    let server = try await LogServer(kind)
    let log = try server.open()
    do {
        try await log.createTopics(topics)
        try await body(log, server)
    } catch {
        await log.close()
        throw error
    }
    await log.close()
}
