import Cryptography
import EventLog
import Events
public import LogViews
import Wire

/// The reason why tables and log are left as they are.
public enum ReconcileRefusal: Error, Hashable, CustomStringConvertible {
    /// With the schema of the tables.
    case anotherLog(String)
    case sameLog(String)
    /// With the number of records that can't be read.
    case unread(String, Int)

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
        case .unread(let schema, let count):
            """
            \(count) records for the tables of \(schema), or rows of them, can't be read: a later \
            release wrote them, or they are damaged. Reconcile with the latest release that ever \
            ran here. A reconcile reads each record once, so what is left out now stays out; \
            `whereabouts reconcile --leave-unread` does that
            """
        }
    }
}

/// The wishes of the administrator who reconciles.
public struct ReconcileOrder: Sendable {
    /// Whether the tables are right, and the log is a new one.
    public var republishes: Bool
    /// Whether everything is undone at the end.
    public var isCheck: Bool
    /// Whether records that can't be read are left out for ever.
    public var leavesUnread: Bool

    public init(republishes: Bool = false, isCheck: Bool = false, leavesUnread: Bool = false) {
        self.republishes = republishes
        self.isCheck = isCheck
        self.leavesUnread = leavesUnread
    }

    /// Whether the tables have to be reconciled with the log.
    ///
    /// - Parameters:
    ///   - unread: the number of records on the log that can't be read.
    /// - Throws: `ReconcileRefusal` where this is not what the order is for.
    public func isNeeded(
        _ fit: OutboxFit, of schema: String, unread: Int
    ) throws(ReconcileRefusal) -> Bool {
        switch fit {
        case .fits, .new: return false
        case .anotherLog:
            guard republishes else { throw .anotherLog(schema) }
        case .behind:
            guard !republishes else { throw .sameLog(schema) }
            try check(unread: unread, of: schema)
        }
        return true
    }

    /// Refuses where records or rows can't be read, unless they are to be left out.
    public func check(unread: Int, of schema: String) throws(ReconcileRefusal) {
        guard leavesUnread || unread == 0 else { throw .unread(schema, unread) }
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
