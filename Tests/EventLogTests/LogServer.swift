import EventLog
import Postgres
import PostgresLog
import TestSupport

/// The kinds of log that pass the contract.
enum LogKind: String, CaseIterable, Sendable {
    case postgres

    /// Those whose server is installed here; the others say why they are left out.
    static let available: [LogKind] = allCases.filter { kind in
        if let reason = kind.absence { print("skipped: \(kind.rawValue) log: \(reason)") }
        return kind.absence == nil
    }

    private var absence: String? {
        switch self {
        case .postgres: PrivatePostgres.isInstalled ? nil : "PostgreSQL is not installed"
        }
    }
}

/// A server with nothing in it, and ways to open logs on it.
struct LogServer: Sendable {
    let kind: LogKind
    let postgres: PrivatePostgres
    let database: PostgresConfiguration

    /// With `own`, a server that the test may kill; else a fresh part of the one that all share.
    init(_ kind: LogKind, own: Bool = false) async throws {
        self.kind = kind
        postgres = try own ? PrivatePostgres() : PrivatePostgres.shared()
        database = try await postgres.makeDatabase()
    }

    func open() -> any EventLog { PostgresLog(database) }

    /// A log whose queue holds ten records.
    func openNarrow() -> any EventLog {
        var settings = PostgresLogSettings(database)
        settings.maximumQueuedRecords = 10
        return PostgresLog(settings)
    }

    func kill() { postgres.kill() }
    func start() throws { try postgres.start() }
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
