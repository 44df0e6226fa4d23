public import EventLog
public import HTTP
import LogViews
import Postgres
import Wire

extension Problem {
    /// The answer to a client when the log fails.
    public init(_ error: EventLogError) {
        switch error.code {
        case .backPressure:
            self.init(
                .logBehind, "Too much is waiting; send again.", retryAfterSeconds: 1)
        case .storageFull: self = .storageFull
        case .tooLarge:
            self.init(.recordTooLarge, "The record is larger than the log accepts: shorten it.")
        case .unknownOutcome:
            self.init(
                .outcomeUnknown,
                "It is unknown which records were stored; send the same ids again.",
                retryAfterSeconds: 1)
        default:
            self.init(
                .logUnreachable, "The log can't be reached; send the same again.",
                retryAfterSeconds: 2)
        }
    }

    /// The answer when the database can't store a value; nil for any other error.
    init?(notStorable error: any Error) {
        if let error = error as? RecordTooLarge {
            let detail = "It would have \(error.byteCount) bytes; send at most \(error.limit)."
            if error.topic == Topic.site.name {
                self.init(.siteDocumentTooLarge, detail)
            } else {
                self.init(.eventTooLarge, detail)
            }
            return
        }
        guard let error = error as? PostgresError, error.isOfTheValue else { return nil }
        self.init(
            .notStorable,
            "The request holds a value that can't be stored, such as the character U+0000.")
    }

    private static let storageFull = Problem(
        .storageFull, "The server's disk is full; send the same again later.",
        retryAfterSeconds: 30)

    /// The answer to an error that passes by itself; nil for any other error.
    init?(unavailable error: any Error) {
        switch error {
        case let error as PostgresError where error.isUndefinedTable:
            // The tables are made while the service starts.
            self = .starting
        case let error as PostgresError where error.isStorageFull: self = .storageFull
        case let error as PostgresError where error.isRetriable:
            self.init(
                .databaseUnreachable, "The database can't be reached; try again.",
                retryAfterSeconds: 2)
        case let error as EventLogError where error.isRetriable: self.init(error)
        default: return nil
        }
    }
}
