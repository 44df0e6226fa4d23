public import EventLog
public import Postgres

extension PostgresError: CausedFault {
    public var cause: FaultCause {
        if isRetriable { return .world }
        return isOfTheValue ? .record : .ours
    }
}
