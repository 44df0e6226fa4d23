import EventLog
public import LogViews
public import Postgres

/// Brings the tables of one outbox up to the log, or a new log up to the tables.
public struct OutboxReconciling: Sendable {
    private let host: Host
    private let outbox: Outbox
    private let order: ReconcileOrder

    public init(host: Host, outbox: Outbox, order: ReconcileOrder) {
        self.host = host
        self.outbox = outbox
        self.order = order
    }

    public typealias Change =
        @Sendable (inout ReconcileReport, isolated PostgresConnection) throws -> Void

    /// - Parameters:
    ///   - newest: the outbox's newest number on the log.
    ///   - unread: the number of records that the tables need and that can't be read.
    ///   - follow: brings the tables up to the log.
    ///   - send: puts all of the tables into the outbox.
    /// - Returns: nil where nothing was to do.
    public func run(
        newest: Int64, unread: Int = 0, follow: @escaping Change, send: @escaping Change
    ) async throws -> ReconcileReport? {
        let pool = host.requiredDatabase()
        let trust = try await TrustTable.read(in: host.log)
        let mark = try await outbox.mark(pool, number: newest)
        let fit = OutboxFit(mark, logID: trust.logID, newest: newest)
        guard try order.isNeeded(fit, of: outbox.schema, unread: unread) else { return nil }
        let logID = try await host.logID(trust, isCheck: order.isCheck)
        let (outbox, order) = (outbox, order)
        do {
            return try await pool.withTransaction { connection in
                var report = ReconcileReport()
                try outbox.holdRelays(connection)
                let dropped = try outbox.settle(
                    on: logID, newest: newest, connection: connection)
                report.count("outboxes", 1)
                report.count("eventsSentBefore", dropped)
                try (order.republishes ? send : follow)(&report, connection)
                if order.isCheck { throw CheckedOnly(report) }
                return report
            }
        } catch let checked as CheckedOnly { return checked.report }
    }
}
