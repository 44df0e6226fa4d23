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
        try insert(event, connection: connection)
        try SiteEditorSchema.outbox.put(
            [event.withoutNames.record(source: SiteEditorSchema.source)], connection: connection)
    }

    /// Ends the outage of a barrier that the staff dismisses.
    static func end(
        _ id: EventID, by staff: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        guard let known = try row(id, locking: true, connection: connection) else { return }
        let event = try OutageState(reported: known.reported, ended: known.ended)
            .end(by: "staff", ender: staff, at: moment)
        try note(event, connection: connection)
        try SiteEditorSchema.outbox.put(
            [event.withoutNames.record(source: SiteEditorSchema.source)], connection: connection)
    }

    /// An outage that holds now on the connection.
    static func active(
        of site: SiteID, on way: ConnectionID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> OutageReported? {
        try connection.query(
            """
            SELECT id FROM site_editor_names.outages
            WHERE site = $1 AND connection = $2 AND begins_at <= $3 AND ended_at IS NULL
                AND (until_at IS NULL OR until_at > $3)
            ORDER BY id LIMIT 1
            """,
            [
                .text(site.text), .text(way.text), .timestamp(microseconds: moment.microseconds),
            ]
        ).first.flatMap { found in
            let id: [UInt8] = try found["id"]
            return try EventID(bytes: id).flatMap {
                try row($0, connection: connection)?.reported
            }
        }
    }
}
