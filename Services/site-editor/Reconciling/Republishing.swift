import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// Puts everything of the tables on a log that does not have it, because the one before is lost.
/// Records of another installation on that log go, above all its tokens.
struct Republishing {
    let state: LoggedState
    let moment: Timestamp
    var order = ReconcileOrder(republishes: true)

    func run(_ report: inout ReconcileReport, _ connection: isolated PostgresConnection) throws {
        try sites(&report, connection)
        try trust(&report, connection)
        let outages = try OutageStore.recordsOfAll(connection: connection)
        try put(outages, connection)
        report.count("outages", outages.count)
        for event in try ErasureStore.all(connection) {
            try put(ErasureStore.records(of: event), connection)
        }
        report.note(
            "surveys, scans, positions and visits are on the lost log alone: only a backup has them"
        )
    }

    private func put(
        _ records: [LogRecord], _ connection: isolated PostgresConnection
    ) throws { try SiteEditorSchema.outbox.put(records, connection: connection) }

    private func sites(
        _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        // Readers skip a version that is no newer than the one they know.
        let logged = state.unreadable.union(state.versions.keys)
        for site in logged.sorted(by: { $0.text < $1.text }) {
            try put([SiteAnnouncements.clearing(site)], connection)
        }
        let ids: [String] = try connection.query("SELECT id FROM site_editor.sites ORDER BY id")
            .map { try $0["id"] }
        for id in ids {
            // One at a time: documents are large.
            let value: [UInt8] = try connection.query(
                "SELECT event FROM site_editor.sites WHERE id = $1", [.text(id)])[0]["event"]
            let event = try SitePublished(json: value)
            let json = event.document.json
            let announced = SiteAnnounced(event, document: json)
            try put(SiteDocumentPieces.records(announced, json), connection)
            try put([announced.record(source: SiteEditorSchema.source)], connection)
            try connection.query(
                """
                UPDATE site_editor.sites SET document_hash = $2, document_pieces = $3 WHERE id = $1
                """,
                [
                    .text(id), .text(announced.hash),
                    .int32(Int32(clamping: announced.pieces)),
                ])
        }
        report.count("sites", ids.count)
    }

    private func trust(
        _ report: inout ReconcileReport, _ connection: isolated PostgresConnection
    ) throws {
        let names =
            Array(state.trust.tokens.keys)
            + state.trust.accounts.keys.map { AccountChanged.keyPrefix + $0.description }
            + state.trust.sessionKeys.keys.map { SessionKeyMade.keyPrefix + $0 }
        let keys = state.trust.unreadable.union(names.map { Array($0.utf8) })
        try put(keys.map { .tombstone(of: .tokens, $0) }, connection)
        let tokens = try TokenStore.recordsOfLive(at: moment, connection: connection)
        let (accounts, unread) = try AccountStore.recordsOfOpen(
            at: moment, connection: connection)
        // Their roles are nowhere but in the tables, and this release can't put them on the log.
        try order.check(unread: unread, of: SiteEditorSchema.name)
        if unread > 0 {
            report.note("\(unread) people are not on the new log: give them roles")
        }
        // A new key is made at once, and people sign in again.
        try connection.query("DELETE FROM site_editor.session_keys")
        try put(tokens + accounts, connection)
        report.count("tokens", tokens.count)
        report.count("accounts", accounts.count)
    }
}
