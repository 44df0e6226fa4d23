import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Site
import Wire

extension SiteStore {
    static let removalMigration = """
        CREATE TABLE site_editor.removed_sites (
            site text PRIMARY KEY,
            version bigint NOT NULL,
            removed_at timestamptz NOT NULL,
            removed_by text NOT NULL)
        """

    static let removedDraftsMigration = """
        ALTER TABLE site_editor.removed_sites ADD COLUMN revision bigint NOT NULL DEFAULT 0
        """

    /// Two releases run side by side in an upgrade of one process after the other. If the older one
    /// removes a site, it knows neither `revision`, nor who uses and owns files: triggers do its
    /// part. They go one release later.
    static let formerRemovalMigration = """
        CREATE FUNCTION site_editor.keep_revision() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            NEW.revision := greatest(NEW.revision,
                (SELECT max(revision) FROM site_editor.drafts WHERE site = NEW.site));
            RETURN NEW;
        END $body$;
        CREATE TRIGGER keep_revision BEFORE INSERT OR UPDATE ON site_editor.removed_sites
            FOR EACH ROW EXECUTE FUNCTION site_editor.keep_revision();
        CREATE FUNCTION site_editor.forget_media() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            DELETE FROM site_editor.site_media WHERE site = OLD.id;
            DELETE FROM site_editor.media_owners WHERE site = OLD.id;
            RETURN NULL;
        END $body$;
        CREATE TRIGGER forget_media AFTER DELETE ON site_editor.sites
            FOR EACH ROW EXECUTE FUNCTION site_editor.forget_media()
        """

    /// Removes a site with its draft, its versions, its outages, its tokens and people's roles
    /// there, in one transaction, and erases its enrolled devices. Every consumer gets a tombstone.
    /// Other records on the log, such as surveys and positions, stay as long as their topics keep
    /// them.
    ///
    /// The numbers of its last version and of its draft's last revision are stored. A new site with
    /// the same id continues to count, so that nobody mistakes it for the old one.
    /// - Throws: `UnknownSite`, or `AccountRefusal.unreadable` while the roles of somebody who may
    ///   have one there can't be read.
    func remove(_ site: SiteID, by remover: String, at moment: Timestamp) async throws {
        try await pool.withTransaction(attempts: 2) { connection in
            try Self.lock(site, connection: connection)
            let rows = try connection.query(
                "SELECT version FROM site_editor.sites WHERE id = $1 FOR UPDATE",
                [.text(site.text)])
            guard let version: Int = try rows.first?["version"] else {
                throw UnknownSite(site: site)
            }
            // Accounts come before tokens, as in all changes of accounts: none waits for the other.
            try AccountStore.lockAdministrators(connection: connection)
            // A token or device that is being made ends before this, or finds the site removed.
            try ErasureStore.lock([site], connection)
            var gone = [site]
            if let testers = site.ofTesters {
                try endTest(of: site, by: remover, at: moment, connection: connection)
                if try Self.testersSite(testers, connection: connection) == nil {
                    gone.append(testers)
                }
            }
            try AccountStore.withdrawGrants(of: gone, at: moment, connection: connection)
            for site in gone {
                try TokenStore.revokeAll(
                    of: site, by: remover, at: moment, connection: connection)
            }
            try deleteRows(site, version: version, by: remover, at: moment, connection: connection)
        }
        cache.forget(site)
        site.ofTesters.map(cache.forget)
        bell.ring()
    }

    /// Deletes the site's rows in a transaction, and stores its last numbers.
    func deleteRows(
        _ site: SiteID, version: Int, by remover: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor.removed_sites
                (site, version, removed_at, removed_by, revision)
            SELECT $1, $2, $3, $4, COALESCE(max(revision), 0)
            FROM site_editor.drafts WHERE site = $1
            ON CONFLICT (site) DO UPDATE SET version = excluded.version,
                removed_at = excluded.removed_at, removed_by = excluded.removed_by,
                revision = greatest(removed_sites.revision, excluded.revision)
            """,
            [
                .text(site.text), .int(version),
                .timestamp(microseconds: moment.microseconds), .text(remover),
            ])
        try ErasureStore.eraseAll(at: site, by: remover, at: moment, connection: connection)
        var records = try endedOutages(
            of: site, by: remover, at: moment, connection: connection)
        for table in Self.tablesOfSite {
            try connection.query(
                "DELETE FROM \(table) WHERE site = $1", [.text(site.text)])
        }
        let removed = try connection.query(
            """
            DELETE FROM site_editor.sites WHERE id = $1
            RETURNING document_hash, document_pieces
            """, [.text(site.text)])
        records.append(
            LogRecord(topic: Topic.site.name, key: RecordKey.bytes(site), value: nil))
        records += try removed.first.flatMap(DocumentOnLog.init)?.tombstones(of: site) ?? []
        try outbox.put(records, connection: connection)
    }

    /// The tables with a site's rows, except those of the site itself, its tokens, its devices and
    /// its removal. Erasures stay, too, until they are done and old: a backup may still have the
    /// device.
    private static let tablesOfSite =
        [
            "buildings", "floors", "rooms", "locations", "connections", "drafts", "versions",
            "test_versions", "imports", "site_media", "media_owners", "scan_requests",
            "enrolment_codes", "pairings", "pairing_codes", "scanners",
            "position_shares", "barriers",
        ].map { "site_editor." + $0 }
        + DraftJournal.tables + [NamesSchema.name + ".outages"]

    /// The number of versions of a removed site with this id; 0 for none.
    static func versionsBeforeRemoval(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> Int {
        let rows = try connection.query(
            "SELECT version FROM site_editor.removed_sites WHERE site = $1", [.text(site.text)])
        return try rows.first?["version"] ?? 0
    }

    /// Begins the draft of a new site, in the transaction that makes it. If there was a site with
    /// this id, revisions go on after its own. Other processes may still remember a draft of it,
    /// and editors its ETag. A testers' site has no draft.
    func beginDraft(
        of site: SiteID, _ document: SiteDocument, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        guard document.borrows == nil else { return }
        let rows = try connection.query(
            "SELECT revision FROM site_editor.removed_sites WHERE site = $1", [.text(site.text)])
        guard let last: Int = try rows.first?["revision"] else { return }
        try connection.query(
            """
            INSERT INTO site_editor.drafts (site, revision, edited_at, document)
            VALUES ($1, $2, $3, $4)
            """,
            [
                .text(site.text), .int(last + 1), .timestamp(microseconds: moment.microseconds),
                .bytes(document.json),
            ])
    }

    /// Events that end the site's outages. Routers count outages by site, and would keep those of a
    /// removed one.
    private func endedOutages(
        of site: SiteID, by remover: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        try OutageStore.openOutages(of: site, connection: connection).compactMap { reported in
            let state = OutageState(reported: reported, ended: nil)
            let event = try? state.end(by: remover, at: moment.wholeMilliseconds)
            return event?.withoutNames.record(source: SiteEditorSchema.source)
        }
    }
}
