import CPostgres
import Foundation

/// One connection to the server, blocking: whoever uses it does so from one thread at a time, and
/// not from the cooperative pool. `PostgresConnection` is the actor round it; code that has a
/// thread of its own uses it bare.
public final class PostgresSession {
    let connection: OpaquePointer
    let configuration: PostgresConfiguration
    var prepared: PreparedStatements
    /// The session can't be used any more; make another.
    public internal(set) var isBroken = false

    /// A larger value makes libpq's buffers large: they grow to the largest message, and never
    /// shrink.
    static let largestKeptBytes = 128 << 10
    /// Whether none has passed so far.
    var isSmall = true

    /// Connects, waiting at most for the configuration's time.
    public init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        if let fault = PostgresConfiguration.fault(in: configuration.connectionString) {
            throw .misuse("the database's address \(fault)")
        }
        self.configuration = configuration
        prepared = PreparedStatements(maximum: configuration.maximumPreparedStatements)
        guard configuration.isReadable else {
            throw .misuse(
                "the address of the database can't be read: percent-encode what is special in its"
                    + " password (DATABASE_URL), or give that in PGPASSWORD")
        }
        guard let connection = Self.open(configuration) else {
            throw .misuse("libpq has no memory for a connection")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            isBroken = true
            throw Self.connectFailure(PQerrorMessage(connection))
        }
        // The session outlives the connection, so the pointer stays good.
        PQsetNoticeReceiver(
            connection, Self.receiveNotice, Unmanaged.passUnretained(self).toOpaque())
        PQsetnonblocking(connection, 1)
        try execute(script: configuration.setUp)
    }

    deinit { PQfinish(connection) }

    /// The process that serves us, as in `pg_stat_activity`.
    var serverProcessID: Int32 { PQbackendPID(connection) }

    /// A transaction is open, perhaps failed.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(connection)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether the server has not closed the connection while nothing was under way, so that a
    /// statement sent now is not lost for that. Costs one system call, no round trip.
    public func isStillOpen() -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // Closed connections are readable, and so are notices, among them the server's last word
        // before it closes: a server that ends says so first, and a look at that alone would find
        // the connection open.
        while !isBroken, poll(&descriptor, 1, 0) > 0 {
            if PQconsumeInput(connection) == 0 || PQstatus(connection) != CONNECTION_OK {
                isBroken = true
            }
            // Has libpq read what came, so that the notice's receiver is called.
            _ = PQisBusy(connection)
        }
        return !isBroken
    }

    /// A fatal notice is the server's last word. Others go unheard; libpq would print them.
    private static let receiveNotice: PQnoticeReceiver = { session, notice in
        guard let session, let notice, isFatal(notice) else { return }
        Unmanaged<PostgresSession>.fromOpaque(session).takeUnretainedValue().isBroken = true
    }

    /// The server closes the connection after this message.
    static func isFatal(_ result: OpaquePointer) -> Bool {
        // The severity in English (`PG_DIAG_SEVERITY_NONLOCALIZED`).
        let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V")))
        return severity.map { ["FATAL", "PANIC"].contains(String(cString: $0)) } ?? false
    }

    /// Runs one statement. With `caching` the statement stays prepared for the next time; say false
    /// for texts that are made up on the spot.
    @discardableResult
    public func query(
        _ sql: String, _ parameters: [PostgresValue] = [], caching: Bool = true
    ) throws(PostgresError) -> PostgresRows {
        let statement = PostgresStatement(sql, parameters, caching: caching)
        let fresh = !isInTransaction
        do {
            return try run([statement])[0]
        } catch  where fresh && caching && prepared.forgets(after: error) {
            // The plan was made for a table that has changed since; plan again, once.
            return try run([statement])[0]
        }
    }

    /// Sends all statements at once and waits once. Outside a transaction they are one: all or
    /// nothing. `beforeEnd` runs when they are on their way and their commit is not.
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

    /// libpq's words, which may take several lines.
    static func oneLine(_ message: UnsafePointer<CChar>?) -> String {
        message.map { String(cString: $0) }?.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ") ?? ""
    }

    /// A failed connect carries no SQLSTATE; the words tell a refusal from an absence.
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

/// A statement and its parameters.
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
