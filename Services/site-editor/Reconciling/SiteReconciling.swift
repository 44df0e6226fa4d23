import Backups
import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// Brings site-editor's tables up to the log, after an older database was put in place. Each topic
/// that the outbox feeds is compacted, so it says how things stand now, and the tables follow it.
struct SiteReconciling: Sendable {
    /// Stands where the id of an account or a token tells who changed something.
    static let author = "reconcile"

    let host: Host
    /// Erasures from beside the backups, where the settings name the place.
    let files: ErasureFiles?
    let order: ReconcileOrder

    private var pool: PostgresPool { host.requiredDatabase() }
    var moment: Timestamp { host.now }

    /// - Returns: nil where nothing was to do.
    func run(
        note: @escaping @Sendable (String) -> Void
    ) async throws -> ReconcileReport? {
        let state = try await LoggedState(host.log, note: note)
        let mark = try await SiteEditorSchema.outbox.mark(pool, number: state.newest)
        let fit = OutboxFit(mark, logID: state.trust.logID, newest: state.newest)
        let erased = try await erasures(state)
        guard try order.isNeeded(fit, of: SiteEditorSchema.name, unread: state.unread) else {
            return try await addErasures(erased)
        }
        let store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        let moment = moment
        let logID = try await host.logID(state.trust, isCheck: order.isCheck)
        return try await changing { connection in
            var report = ReconcileReport()
            let outbox = SiteEditorSchema.outbox
            try outbox.holdRelays(connection)
            let dropped = try outbox.settle(
                on: logID, newest: state.newest, connection: connection)
            report.count("outboxes", 1)
            report.count("eventsSentBefore", dropped)
            if order.republishes {
                try Republishing(state: state, moment: moment, order: order).run(
                    &report, connection)
            } else {
                try SitesFromLog(state: state, moment: moment, store: store).run(
                    &report, connection)
                try TrustFromLog(state: state, moment: moment).run(&report, connection)
                try OutagesFromLog(state: state).run(&report, connection)
            }
            report.count(
                "erasures", try ErasureStore.reapply(erased, by: Self.author, connection))
            return report
        }
    }

    /// Erasures of the log and from beside the backups that may still hide something.
    private func erasures(_ state: LoggedState) async throws -> [DeviceErased] {
        let earliest = moment.advanced(
            byMicroseconds: -host.erasureRetention.components.seconds * 1_000_000)
        let beside = try await files?.all() ?? []
        var known: Set<EventID> = []
        return (state.erased + beside).filter { $0.at >= earliest && known.insert($0.id).inserted }
    }

    /// With its log in PostgreSQL, all of an installation is put back, and only the files beside
    /// the backups tell who was erased since.
    private func addErasures(_ erased: [DeviceErased]) async throws -> ReconcileReport? {
        let report = try await changing { connection in
            var report = ReconcileReport()
            report.count(
                "erasures", try ErasureStore.reapply(erased, by: Self.author, connection))
            return report
        }
        return report.changes.contains { $0.count > 0 } ? report : nil
    }

    private func changing(
        _ change: @escaping @Sendable (isolated PostgresConnection) throws -> ReconcileReport
    ) async throws -> ReconcileReport {
        let isCheck = order.isCheck
        do {
            return try await pool.withTransaction { connection in
                let report = try change(connection)
                if isCheck { throw CheckedOnly(report) }
                return report
            }
        } catch let checked as CheckedOnly { return checked.report }
    }
}

extension PostgresConnection {
    /// The keys of a topic whose events wait in site-editor's outbox.
    func waitingKeys(of topic: Topic) throws -> Set<[UInt8]> {
        Set(
            try query(
                "SELECT key FROM site_editor.outbox WHERE topic = $1", [.text(topic.name)]
            ).map { try $0["key"] })
    }
}
