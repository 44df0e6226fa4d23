import EventLog
import LogViews
import Postgres
import ServiceHost

/// Brings the tables of one outbox up to the log, or a new log up to the tables.
struct OutboxReconciling: Sendable {
    let host: Host
    let outbox: Outbox
    let republish: Bool
    let isCheck: Bool

    typealias Change =
        @Sendable (inout ReconcileReport, isolated PostgresConnection) throws -> Void

    /// - Parameters:
    ///   - newest: the outbox's newest number on the log.
    ///   - follow: brings the tables up to the log.
    ///   - send: puts all of the tables into the outbox.
    /// - Returns: nil where nothing was to do.
    func run(
        newest: Int64, follow: @escaping Change, send: @escaping Change
    ) async throws -> ReconcileReport? {
        let pool = host.requiredDatabase()
        let trust = try await TrustTable.read(in: host.log)
        let mark = try await outbox.mark(pool, number: newest)
        switch OutboxFit(mark, logID: trust.logID, newest: newest) {
        case .fits, .new: return nil
        case .anotherLog:
            guard republish else { throw ReconcileRefusal.anotherLog(outbox.schema) }
        case .behind:
            guard !republish else { throw ReconcileRefusal.sameLog(outbox.schema) }
        }
        let logID = try await host.logID(trust, isCheck: isCheck)
        let (outbox, republish, isCheck) = (outbox, republish, isCheck)
        do {
            return try await pool.withTransaction { connection in
                var report = ReconcileReport()
                try outbox.holdRelays(connection)
                let dropped = try outbox.settle(
                    on: logID, newest: newest, connection: connection)
                report.count("outboxes", 1)
                report.count("eventsSentBefore", dropped)
                try (republish ? send : follow)(&report, connection)
                if isCheck { throw CheckedOnly(report) }
                return report
            }
        } catch let checked as CheckedOnly { return checked.report }
    }
}
