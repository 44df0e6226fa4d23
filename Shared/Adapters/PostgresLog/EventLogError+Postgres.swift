import EventLog
import Postgres

extension EventLogError {
    /// Maps a database error to an error of the log. `outcomeMatters` is true where the error may
    /// have come after a commit was sent.
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
        // A statement over its time limit (57014) was rolled back.
        return error.isRetriable || error.sqlState == "57014" ? .unavailable : .other
    }

    /// The SQL state that `log.commit_group` raises for a member without the partition.
    static let fencedState = "WL001"
}
