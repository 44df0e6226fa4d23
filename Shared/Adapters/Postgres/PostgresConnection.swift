import Threads

/// One connection to PostgreSQL. It is an actor on a thread of its own, since libpq blocks.
///
/// It connects at first use, and again after the connection was lost. A transaction never continues
/// on a new connection. Tasks that need transactions each use a connection from a `PostgresPool`.
public actor PostgresConnection {
    private let thread: ThreadExecutor
    private let configuration: PostgresConfiguration
    private var open: PostgresSession?
    private var isInTransaction = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    public init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        thread = ThreadExecutor(name: "postgres")
    }

    /// Writes a megabyte and rolls back, so a full disk throws its error here.
    public func checkRoom() async throws {
        try await withTransaction { connection in
            try connection.execute(
                script: """
                    CREATE TEMP TABLE whereabouts_room ON COMMIT DROP AS
                    SELECT repeat(' ', 400) FROM generate_series(1, 2500)
                    """)
        }
    }

    /// Connects now instead of at first use.
    public func connect() throws(PostgresError) { _ = try session() }

    /// Whether the connection is as good as a new one: connected and without large buffers. A large
    /// value leaves large buffers, and a pool would keep them on all its connections for good.
    public var isWorthKeeping: Bool { open.map { !$0.isBroken && $0.isSmall } ?? false }

    /// Whether the server answers on the existing connection.
    func answers() -> Bool {
        guard let open, !open.isBroken else { return false }
        do { try open.execute(script: "SELECT 1") } catch { self.open = nil }
        return self.open != nil
    }

    /// Runs one statement; see `PostgresSession.query`.
    @discardableResult
    public func query(
        _ sql: String, _ parameters: [PostgresValue] = [], caching: Bool = true
    ) throws(PostgresError) -> PostgresRows {
        try session().query(sql, parameters, caching: caching)
    }

    /// Sends all statements in one round trip; outside a transaction they are all or nothing.
    @discardableResult
    public func pipeline(
        _ statements: [PostgresStatement]
    ) throws(PostgresError) -> [PostgresRows] { try session().pipeline(statements) }

    /// Sends read-only statements in one round trip. If the connection breaks, they are sent once
    /// more on a new one, unless a transaction is open. After a large value the connection is
    /// replaced, so that no large buffer stays.
    @discardableResult
    public func read(
        _ statements: [PostgresStatement]
    ) throws(PostgresError) -> [PostgresRows] {
        defer { if !isInTransaction, !isWorthKeeping { open = nil } }
        do { return try pipeline(statements) } catch
            where open?.isBroken == true
            && !isInTransaction
        {
            return try pipeline(statements)
        }
    }

    /// Runs statements without parameters, separated by semicolons.
    public func execute(script: String) throws(PostgresError) {
        try session().execute(script: script)
    }

    /// Streams rows into a table; see `PostgresSession.copyIn`. `fill` runs on this actor's thread.
    @discardableResult
    public func copyIn(
        _ sql: String, format: PostgresCopyFormat = .binary,
        fill: @Sendable (inout PostgresCopyBuffer) throws -> Bool
    ) throws -> Int { try session().copyIn(sql, format: format, fill: fill) }

    /// Streams rows out of a table; see `PostgresSession.copyOut`.
    public func copyOut(
        _ sql: String, receive: @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) throws { try session().copyOut(sql, receive: receive) }

    /// Gives the statements of the open transaction another `statementTimeout`, on the server and
    /// here.
    public func setStatementTimeout(_ longest: Duration) throws(PostgresError) {
        guard isInTransaction else { throw .misuse("no transaction is open") }
        let session = try session()
        try session.execute(
            script: "SET LOCAL statement_timeout = \(longest.milliseconds)")
        session.statementTimeout = longest
    }

    /// Runs several calls without switching threads between them.
    public func withSession<Result: Sendable>(
        _ body: @Sendable (PostgresSession) throws -> Result
    ) throws -> Result { try body(session()) }

    /// Runs the body in a transaction: commits when it returns, rolls back when it throws. Inside,
    /// the connection's calls need no `await`. A connection lost during the commit leaves the
    /// outcome unknown (`isConnectionLost`).
    ///
    /// Without `waitingForDisk`, a server that crashes may lose the last moments' transactions,
    /// each as a whole and in order. Use it for data that can be made again.
    public func withTransaction<Result: Sendable>(
        waitingForDisk: Bool = true,
        _ body: @Sendable (isolated PostgresConnection) async throws -> Result
    ) async throws -> Result {
        guard !isInTransaction else {
            throw PostgresError.misuse("a transaction is under way on this connection")
        }
        let begin = waitingForDisk ? "BEGIN" : "BEGIN; SET LOCAL synchronous_commit = off"
        try session().execute(script: begin)
        isInTransaction = true
        defer {
            isInTransaction = false
            open?.statementTimeout = configuration.statementTimeout
        }
        do {
            let result = try await body(self)
            try session().execute(script: "COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    public func close() { open = nil }

    /// If even the rollback fails, the connection is closed and the server rolls back by itself.
    private func rollBack() {
        do { try open?.execute(script: "ROLLBACK") } catch { open = nil }
    }

    private func session() throws(PostgresError) -> PostgresSession {
        if let open, isInTransaction ? !open.isBroken : open.isStillOpen() { return open }
        guard !isInTransaction else { throw .connectionLost("lost within a transaction") }
        open = nil
        let session = try PostgresSession(configuration)
        open = session
        return session
    }
}
