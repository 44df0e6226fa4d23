import EventLog
import Events
import Postgres
import Site
import Wire

/// The records that the log must hold of site-editor's present rows. A restore puts again what is
/// missing.
enum Announcements {
    static func put(
        _ connection: isolated PostgresConnection, at moment: Timestamp,
        _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
    ) throws {
        let sites: [String] = try connection.query(
            "SELECT id FROM site_editor.sites ORDER BY id"
        ).map { try $0["id"] }
        for site in sites { try put(connection, records(of: SiteID(site), connection)) }
        for record in try AccountStore.recordsOfOpen(at: moment, connection: connection).records
            + TokenStore.recordsOfLive(at: moment, connection: connection)
            + OutageStore.recordsOfAll(connection: connection)
        {
            try put(connection, [record])
        }
    }

    /// A site's document in pieces, and its announcement.
    private static func records(
        of site: SiteID, _ connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        let row = try connection.query(
            "SELECT event, document_hash, document_pieces FROM site_editor.sites WHERE id = $1",
            [.text(site.text)])[0]
        let event: [UInt8] = try row["event"]
        let published = try SitePublished(json: event)
        guard let former = try SiteStore.DocumentOnLog(row) else {
            // An earlier release published it whole.
            var record = published.record(source: SiteEditorSchema.source)
            record.value = event
            return [record]
        }
        let json = published.document.json
        let announced = SiteAnnounced(published, document: json)
        let records =
            SiteDocumentPieces.records(announced, json)
            + [announced.record(source: SiteEditorSchema.source)]
        guard former.hash != announced.hash else { return records }
        // This release writes the same document in other bytes.
        try connection.query(
            """
            UPDATE site_editor.sites SET document_hash = $2, document_pieces = $3 WHERE id = $1
            """, [.text(site.text), .text(announced.hash), .int(announced.pieces)])
        return records + former.tombstones(of: site)
    }
}
