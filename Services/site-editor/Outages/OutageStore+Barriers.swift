import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

extension OutageStore {
    /// Records the outage of a confirmed barrier, in the transaction of the barrier.
    static func add(
        _ report: OutageReported, connection: isolated PostgresConnection
    ) throws {
        let (exists, open) = try circumstances(of: report, connection: connection)
        guard let event = try OutageState().report(report, exists: exists, open: open) else {
            return
        }
        try record(event, connection: connection)
    }

    /// Ends the outage of a barrier that the staff dismisses.
    static func end(
        _ id: EventID, by staff: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        guard let known = try row(id, locking: true, connection: connection) else { return }
        let event = try OutageState(reported: known.reported, ended: known.ended)
            .end(by: "staff", ender: staff, at: moment)
        try record(event, connection: connection)
    }
}
