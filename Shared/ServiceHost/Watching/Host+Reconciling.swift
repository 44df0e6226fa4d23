import Cryptography
import EventLog
import Events
import Wire

/// The reason why tables and log are left as they are.
public enum ReconcileRefusal: Error, Hashable, CustomStringConvertible {
    /// With the schema of the tables.
    case anotherLog(String)
    case sameLog(String)

    public var description: String {
        switch self {
        case .anotherLog(let schema):
            """
            the tables of \(schema) belong to another log than this one. If the settings name the \
            wrong server, correct them. If the log is lost, restore a backup; without one, \
            `whereabouts reconcile --republish` puts on this log what the tables have
            """
        case .sameLog(let schema):
            """
            the tables of \(schema) belong to this log and are older: without --republish they are \
            brought up to it
            """
        }
    }
}

extension Host {
    /// The log's id, which it gets here if it has none.
    ///
    /// - Parameter isCheck: whether nothing may be changed.
    public func logID(_ trust: TrustTable, isCheck: Bool) async throws -> String {
        if let known = trust.logID { return known }
        let event = LogIdentified(id: hexadecimal(randomBytes(16)), at: now)
        if !isCheck { try await log.append([event.record(source: "/log")]) }
        return event.id
    }
}
