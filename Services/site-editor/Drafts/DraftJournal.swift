import Events
import Postgres
import Site
import Wire

/// The journal of drafts: a row for each edit, and one for each thing that it changed, before and
/// after. Together with the last stored document they give the present draft.
enum DraftJournal {
    /// The most edits of a site that are kept, without those that only undo others.
    static let mostEdits = 10_000
    /// The most rows of a site: its edits and their undoing.
    static let mostRows = 30_000
    /// The most changed things of a site that are kept; an import may change thousands.
    static let mostChanges = 500_000
    /// Old edits are removed after each of so many revisions.
    private static let trimming = 100
    /// The most changes that one statement writes.
    private static let changesAtOnce = 5_000

    /// `number` counts the edits that undo none, and `size` the changed things. Both begin with the
    /// site's first edit, so the old ones are found without counting.
    static let migration = """
        ALTER TABLE site_editor.drafts ALTER COLUMN document DROP NOT NULL;
        -- The published version whose document this revision has; nothing else is stored of it.
        ALTER TABLE site_editor.drafts ADD COLUMN version bigint;
        CREATE TABLE site_editor.draft_edits (
            site text NOT NULL,
            revision bigint NOT NULL,
            id uuid NOT NULL,
            number bigint NOT NULL,
            size bigint NOT NULL,
            edited_at timestamptz NOT NULL,
            edited_by text,
            action text NOT NULL,
            kind text NOT NULL,
            record text NOT NULL,
            name text,
            undoes bigint,
            -- For an undo and its redo: the edit that they take back or bring back.
            root bigint,
            undone_by bigint,
            changed integer NOT NULL,
            PRIMARY KEY (site, revision));
        CREATE UNIQUE INDEX draft_edits_id ON site_editor.draft_edits (site, id);
        CREATE INDEX draft_edits_to_undo ON site_editor.draft_edits (site, revision)
            WHERE undoes IS NULL AND undone_by IS NULL;
        CREATE INDEX draft_edits_of_root ON site_editor.draft_edits (site, root)
            WHERE root IS NOT NULL;
        CREATE TABLE site_editor.draft_changes (
            site text NOT NULL,
            revision bigint NOT NULL,
            kind text NOT NULL,
            record text NOT NULL,
            before bytea,
            after bytea,
            place integer,
            -- Null where the whole record came or went.
            members text[],
            PRIMARY KEY (site, revision, kind, record));
        CREATE INDEX draft_changes_of_record
            ON site_editor.draft_changes (site, kind, record, revision);
        -- Edits that changed nothing. Sent again, they still don't.
        CREATE TABLE site_editor.draft_unchanged (
            site text NOT NULL,
            id uuid NOT NULL,
            revision bigint NOT NULL,
            sent_at timestamptz NOT NULL,
            PRIMARY KEY (site, id));
        -- A process of the release before removes a site without these rows.
        CREATE FUNCTION site_editor.forget_draft_edits() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            DELETE FROM site_editor.draft_edits WHERE site = OLD.id;
            DELETE FROM site_editor.draft_changes WHERE site = OLD.id;
            DELETE FROM site_editor.draft_unchanged WHERE site = OLD.id;
            RETURN NULL;
        END $body$;
        CREATE TRIGGER forget_draft_edits AFTER DELETE ON site_editor.sites
            FOR EACH ROW EXECUTE FUNCTION site_editor.forget_draft_edits()
        """

    /// The tables, which go with their site.
    static let tables = ["draft_edits", "draft_changes", "draft_unchanged"]
        .map { "site_editor.\($0)" }

    /// Appends edits, and removes the oldest ones.
    ///
    /// - Parameter entries: their revisions follow each other.
    static func append(
        _ entries: [DraftEntry], of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        guard let first = entries.first, let last = entries.last else { return }
        let name = PostgresValue.text(site.text)
        // There are such rows only where the draft is older than its journal: after a process of an
        // earlier release began revisions anew.
        for table in tables.prefix(2) {
            try connection.query(
                "DELETE FROM \(table) WHERE site = $1 AND revision >= $2",
                [name, .int(first.revision)])
        }
        let rows = try connection.query(
            """
            SELECT number, size FROM site_editor.draft_edits
            WHERE site = $1 ORDER BY revision DESC LIMIT 1
            """, [name])
        var (number, size): (Int64, Int64) = (0, 0)
        if let row = rows.first { (number, size) = (try row["number"], try row["size"]) }
        let counts = entries.map { entry in
            number += entry.undoes == nil ? 1 : 0
            size += Int64(entry.changes.count)
            return (number: number, size: size)
        }
        try insert(entries, counts, name, connection)
        try insertChanges(of: entries, name, connection)
        for entry in entries where entry.undoes != nil {
            try noteUndoing(entry, name, connection)
        }
        if first.revision / trimming != (last.revision + 1) / trimming {
            try trim(name, number: number, size: size, last.revision, connection)
        }
    }

    private static func insert(
        _ entries: [DraftEntry], _ counts: [(number: Int64, size: Int64)], _ site: PostgresValue,
        _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor.draft_edits (site, revision, id, number, size, edited_at,
                edited_by, action, kind, record, name, undoes, root, changed)
            SELECT $1, revision, COALESCE(id::uuid, gen_random_uuid()), number, size, edited_at,
                edited_by, action, kind, record, name, NULLIF(undoes, 0), NULLIF(root, 0), changed
            FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[],
                $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[],
                $13::bigint[], $14::int[])
                AS new (revision, id, number, size, edited_at, edited_by, action, kind, record,
                    name, undoes, root, changed)
            """,
            [
                site, .int64Array(entries.map { Int64($0.revision) }),
                .textArray(entries.map { $0.id?.description }),
                .int64Array(counts.map(\.number)), .int64Array(counts.map(\.size)),
                .timestampArray(microseconds: entries.map(\.at.microseconds)),
                .textArray(entries.map(\.by)), .textArray(entries.map(\.action.rawValue)),
                .textArray(entries.map(\.thing.kind)), .textArray(entries.map(\.thing.id)),
                .textArray(entries.map(\.name)),
                .int64Array(entries.map { Int64($0.undoes ?? 0) }),
                .int64Array(entries.map { Int64($0.root ?? 0) }),
                .int32Array(entries.map { Int32(clamping: $0.changes.count) }),
            ])
    }

    private static func insertChanges(
        of entries: [DraftEntry], _ site: PostgresValue,
        _ connection: isolated PostgresConnection
    ) throws {
        let all = entries.flatMap { entry in entry.changes.map { (entry.revision, $0) } }
        for start in stride(from: 0, to: all.count, by: changesAtOnce) {
            let some = all[start..<min(start + changesAtOnce, all.count)]
            try connection.query(
                """
                INSERT INTO site_editor.draft_changes
                    (site, revision, kind, record, before, after, place, members)
                SELECT $1, revision, kind, record, before, after, NULLIF(place, -1),
                    string_to_array(members, E'\\n')
                FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bytea[],
                    $7::int[], $8::text[])
                    AS new (revision, kind, record, before, after, place, members)
                """,
                [
                    site, .int64Array(some.map { Int64($0.0) }),
                    .textArray(some.map(\.1.thing.kind)), .textArray(some.map(\.1.thing.id)),
                    .bytesArray(some.map { $0.1.before?.json }),
                    .bytesArray(some.map { $0.1.after?.json }),
                    .int32Array(some.map { Int32(clamping: $0.1.place ?? -1) }),
                    .textArray(some.map { $0.1.members?.sorted().joined(separator: "\n") }),
                ])
        }
    }

    /// Marks the edit that an undo takes back. The redo is the undo of an undo: with it the first
    /// edit holds again.
    private static func noteUndoing(
        _ entry: DraftEntry, _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            UPDATE site_editor.draft_edits SET undone_by = $3 WHERE site = $1 AND revision = $2
            """, [site, .optional(entry.undoes, PostgresValue.int), .int(entry.revision)])
        guard let root = entry.root, root != entry.undoes else { return }
        try connection.query(
            """
            UPDATE site_editor.draft_edits SET undone_by = $3 WHERE site = $1 AND revision = $2
            """,
            [site, .int(root), entry.isRedo ? .null : .int(entry.revision)])
    }

    private static func trim(
        _ site: PostgresValue, number: Int64, size: Int64, _ revision: Int,
        _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            DELETE FROM site_editor.draft_edits WHERE site = $1 AND revision < $2
                AND (number <= $3 OR revision <= $4 OR size <= $5)
            """,
            [
                site, .int(revision), .int64(number - Int64(mostEdits)),
                .int(revision - mostRows), .int64(size - Int64(mostChanges)),
            ])
        for table in tables.dropFirst() {
            try connection.query(
                """
                DELETE FROM \(table) WHERE site = $1 AND revision <
                    (SELECT min(revision) FROM site_editor.draft_edits WHERE site = $1)
                """, [site])
        }
    }

    // MARK: Edits that changed nothing

    static func noteUnchanged(
        _ edits: [(id: EventID, revision: Int)], of site: SiteID, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        guard !edits.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO site_editor.draft_unchanged (site, id, revision, sent_at)
            SELECT $1, id::uuid, revision, $4 FROM unnest($2::text[], $3::bigint[])
                AS new (id, revision)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(site.text), .textArray(edits.map(\.id.description)),
                .int64Array(edits.map { Int64($0.revision) }),
                .timestamp(microseconds: moment.microseconds),
            ])
    }

    /// Forgets all but the last of the edits that changed nothing, for each site.
    static func forgetUnchanged(_ pool: PostgresPool) async throws {
        try await pool.query(
            """
            DELETE FROM site_editor.draft_unchanged AS unchanged
            USING (SELECT site, id, row_number() OVER
                    (PARTITION BY site ORDER BY sent_at DESC) AS place
                FROM site_editor.draft_unchanged) AS placed
            WHERE placed.place > $1 AND placed.site = unchanged.site AND placed.id = unchanged.id
            """, [.int(mostEdits)])
    }
}

/// An edit on its way into the journal.
struct DraftEntry: Sendable {
    var revision: Int
    /// Its sender made it; nil where there is none.
    var id: EventID?
    var at: Timestamp
    /// The account or token; nil where nobody knows it.
    var by: String?
    var action: DraftAction
    var thing: DraftThing
    var name: String?
    var changes: [DraftChange]
    /// The revision of the edit that this one undoes.
    var undoes: Int?
    /// The edit that an undo and its redo take back or bring back.
    var root: Int?
    /// Whether the root holds again.
    var isRedo = false
}
