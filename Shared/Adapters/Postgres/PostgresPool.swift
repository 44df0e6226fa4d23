import Synchronization

/// A limited number of connections, given out in the order of the requests.
public final class PostgresPool: Sendable {
    private let configuration: PostgresConfiguration
    private let maximumConnections: Int
    private let maximumWaiting: Int
    private let waitLimit: Duration
    private let idleLimit: Duration
    private let state = Mutex(State())

    private struct Idle {
        var connection: PostgresConnection
        var since: ContinuousClock.Instant
    }
    private struct Waiter {
        var number: Int
        var continuation: CheckedContinuation<Taken, any Error>
    }
    private enum Taken {
        case idle(Idle)
        case new
    }
    private struct State {
        var idle: [Idle] = []
        var inUse = 0
        var waiting: [Waiter] = []
        var asked = 0
        var backOff = BackOff(first: .milliseconds(50), longest: .seconds(5))
        var isClosed = false

        mutating func acquireNow(_ maximumConnections: Int) throws -> Taken? {
            if isClosed { throw PostgresPool.closed }
            if let idle = idle.popLast() {
                inUse += 1
                return .idle(idle)
            }
            guard inUse < maximumConnections else { return nil }
            inUse += 1
            return .new
        }

        /// Removes the connections that were idle since before the moment. The last one returned is
        /// lent first, so the first ones have been idle longest.
        mutating func removeRested(_ moment: ContinuousClock.Instant) -> [Idle] {
            let rested = Array(idle.prefix { $0.since < moment })
            idle.removeFirst(rested.count)
            return rested
        }
    }

    /// The pool has at most `maximumConnections`. At most `maximumWaiting` tasks wait for one, each
    /// for `waitLimit`. A connection idle for `idleLimit` is closed when another is returned,
    /// because each is a process of the server with memory for prepared statements.
    public init(
        _ configuration: PostgresConfiguration, maximumConnections: Int = 8,
        maximumWaiting: Int = 256, waitLimit: Duration = .seconds(10),
        idleLimit: Duration = .seconds(30)
    ) {
        self.configuration = configuration
        self.maximumConnections = max(1, maximumConnections)
        self.maximumWaiting = maximumWaiting
        self.waitLimit = waitLimit
        self.idleLimit = idleLimit
    }

    /// Lends a connection to the body. While the server can't be reached, the pool connects after
    /// growing pauses. Calls in between fail at once with the last error.
    public func withConnection<Result: Sendable>(
        _ body: @Sendable (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await acquire()
        do {
            let result = try await body(connection)
            giveBack(connection, keeping: await connection.isWorthKeeping)
            return result
        } catch {
            giveBack(connection, keeping: await connection.isWorthKeeping)
            throw error
        }
    }

    /// Lends a connection and runs the body in a transaction on it; see
    /// `PostgresConnection.withTransaction`.
    ///
    /// - Parameter attempts: how often the body may run. It runs again after a deadlock, or if the
    ///   server or itself calls the transaction not serializable. Nothing of the former attempt is
    ///   stored then. A body that may run again has no effects outside of the database.
    public func withTransaction<Result: Sendable>(
        waitingForDisk: Bool = true, attempts: Int = 1,
        _ body: @Sendable (isolated PostgresConnection) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await withConnection {
                    try await $0.withTransaction(waitingForDisk: waitingForDisk, body)
                }
            } catch let error as PostgresError where error.isUndone && attempt < attempts {
                attempt += 1
            }
        }
    }

    @discardableResult
    public func query(
        _ sql: String, _ parameters: [PostgresValue] = []
    ) async throws -> PostgresRows {
        try await withConnection { try await $0.query(sql, parameters) }
    }

    /// Whether a table, which has a column `site`, has a row of the site.
    ///
    /// - Parameter table: its name with its schema, as part of the statement.
    public func hasRows(ofSite site: String, in table: String) async throws -> Bool {
        try await read(
            "SELECT EXISTS (SELECT FROM \(table) WHERE site = $1) AS has", [.text(site)]
        )[0]["has"]
    }

    /// The same for the rows of a site that have this text in a column.
    ///
    /// - Parameters:
    ///   - column: its name, as part of the statement.
    ///   - table: its name with its schema, as part of the statement.
    public func hasRows(
        ofSite site: String, with text: String, in column: String, of table: String
    ) async throws -> Bool {
        try await read(
            "SELECT EXISTS (SELECT FROM \(table) WHERE site = $1 AND \(column) = $2) AS has",
            [.text(site), .text(text)]
        )[0]["has"]
    }

    /// Runs one statement that changes nothing on any connection; see `PostgresConnection.read`.
    public func read(
        _ sql: String, _ parameters: [PostgresValue] = []
    ) async throws -> PostgresRows {
        let statement = PostgresStatement(sql, parameters)
        return try await withConnection { try await $0.read([statement])[0] }
    }

    /// A connection outside the pool, for state that belongs to a session, such as a lock. The
    /// caller closes it.
    ///
    /// - Parameters:
    ///   - statementTimeout: nil for that of the pool's connections.
    ///   - settings: server settings in addition to those of the pool's connections.
    public func separateConnection(
        statementTimeout: Duration? = nil, settings: [String: String] = [:]
    ) -> PostgresConnection {
        var configuration = configuration
        configuration.statementTimeout = statementTimeout ?? configuration.statementTimeout
        configuration.settings.merge(settings) { $1 }
        return PostgresConnection(configuration)
    }

    /// A named lock with a session of its own; see `SessionLock`.
    public func sessionLock(_ name: String, silence: Duration? = nil) -> SessionLock {
        SessionLock(name, configuration, silence: silence)
    }

    /// Closes the pool. Later calls fail, and lent connections close when they are returned.
    public func close() async {
        let (idle, waiting) = state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.waiting) = ([], []) }
            return (state.idle, state.waiting)
        }
        for waiter in waiting { waiter.continuation.resume(throwing: Self.closed) }
        for idle in idle { await idle.connection.close() }
    }

    private static let closed = PostgresError.poolExhausted("the pool is closed")
    private static let healthCheckAfter = Duration.seconds(10)

    private func acquire() async throws -> PostgresConnection {
        switch try await slot() {
        case .idle(let idle):
            if ContinuousClock.now - idle.since < Self.healthCheckAfter { return idle.connection }
            return try await opened(idle.connection, checking: true)
        case .new: return try await opened(PostgresConnection(configuration), checking: false)
        }
    }

    /// Connects, or checks that an idle connection still works and reconnects if not.
    private func opened(
        _ connection: PostgresConnection, checking: Bool
    ) async throws -> PostgresConnection {
        do {
            if let failure = state.withLock({ $0.backOff.failure(at: .now) }) { throw failure }
            let stands = checking ? await connection.answers() : false
            if !stands { try await connection.connect() }
            state.withLock { $0.backOff.succeeded() }
            return connection
        } catch {
            if let error = error as? PostgresError {
                state.withLock { $0.backOff.failed(with: error, at: .now) }
            }
            giveBack(connection, keeping: false)
            throw error
        }
    }

    /// A place among the connections: an idle connection or the right to open one, possibly after a
    /// wait.
    private func slot() async throws -> Taken {
        if let acquired = try state.withLock({ try $0.acquireNow(maximumConnections) }) {
            return acquired
        }
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        let timeout = Task { [weak self, waitLimit] in
            try await Task.sleep(for: waitLimit)
            self?.giveUp(number)
        }
        defer { timeout.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state in
                    Swift.Result { () throws -> Taken? in
                        if let taken = try state.acquireNow(maximumConnections) { return taken }
                        if Task.isCancelled { throw CancellationError() }
                        guard state.waiting.count < maximumWaiting else {
                            throw PostgresError.poolExhausted("too many tasks wait already")
                        }
                        state.waiting.append(Waiter(number: number, continuation: continuation))
                        return nil
                    }
                }
                switch answer {
                case .success(let taken?): continuation.resume(returning: taken)
                case .success(nil): break
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(
            throwing: PostgresError.poolExhausted("no connection became free in time"))
    }

    private func giveBack(_ connection: PostgresConnection, keeping: Bool) {
        let idle = Idle(connection: connection, since: .now)
        // The removed connections close when they are released, after the lock.
        let (next, _) = state.withLock { state -> ((Waiter, Taken)?, [Idle]) in
            let rested = state.removeRested(idle.since - idleLimit)
            if !state.waiting.isEmpty {
                return ((state.waiting.removeFirst(), keeping ? .idle(idle) : .new), rested)
            }
            state.inUse -= 1
            if keeping, !state.isClosed { state.idle.append(idle) }
            return (nil, rested)
        }
        if let (waiter, taken) = next { waiter.continuation.resume(returning: taken) }
    }
}
