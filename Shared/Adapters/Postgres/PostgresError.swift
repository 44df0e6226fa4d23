/// An error of PostgreSQL or of the connection to it.
public struct PostgresError: Error, Hashable, CustomStringConvertible {
    /// The five characters of appendix A of PostgreSQL's manual. Empty when the fault is on our
    /// side.
    public var sqlState: String
    public var reason: String
    /// Whether the connection was lost. The running work may or may not be committed.
    public var isConnectionLost: Bool

    public init(sqlState: String, reason: String, isConnectionLost: Bool = false) {
        self.sqlState = sqlState
        self.reason = reason
        self.isConnectionLost = isConnectionLost
    }

    /// Whether the same work may succeed later without any change. This holds for connection faults
    /// (08), serialization and deadlock (40), lack of room or connections (53), and locks (55). It
    /// also holds for shutdown, start and time limits (57), the server's system (58), and a server
    /// that is read-only for now.
    public var isRetriable: Bool {
        if isConnectionLost || isPoolExhausted { return true }
        return Self.retriableClasses.contains(sqlState.prefix(2))
            || Self.retriable.contains(sqlState)
    }

    /// Whether the server refuses this value: wrong data (22), a constraint (23), a program limit
    /// (54).
    public var isOfTheValue: Bool { Self.valueClasses.contains(sqlState.prefix(2)) }

    public var isStorageFull: Bool { sqlState == Self.storageFullState }
    /// Whether the server accepts no writes now: a standby, or one locked by its administrator.
    public var isReadOnly: Bool { sqlState == "25006" }
    public var isUniqueViolation: Bool { sqlState == "23505" }
    public var isCheckViolation: Bool { sqlState == "23514" }
    public var isUndefinedTable: Bool { sqlState == "42P01" }
    /// Whether the server has undone the transaction because of others: by a deadlock (40P01), or
    /// as not serializable (40001).
    var isUndone: Bool { ["40001", "40P01"].contains(sqlState) }
    /// An error by which a transaction asks to be undone and run again.
    public static func runAgain(_ reason: String) -> PostgresError {
        PostgresError(sqlState: "40001", reason: reason)
    }
    /// Whether another session held a lock for longer than the wait.
    public var isLockNotAvailable: Bool { sqlState == "55P03" }
    /// The state of an error about missing rights.
    public static let insufficientPrivilege = "42501"
    /// Whether the server refused the role, its password or its rights.
    public var isNotAuthorized: Bool {
        sqlState.hasPrefix("28") || sqlState == Self.insufficientPrivilege || sqlState == "3D000"
    }
    /// Whether the pool had no free connection in time, or too many callers waited already.
    public var isPoolExhausted: Bool { sqlState == Self.poolExhaustedState }

    public var description: String {
        sqlState.isEmpty ? reason : "\(sqlState): \(reason)"
    }

    private static let retriableClasses: Set<Substring> = ["08", "40", "53", "55", "57", "58"]
    private static let valueClasses: Set<Substring> = ["22", "23", "54"]
    /// States beside the classes: read-only, and ended for idling within a transaction.
    private static let retriable: Set<String> = ["25006", "25P03"]
    static let storageFullState = "53100"
    /// Our own state, in the class that the SQL standard leaves to implementations.
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
