import CPostgres
import Foundation

/// One blocking connection to the server. Only one thread at a time may use it, and never a thread
/// of the cooperative pool. `PostgresConnection` is an actor around it. Code with its own thread
/// uses the session directly.
public final class PostgresSession {
    let connection: OpaquePointer
    let configuration: PostgresConfiguration
    var prepared: PreparedStatements
    /// As in the configuration, or as the open transaction wants it.
    var statementTimeout: Duration
    /// Whether the session is unusable, so that a new one must be made.
    public internal(set) var isBroken = false

    /// The largest value that leaves the session small. libpq's buffers grow to the largest message
    /// and never shrink.
    static let largestKeptBytes = 128 << 10
    /// Whether no value above `largestKeptBytes` has passed so far.
    var isSmall = true

    /// Connects, within the configuration's time limit.
    public init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        if let fault = PostgresConfiguration.fault(in: configuration.connectionString) {
            throw .misuse("the database's address \(fault)")
        }
        self.configuration = configuration
        statementTimeout = configuration.statementTimeout
        prepared = PreparedStatements(maximum: configuration.maximumPreparedStatements)
        guard configuration.isReadable else {
            throw .misuse(
                "the database's address can't be parsed: percent-encode special characters of the"
                    + " password in DATABASE_URL, or set PGPASSWORD instead")
        }
        guard let connection = Self.open(configuration) else {
            throw .misuse("libpq has no memory for a connection")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            isBroken = true
            throw Self.connectFailure(PQerrorMessage(connection))
        }
        // The session outlives the connection, so this pointer stays valid.
        PQsetNoticeReceiver(
            connection, Self.receiveNotice, Unmanaged.passUnretained(self).toOpaque())
        PQsetnonblocking(connection, 1)
        try execute(script: configuration.setUp)
    }

    deinit { PQfinish(connection) }

    /// The server's process for this session, as in `pg_stat_activity`.
    var serverProcessID: Int32 { PQbackendPID(connection) }

    /// Whether a transaction is open, even a failed one.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(connection)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether the server has kept the idle connection open, so that a statement sent now is not
    /// lost. Costs one system call and no round trip.
    public func isStillOpen() -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // A closed connection is readable, and so are notices. A server that ends first sends a
        // fatal notice and then closes. So notices are read too: the connection still looks open at
        // the first check.
        while !isBroken, poll(&descriptor, 1, 0) > 0 {
            if PQconsumeInput(connection) == 0 || PQstatus(connection) != CONNECTION_OK {
                isBroken = true
            }
            // Makes libpq parse the received bytes, so that the notice receiver is called.
            _ = PQisBusy(connection)
        }
        return !isBroken
    }

    /// Handles notices. The server closes the connection after a fatal one. Others are ignored;
    /// libpq would print them.
    private static let receiveNotice: PQnoticeReceiver = { session, notice in
        guard let session, let notice, isFatal(notice) else { return }
        Unmanaged<PostgresSession>.fromOpaque(session).takeUnretainedValue().isBroken = true
    }

    /// Whether the server closes the connection after this message.
    static func isFatal(_ result: OpaquePointer) -> Bool {
        // The severity in English (`PG_DIAG_SEVERITY_NONLOCALIZED`).
        let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V")))
        return severity.map { ["FATAL", "PANIC"].contains(String(cString: $0)) } ?? false
    }

    /// Runs one statement. With `caching` the statement stays prepared for the next call. Pass
    /// false for generated texts.
    @discardableResult
    public func query(
        _ sql: String, _ parameters: [PostgresValue] = [], caching: Bool = true
    ) throws(PostgresError) -> PostgresRows {
        let statement = PostgresStatement(sql, parameters, caching: caching)
        let fresh = !isInTransaction
        do {
            return try run([statement])[0]
        } catch  where fresh && caching && prepared.forgets(after: error) {
            // The plan was for an older form of a table, so the statement is planned again, once.
            return try run([statement])[0]
        }
    }

    /// Sends all statements at once and waits once. Outside a transaction they are applied all or
    /// none. `beforeEnd` runs after the statements were sent and before their commit.
    @discardableResult
    public func pipeline(
        _ statements: [PostgresStatement], beforeEnd: (() -> Void)? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        statements.isEmpty ? [] : try run(statements, beforeEnd: beforeEnd)
    }

    /// Runs statements without parameters, separated by semicolons; their rows are dropped.
    public func execute(script: String) throws(PostgresError) {
        try begin()
        guard PQsendQuery(connection, script) == 1 else { throw lost() }
        var failure: PostgresError?
        while let result = try nextResult(until: deadline()) {
            defer { PQclear(result) }
            if let error = error(in: result) { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    func begin() throws(PostgresError) {
        guard !isBroken else { throw .connectionLost("the connection was lost before") }
    }

    private static func open(_ configuration: PostgresConfiguration) -> OpaquePointer? {
        let pairs = configuration.keywords
        let keys = pairs.map { strdup($0.0) }
        let values = pairs.map { strdup($0.1) }
        defer { for string in keys + values { free(string) } }
        let nullEnded = { (strings: [UnsafeMutablePointer<CChar>?]) in
            strings.map { UnsafePointer($0) } + [nil]
        }
        return PQconnectdbParams(nullEnded(keys), nullEnded(values), 1)
    }

    /// libpq's message, which may have several lines, as one line.
    static func oneLine(_ message: UnsafePointer<CChar>?) -> String {
        message.map { String(cString: $0) }?.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ") ?? ""
    }

    /// The error of a failed connect. It has no SQLSTATE, so the message decides between a refusal
    /// and an unreachable server.
    private static func connectFailure(_ message: UnsafePointer<CChar>?) -> PostgresError {
        let text = oneLine(message)
        let refused = ["password authentication", "no pg_hba.conf", "role \"", "Peer authent"]
        if refused.contains(where: text.contains) {
            return PostgresError(sqlState: "28000", reason: text)
        }
        if text.contains("database \""), text.contains("does not exist") {
            return PostgresError(sqlState: "3D000", reason: text)
        }
        return PostgresError(sqlState: "08001", reason: text, isConnectionLost: true)
    }
}

public struct PostgresStatement: Sendable {
    public var sql: String
    public var parameters: [PostgresValue]
    var caching: Bool

    public init(_ sql: String, _ parameters: [PostgresValue] = [], caching: Bool = true) {
        self.sql = sql
        self.parameters = parameters
        self.caching = caching
    }
}
