import Events
import Postgres
import Site
import Wire

extension DraftJournal {
    /// An edit that was sent before.
    struct Known: Sendable {
        var revision: Int
        /// Nil for an edit that changed nothing: any may have its id.
        var by: String?
        var action: String?
        var thing: DraftThing?
        /// Whether it was in an earlier request.
        var isOfBefore = true
    }

    /// The edits among these that were sent before.
    static func known(
        _ ids: [EventID], of site: SiteID, connection: isolated PostgresConnection
    ) throws -> [EventID: Known] {
        let rows = try connection.query(
            """
            SELECT id, revision, edited_by, action, kind, record FROM site_editor.draft_edits
            WHERE site = $1 AND id = ANY ($2::text[]::uuid[])
            UNION ALL
            SELECT id, revision, NULL, NULL, NULL, NULL FROM site_editor.draft_unchanged
            WHERE site = $1 AND id = ANY ($2::text[]::uuid[])
            """, [.text(site.text), .textArray(ids.map(\.description))])
        var known: [EventID: Known] = [:]
        for row in rows {
            let (kind, record): (String?, String?) = (try row["kind"], try row["record"])
            guard let id = EventID(try row["id"] as String) else { continue }
            known[id] = Known(
                revision: try row["revision"], by: try row["edited_by"],
                action: try row["action"],
                thing: kind.flatMap { DraftThing(kind: $0, id: record ?? "") })
        }
        return known
    }

    /// The first and the last revision in the journal; nil where it is empty.
    static func bounds(
        of site: SiteID, connection: isolated PostgresConnection
    ) throws -> ClosedRange<Int>? {
        let row = try connection.query(
            """
            SELECT min(revision) AS first, max(revision) AS last FROM site_editor.draft_edits
            WHERE site = $1
            """, [.text(site.text)])[0]
        let (first, last): (Int?, Int?) = (try row["first"], try row["last"])
        guard let first, let last else { return nil }
        return first...last
    }

    /// The changes of edits after one revision, up to and with another one, by revision. An edit
    /// without changes has an entry, too.
    static func changes(
        after first: Int, through last: Int, of site: SiteID,
        connection: isolated PostgresConnection
    ) throws -> [(revision: Int, changes: [DraftChange])] {
        let parameters: [PostgresValue] = [.text(site.text), .int(first), .int(last)]
        var found: [(revision: Int, changes: [DraftChange])] = try connection.query(
            """
            SELECT revision FROM site_editor.draft_edits
            WHERE site = $1 AND revision > $2 AND revision <= $3 ORDER BY revision
            """, parameters
        ).map { (try $0["revision"], []) }
        let places = Dictionary(
            uniqueKeysWithValues: found.indices.map { (found[$0].revision, $0) })
        let rows = try connection.query(
            """
            SELECT revision, kind, record, before, after, place FROM site_editor.draft_changes
            WHERE site = $1 AND revision > $2 AND revision <= $3
            """, parameters)
        for row in rows {
            guard let index = places[try row["revision"]] else { continue }
            found[index].changes.append(try change(row))
        }
        return found
    }

    private static func change(_ row: PostgresRow) throws -> DraftChange {
        let (kind, record): (String, String) = (try row["kind"], try row["record"])
        guard let thing = DraftThing(kind: kind, id: record) else {
            throw WireFault(.fieldOutOfRange, "the journal has a \(kind) that can't be")
        }
        let (before, after): ([UInt8]?, [UInt8]?) = (try row["before"], try row["after"])
        return DraftChange(
            thing, before: try before.map { try DraftValue(json: $0, of: thing) },
            after: try after.map { try DraftValue(json: $0, of: thing) }, place: try row["place"])
    }

    /// A change of a thing by an edit of somebody.
    struct Earlier: Sendable {
        var change: EarlierChange
        var isRemoval: Bool
        var by: DraftEditor
        var at: Timestamp
    }

    /// The changes of things after a revision, without those by these edits; the oldest first.
    static func earlier(
        of things: Set<DraftThing>, after revision: Int, without ids: [EventID], at site: SiteID,
        namingTokens: Bool, connection: isolated PostgresConnection
    ) throws -> [DraftThing: [Earlier]] {
        let things = Array(things)
        let rows = try connection.query(
            """
            SELECT changes.kind, changes.record, changes.revision, changes.members,
                changes.members IS NULL AS is_whole, changes.after IS NULL AS is_removal,
                edits.edited_at, edits.edited_by, \(DraftNames.columns)
            FROM unnest($2::text[], $3::text[]) AS asked (kind, record)
            JOIN site_editor.draft_changes AS changes ON changes.site = $1
                AND changes.kind = asked.kind AND changes.record = asked.record
                AND changes.revision > $4
            JOIN site_editor.draft_edits AS edits
                ON edits.site = $1 AND edits.revision = changes.revision
            \(DraftNames.joins)
            WHERE NOT edits.id = ANY ($5::text[]::uuid[])
            ORDER BY changes.revision
            """,
            [
                .text(site.text), .textArray(things.map(\.kind)), .textArray(things.map(\.id)),
                .int(revision), .textArray(ids.map(\.description)),
            ])
        var found: [DraftThing: [Earlier]] = [:]
        for row in rows {
            guard let thing = DraftThing(kind: try row["kind"], id: try row["record"]) else {
                continue
            }
            found[thing, default: []].append(
                Earlier(
                    change: EarlierChange(
                        revision: try row["revision"], members: try members(row)),
                    isRemoval: try row["is_removal"],
                    by: try DraftNames.editor(row, namingTokens: namingTokens),
                    at: Timestamp(microseconds: try row["edited_at"])))
        }
        return found
    }

    /// The changes of later edits to the things of an edit, as far as they hold: neither those that
    /// were undone, nor their undoing.
    static func holding(
        after revision: Int, of site: SiteID, connection: isolated PostgresConnection
    ) throws -> [DraftThing: [EarlierChange]] {
        let rows = try connection.query(
            """
            SELECT later.kind, later.record, later.revision, later.members,
                later.members IS NULL AS is_whole
            FROM site_editor.draft_changes AS own
            JOIN site_editor.draft_changes AS later ON later.site = own.site
                AND later.kind = own.kind AND later.record = own.record
                AND later.revision > own.revision
            JOIN site_editor.draft_edits AS edits
                ON edits.site = later.site AND edits.revision = later.revision
            WHERE own.site = $1 AND own.revision = $2
                AND edits.undoes IS NULL AND edits.undone_by IS NULL
            """, [.text(site.text), .int(revision)])
        var found: [DraftThing: [EarlierChange]] = [:]
        for row in rows {
            guard let thing = DraftThing(kind: try row["kind"], id: try row["record"]) else {
                continue
            }
            found[thing, default: []].append(
                EarlierChange(revision: try row["revision"], members: try members(row)))
        }
        return found
    }

    private static func members(_ row: PostgresRow) throws -> Set<String>? {
        let isWhole: Bool = try row["is_whole"]
        guard !isWhole else { return nil }
        let members: [String] = try row["members"]
        return Set(members)
    }

    /// The edits after a revision, the oldest first.
    static func listed(
        after revision: Int, limit: Int, of site: SiteID, namingTokens: Bool,
        connection: isolated PostgresConnection
    ) throws -> [ListedDraftEdit] {
        try connection.query(
            """
            SELECT edits.*, \(DraftNames.columns),
                ARRAY (SELECT changes.kind || '/' || changes.record
                    FROM site_editor.draft_changes AS changes
                    WHERE changes.site = edits.site AND changes.revision = edits.revision
                    LIMIT \(ListedDraftEdit.mostChanged)) AS things
            FROM site_editor.draft_edits AS edits
            \(DraftNames.joins)
            WHERE edits.site = $1 AND edits.revision > $2 ORDER BY edits.revision LIMIT $3
            """, [.text(site.text), .int(revision), .int(limit)]
        ).compactMap { row in
            let things: [String] = try row["things"]
            guard let id = EventID(try row["id"] as String),
                let action = DraftAction(rawValue: try row["action"]),
                let thing = DraftThing(kind: try row["kind"], id: try row["record"])
            else { return nil }
            return ListedDraftEdit(
                revision: try row["revision"], id: id,
                at: Timestamp(microseconds: try row["edited_at"]),
                by: try DraftNames.editor(row, namingTokens: namingTokens), action: action,
                thing: thing, name: try row["name"], undoes: try row["undoes"],
                changedCount: try row["changed"],
                changed: things.compactMap { text in
                    let parts = text.split(
                        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                    return DraftThing(kind: String(parts[0]), id: String(parts[1]))
                })
        }
    }
}

/// The people and programs behind the ids of the journal. Names are looked up when it is read, so
/// whoever is deleted is nobody there.
enum DraftNames {
    static let columns = "people.name AS person, programs.note AS program"

    static let joins = """
        LEFT JOIN \(NamesSchema.name).accounts AS people ON people.id =
            CASE WHEN edits.edited_by LIKE 'account/%' THEN substr(edits.edited_by, 9)::uuid END
        LEFT JOIN \(NamesSchema.name).tokens AS programs ON programs.id =
            CASE WHEN edits.edited_by ~ '^[0-9a-f-]{36}$' THEN edits.edited_by::uuid END
        """

    /// - Parameter namingTokens: whether the reader may list tokens with their notes.
    static func editor(_ row: PostgresRow, namingTokens: Bool) throws -> DraftEditor {
        let (person, program): (String?, String?) = (try row["person"], try row["program"])
        let names = [person, namingTokens ? program : nil].compactMap(\.self)
        return DraftEditor(id: try row["edited_by"], name: names.first { !$0.isEmpty })
    }
}
