import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

/// Brings the published sites to the versions that the log has.
struct SitesFromLog {
    let state: LoggedState
    let moment: Timestamp
    let store: SiteStore

    func run(_ report: inout ReconcileReport, _ connection: isolated PostgresConnection) throws {
        let waiting = try connection.waitingKeys(of: .site)
        var known: [SiteID: (version: Int, hash: String?)] = [:]
        for row in try connection.query(
            "SELECT id, version, document_hash FROM site_editor.sites FOR UPDATE")
        {
            known[SiteID(try row["id"])] = (try row["version"], try row["document_hash"])
        }
        for (site, logged) in state.sites.sorted(by: { $0.key.text < $1.key.text }) {
            let before = known[site]
            if let before, before.version == logged.event.version,
                before.hash == logged.announced.hash
            {
                continue
            }
            try bringBack(logged, after: before?.version, &report, connection)
        }
        for (site, version) in state.versions where state.sites[site] == nil {
            report.note("version \(version) of \(site) can't be read on the log: publish it again")
        }
        for site in state.unreadable.sorted(by: { $0.text < $1.text }) {
            report.note("the last record of \(site) on the log can't be read: publish it again")
        }
        for (site, before) in known.sorted(by: { $0.key.text < $1.key.text })
        where state.versions[site] == nil && !state.unreadable.contains(site)
            && !waiting.contains(RecordKey.bytes(site))
        {
            try connection.query(
                "DELETE FROM site_editor.test_versions WHERE site || '.test' = $1",
                [.text(site.text)])
            try store.deleteRows(
                site, version: before.version, by: SiteReconciling.author, at: moment,
                connection: connection)
            report.count("sitesRemoved", 1)
        }
        try noteTests(connection)
    }

    /// Notes for each site that a test of it may have ended just now. The tables don't have a test
    /// that began and ended since the backup, but the log may still have devices of its testers.
    private func noteTests(_ connection: isolated PostgresConnection) throws {
        let sites: [String] = try connection.query(
            "SELECT id FROM site_editor.sites UNION SELECT site FROM site_editor.removed_sites"
        ).map { try $0["id"] }
        let logged = state.unreadable.union(state.versions.keys).union(sites.map(SiteID.init))
        try connection.query(
            """
            INSERT INTO site_editor.removed_sites (site, version, removed_at, removed_by)
            SELECT unnest($1::text[]), 0, $2, $3
            ON CONFLICT (site) DO UPDATE SET removed_at = excluded.removed_at
            """,
            [
                .textArray(logged.compactMap(\.ofTesters?.text).sorted()),
                .timestamp(microseconds: moment.microseconds), .text(SiteReconciling.author),
            ])
    }

    private func bringBack(
        _ logged: LoggedState.LoggedSite, after version: Int?, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        let (event, site) = (logged.event, logged.event.site)
        try SiteStore.lock(site, connection: connection)
        let draft = try store.latestDraft(of: site, connection: connection)
        // Its document may be that of a version which the log has otherwise.
        if let draft { try store.keepWhole(draft, connection: connection) }
        let former: [UInt8]? = try connection.query(
            "SELECT event FROM site_editor.sites WHERE id = $1", [.text(site.text)]
        ).first.map { try $0["event"] }
        let value = event.json
        try SiteRows.write(
            event, after: try former.map { try SitePublished(json: $0).document },
            logged.announced, value: value, connection: connection)
        try connection.query(
            "DELETE FROM site_editor.versions WHERE site = $1 AND version >= $2",
            [.text(site.text), .int(event.version)])
        try connection.query(
            """
            INSERT INTO site_editor.versions (site, version, published_at, event)
            VALUES ($1, $2, $3, $4)
            """,
            [
                .text(site.text), .int(event.version),
                .timestamp(microseconds: event.publishedAt.microseconds), .bytes(value),
            ])
        try MediaStore.noteUses(of: event.document, by: site, connection: connection)
        try MediaStore.own(
            event.document.media.map(\.hash), by: site, connection: connection)
        if draft == nil {
            try store.beginDraft(of: site, event.document, at: moment, connection: connection)
        }
        if let draft, draft.revision > 0 {
            try store.replace(
                draft, with: event.document, publishedAs: event.version,
                by: SiteReconciling.author, at: moment, connection: connection)
        }
        report.count("sites", 1)
        noteLostVersions(event, after: version, &report)
        try noteMissingMedia(event, &report, connection)
    }

    private func noteLostVersions(
        _ event: SitePublished, after version: Int?, _ report: inout ReconcileReport
    ) {
        let first = (version ?? 0) + 1
        guard first < event.version else { return }
        let lost =
            first == event.version - 1
            ? "version \(first)" : "versions \(first) to \(event.version - 1)"
        report.note(
            "\(lost) of \(event.site) can't be restored any more; \(event.version) is there")
    }

    private func noteMissingMedia(
        _ event: SitePublished, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        let missing: Int = try connection.query(
            """
            SELECT count(*) AS count FROM unnest($1::text[]) AS named (hash)
            WHERE NOT EXISTS (SELECT FROM site_editor.media WHERE media.hash = named.hash)
            """, [.textArray(Set(event.document.media.map(\.hash)).sorted())])[0]["count"]
        if missing > 0 {
            report.note("\(missing) files of \(event.site) are missing: upload them again")
        }
    }
}
