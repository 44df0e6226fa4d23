public import EventLog
public import HTTP
public import Postgres

// A database or a log that is away for a moment is no fault of the server.
extension PostgresError: PassingError {}
extension EventLogError: PassingError {}
