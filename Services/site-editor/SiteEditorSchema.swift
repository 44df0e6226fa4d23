import LogViews
import Postgres
import Wire

/// Site-editor's tables. They are not a view of the log; the log gets its events from them.
enum SiteEditorSchema {
    static let name = "site_editor"
    /// The `source` of the events (CloudEvents).
    static let source = "/site-editor"
    /// Pieces of documents come before their announcement, and `scans` has other writers.
    static let outbox = Outbox(
        schema: name, topics: [Topic.site, .tokens, .outages, .erasures].map(\.name),
        largestRecord: { Topic.largestRecord($0) })

    static let steps: [Migrator.Step] = [
        .schema("site_editor"),
        Migrator.Step("sites", sites),
        Migrator.Step("tokens", tokens),
        outbox.migration,
        Migrator.Step("connections", connections),
        Migrator.Step("media", MediaStore.migration),
        Migrator.Step("outages", outages),
        Migrator.Step("drafts", drafts),
        Migrator.Step("media-uses", MediaStore.usesMigration),
        Migrator.Step("imports", ImportStore.migration),
        PeopleSchema.step,
        Migrator.Step("removed-sites", SiteStore.removalMigration),
        Migrator.Step("publishers", SiteStore.publisherMigration),
        Migrator.Step("token-issuers", TokenStore.issuersMigration),
        Migrator.Step("media-owners", MediaStore.ownersMigration),
        Migrator.Step("outage-callers", OutageStore.callersMigration),
        Migrator.Step("day-keys", DayKeyStore.migration),
        Migrator.Step("names", NamesSchema.migration),
        Migrator.Step("devices", DeviceStore.migration),
        Migrator.Step("site-documents", SiteStore.piecesMigration),
        Migrator.Step("erasures", ErasureStore.migration),
        Migrator.Step("erasure-copies", ErasureStore.copiesMigration),
        outbox.markMigration,
        Migrator.Step("document-storage", documentStorage),
        Migrator.Step("removed-drafts", SiteStore.removedDraftsMigration),
        Migrator.Step("media-of-sites", MediaStore.sitesMigration),
        Migrator.Step("expired-tokens", TokenStore.expiryMigration),
        Migrator.Step("noted-versions", MediaStore.notedMigration),
        Migrator.Step("former-removals", SiteStore.formerRemovalMigration),
        Migrator.Step("forgotten-sites", ErasureStore.forgottenSitesMigration),
        Migrator.Step("tokens-of-devices", TokenStore.devicesMigration),
        Migrator.Step("scan-requests", ScanRequestStore.migration),
        Migrator.Step("enrolment-codes", EnrolmentStore.migration),
        Migrator.Step("pairings", PairingStore.migration),
        Migrator.Step("scanners", ScannerStore.migration),
        Migrator.Step("scan-requests-of-askers", ScanRequestStore.askersMigration),
        Migrator.Step("position-shares", PositionShareStore.migration),
        Migrator.Step("pairings-of-sessions", PairingStore.sessionMigration),
        Migrator.Step("barriers", BarrierStore.migration),
        Migrator.Step("barriers-of-two-addresses", BarrierStore.closersMigration),
        Migrator.Step("barriers-without-only-address", BarrierStore.oneAddressMigration),
        Migrator.Step("draft-journal", DraftJournal.migration),
    ]

    static var migrator: Migrator { Migrator(schema: name, steps: steps) }

    static func migrate(_ pool: PostgresPool) async throws {
        try await pool.withConnection { _ = try await migrator.migrate($0) }
    }

    private static let sites = """
        CREATE TABLE site_editor.sites (
            id text PRIMARY KEY,
            name text NOT NULL,
            version bigint NOT NULL,
            published_at timestamptz NOT NULL,
            event bytea NOT NULL);
        CREATE TABLE site_editor.buildings (
            site text NOT NULL REFERENCES site_editor.sites,
            id text NOT NULL, name text NOT NULL, time_zone text NOT NULL,
            PRIMARY KEY (site, id));
        CREATE TABLE site_editor.floors (
            site text NOT NULL REFERENCES site_editor.sites,
            id text NOT NULL, building text NOT NULL, ordinal integer NOT NULL,
            level text NOT NULL,
            PRIMARY KEY (site, id));
        CREATE TABLE site_editor.rooms (
            site text NOT NULL REFERENCES site_editor.sites,
            id text NOT NULL, floor text NOT NULL, name text NOT NULL, kind text NOT NULL,
            PRIMARY KEY (site, id));
        CREATE TABLE site_editor.locations (
            site text NOT NULL REFERENCES site_editor.sites,
            id text NOT NULL, floor text NOT NULL, room text,
            x double precision NOT NULL, y double precision NOT NULL,
            PRIMARY KEY (site, id))
        """

    private static let connections = """
        CREATE TABLE site_editor.connections (
            site text NOT NULL REFERENCES site_editor.sites,
            id text NOT NULL, kind text NOT NULL, name text, accessible text NOT NULL,
            PRIMARY KEY (site, id))
        """

    /// Outages outlive their connections, so that analysts can still count them.
    private static let outages = """
        CREATE TABLE site_editor.outages (
            id uuid PRIMARY KEY,
            site text NOT NULL REFERENCES site_editor.sites,
            connection text NOT NULL,
            begins_at timestamptz NOT NULL,
            until_at timestamptz,
            reason text NOT NULL,
            reported_by text NOT NULL,
            reported_at timestamptz NOT NULL,
            ended_at timestamptz,
            ended_by text);
        CREATE INDEX outages_of_site ON site_editor.outages (site, id)
        """

    private static let drafts = """
        CREATE TABLE site_editor.drafts (
            site text NOT NULL,
            revision bigint NOT NULL,
            parent bigint,
            edited_at timestamptz NOT NULL,
            document bytea NOT NULL,
            PRIMARY KEY (site, revision));
        -- Written with every edit and soon gone: compressing it would cost more than it saves.
        ALTER TABLE site_editor.drafts ALTER COLUMN document SET STORAGE EXTERNAL;
        CREATE TABLE site_editor.versions (
            site text NOT NULL,
            version bigint NOT NULL,
            published_at timestamptz NOT NULL,
            event bytea NOT NULL,
            PRIMARY KEY (site, version));
        CREATE TABLE site_editor.test_versions (
            site text PRIMARY KEY,
            revision bigint NOT NULL,
            published_at timestamptz NOT NULL,
            document bytea NOT NULL);
        INSERT INTO site_editor.versions (site, version, published_at, event)
            SELECT id, version, published_at, event FROM site_editor.sites
        """

    /// Writing a large site's document takes twice as long with PostgreSQL's own method as with
    /// lz4. A server without lz4 keeps its own. Events soon leave the outbox, so they stay as they
    /// are.
    private static let documentStorage = """
        ALTER TABLE site_editor.outbox ALTER COLUMN value SET STORAGE EXTERNAL;
        DO $$
        BEGIN
            ALTER TABLE site_editor.sites ALTER COLUMN event SET COMPRESSION lz4;
            ALTER TABLE site_editor.versions ALTER COLUMN event SET COMPRESSION lz4;
            ALTER TABLE site_editor.test_versions ALTER COLUMN document SET COMPRESSION lz4;
        EXCEPTION WHEN feature_not_supported THEN
            RAISE NOTICE 'this server has no lz4';
        END $$
        """

    private static let tokens = """
        CREATE TABLE site_editor.tokens (
            id uuid PRIMARY KEY,
            hash text NOT NULL UNIQUE,
            role text NOT NULL,
            site text,
            device text,
            note text NOT NULL,
            issued_at timestamptz NOT NULL,
            expires_at timestamptz,
            revoked_at timestamptz)
        """
}
