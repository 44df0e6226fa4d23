import EventLog
import Postgres

extension EventLogError {
    /// What a fault of the database means to the log's user. `outcomeMatters` is true where the
    /// fault may have come after a commit was asked for.
    init(_ error: any Error, outcomeMatters: Bool = false) {
        switch error {
        case let error as EventLogError: self = error
        case let error as PostgresError:
            self.init(Self.code(of: error, outcomeMatters: outcomeMatters), error.description)
        case is CancellationError: self.init(.unavailable, "the task was cancelled")
        default: self.init(.other, String(describing: error))
        }
    }

    private static func code(of error: PostgresError, outcomeMatters: Bool) -> Code {
        if error.sqlState == fencedState { return .fenced }
        if error.isConnectionLost { return outcomeMatters ? .unknownOutcome : .unavailable }
        if error.isStorageFull { return .storageFull }
        if error.isNotAuthorized { return .notAuthorized }
        // A statement that took too long (57014) was rolled back.
        return error.isRetriable || error.sqlState == "57014" ? .unavailable : .other
    }

    /// Raised by `log.commit_group`.
    static let fencedState = "WL001"
}
