/// What PostgreSQL, or the way to it, refused.
public struct PostgresError: Error, Hashable, CustomStringConvertible {
    /// The five characters of appendix A of PostgreSQL's manual; empty when the fault is on our
    /// side.
    public var sqlState: String
    public var reason: String
    /// The connection is gone; what was under way may or may not have been committed.
    public var isConnectionLost: Bool

    public init(sqlState: String, reason: String, isConnectionLost: Bool = false) {
        self.sqlState = sqlState
        self.reason = reason
        self.isConnectionLost = isConnectionLost
    }

    /// The same work may succeed later without anything being changed here: connection faults (08),
    /// serialization and deadlock (40), lack of room or connections (53), locks (55), shutdown,
    /// start and time limits (57), the server's own system (58), a server that is read-only for
    /// now.
    public var isRetriable: Bool {
        if isConnectionLost || isPoolExhausted { return true }
        return Self.retriableClasses.contains(sqlState.prefix(2))
            || Self.retriable.contains(sqlState)
    }

    /// The server takes no such value: wrong data (22), a constraint (23), a limit of the program
    /// (54).
    public var isOfTheValue: Bool { Self.valueClasses.contains(sqlState.prefix(2)) }

    /// The server's disk is full.
    public var isStorageFull: Bool { sqlState == Self.storageFullState }
    /// The server takes no writes now: a standby, or one that its keeper has locked.
    public var isReadOnly: Bool { sqlState == "25006" }
    public var isUniqueViolation: Bool { sqlState == "23505" }
    public var isCheckViolation: Bool { sqlState == "23514" }
    public var isUndefinedTable: Bool { sqlState == "42P01" }
    /// Somebody else has the lock, and we would not wait for longer.
    public var isLockNotAvailable: Bool { sqlState == "55P03" }
    /// The server refused who we are or what we may do.
    public var isNotAuthorized: Bool {
        sqlState.hasPrefix("28") || sqlState == "42501" || sqlState == "3D000"
    }
    /// The pool had no connection to give in time, or too many were waiting already.
    public var isPoolExhausted: Bool { sqlState == Self.poolExhaustedState }

    public var description: String {
        sqlState.isEmpty ? reason : "\(sqlState): \(reason)"
    }

    private static let retriableClasses: Set<Substring> = ["08", "40", "53", "55", "57", "58"]
    private static let valueClasses: Set<Substring> = ["22", "23", "54"]
    /// Read-only, and ended for idling within a transaction.
    private static let retriable: Set<String> = ["25006", "25P03"]
    static let storageFullState = "53100"
    /// A state of our own, in the class that the SQL standard leaves to implementations.
    private static let poolExhaustedState = "WP001"

    static func connectionLost(_ reason: String) -> PostgresError {
        PostgresError(sqlState: "08006", reason: reason, isConnectionLost: true)
    }
    static func poolExhausted(_ reason: String) -> PostgresError {
        PostgresError(sqlState: poolExhaustedState, reason: reason)
    }
    static func misuse(_ reason: String) -> PostgresError {
        PostgresError(sqlState: "", reason: reason)
    }
}
