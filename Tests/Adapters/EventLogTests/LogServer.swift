import EventLog
import Foundation
import KafkaLog
import MemoryLog
import Postgres
import PostgresLog
import Synchronization
import TestSupport

/// The kinds of log that must pass the contract suite.
enum LogKind: String, CaseIterable, Sendable {
    case memory, postgres, kafka

    /// The kinds whose server is available. For the others it prints the reason.
    static let available: [LogKind] = allCases.filter { kind in
        let missing = kind == .postgres ? PrivatePostgres.obstacle : nil
        if let obstacle = LogsToTest.obstacle(kind.rawValue) ?? missing {
            print("skipped: the log of kind \(kind), \(obstacle)")
            return false
        }
        return kind != .kafka || RealKafka.shared != nil
    }

    /// The kinds whose members can be processes that a test kills and stops. Logs in memory end
    /// with their process.
    static let ofProcesses = available.filter { kind in
        if kind == .memory { print("skipped: a log in memory has no processes that die") }
        return kind != .memory
    }
}

/// An empty server, and ways to open logs on it.
struct LogServer: Sendable {
    private enum Server: Sendable {
        case memory(MemoryLogServer, LeapingTime)
        case postgres(PrivatePostgres, PostgresConfiguration)
        case kafka(RealKafka)
    }
    private let server: Server
    private let prefix: String

    /// With `own` it starts a server that the test may kill. Otherwise it uses a new part of the
    /// server that all tests share.
    init(_ kind: LogKind, own: Bool = false) async throws {
        prefix = "test-\(UUID().uuidString)."
        switch kind {
        case .memory:
            let time = LeapingTime()
            // A member is silent only when a test makes the time jump, however loaded the machine
            // is.
            server = .memory(
                MemoryLogServer(sessionTimeout: .seconds(600), now: { time.now }), time)
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

    /// How long a member may be silent in tests that don't wait for the end of a session. A loaded
    /// machine does not reach it.
    static let patience = Duration.seconds(60)

    /// - Parameter session: how long a member may be silent before it loses its partitions; nil
    ///   leaves what the program ships with. In memory only `outlastSessions` ends sessions.
    func open(session: Duration? = patience) throws -> any EventLog {
        try open(maximumQueuedRecords: nil, session)
    }

    /// Makes idle members lose their partitions. Where the test controls the time, the time jumps.
    func outlastSessions() {
        guard case .memory(let server, let time) = server else { return }
        time.leap(.seconds(601))
        server.timePassed()
    }

    /// Delays appends while the body runs, where that is possible.
    func whileBusy<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard case .memory(let server, _) = server else { return try await body() }
        server.holdAppends()
        defer { server.resumeAppends() }
        return try await body()
    }

    func openNarrow() throws -> any EventLog { try open(maximumQueuedRecords: 10, Self.patience) }

    private func open(
        maximumQueuedRecords limit: Int?, _ session: Duration?
    ) throws -> any EventLog {
        switch server {
        case .memory(let server, _):
            return NamespacedLog(
                log: MemoryLog(server, maximumQueuedRecords: limit ?? 50_000), prefix: prefix)
        case .postgres(_, let database):
            var settings = PostgresLogSettings(database)
            if let limit { settings.maximumQueuedRecords = limit }
            if let session { settings.sessionTimeout = session }
            return NamespacedLog(log: PostgresLog(settings), prefix: prefix)
        case .kafka(let kafka):
            var settings: [String: String] = [:]
            if let session {
                // librdkafka wants the pause between polls to be at least the session.
                let milliseconds = session.components.seconds * 1_000
                settings["session.timeout.ms"] = "\(milliseconds)"
                settings["max.poll.interval.ms"] = "\(milliseconds + 1)"
            }
            if let limit { settings["queue.buffering.max.messages"] = "\(limit)" }
            let log = try KafkaLog(
                bootstrapServers: kafka.bootstrapServers, settings: settings,
                onUnexpected: { print("Kafka log: \($0)") })
            return NamespacedLog(log: log, prefix: prefix)
        }
    }

    /// Starts a process that copies one topic to the other as a member of the group.
    func startProbe(
        group: String, from input: String, to output: String, fault: String? = nil
    ) throws -> ServerProcess {
        var words = [builtProgram("log-probe")]
        switch server {
        case .memory: throw TestServerError("a log in memory has no other processes")
        case .postgres(_, let database): words += ["postgres", database.connectionString]
        case .kafka(let kafka): words += ["kafka", kafka.bootstrapServers]
        }
        words += [prefix + group, prefix + input, prefix + output]
        var environment = ProcessInfo.processInfo.environment
        environment["WHEREABOUTS_FAULT"] = fault
        return try ServerProcess(words, logPath: "/dev/null", environment: environment)
    }

    /// Kills the server with SIGKILL, like a crash.
    func kill() {
        switch server {
        case .memory(let server, _): server.goAway()
        case .postgres(let postgres, _): postgres.kill()
        case .kafka(let kafka): kafka.crash()
        }
    }

    /// Starts the server again with its stored data.
    func restart() throws {
        switch server {
        case .memory(let server, _): server.comeBack()
        case .postgres(let postgres, _): try postgres.start()
        case .kafka(let kafka): kafka.restart()
        }
    }

    /// Ends a server that belongs to this test.
    func stop() {
        switch server {
        case .memory(let server, _): server.goAway()
        case .postgres(let postgres, _): postgres.stop()
        case .kafka(let kafka): kafka.stop()
        }
    }
}

/// The system's time, which a test can make jump.
final class LeapingTime: Sendable {
    private let ahead = Mutex<Int64>(0)

    var now: Int64 { MemoryLogServer.systemTime() + ahead.withLock { $0 } }

    func leap(_ duration: Duration) {
        ahead.withLock { $0 += duration.components.seconds * 1_000_000 }
    }
}

/// Opens a log on a new server and closes it after the body.
func withLog(
    _ kind: LogKind, _ topics: [TopicSpecification] = [], session: Duration? = LogServer.patience,
    _ body: (any EventLog, LogServer) async throws -> Void
) async throws {
    let server = try await LogServer(kind)
    let log = try server.open(session: session)
    do {
        try await log.createTopics(topics)
        try await body(log, server)
    } catch {
        await log.close()
        throw error
    }
    await log.close()
}
