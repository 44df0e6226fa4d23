import Events
import Postgres
import Site
import Wire

/// A draft that can't be made of its rows, which are damaged.
struct DraftJournalBroken: Error, CustomStringConvertible {
    let site: SiteID
    let revision: Int

    var description: String {
        "the journal of \(site)'s draft lacks edits before revision \(revision): restore a backup, "
            + "or put the site as a whole"
    }
}

/// An edit on its way into the tables.
struct DraftWriting: Sendable {
    var entry: DraftEntry
    var before: SiteDraft
    var step: DraftStep
    /// The published version that has the same document.
    var version: Int?
    /// The published version from which a first edit starts; nil for the present one.
    var baseVersion: Int?

    init(_ entry: DraftEntry, _ step: DraftStep, after before: SiteDraft) {
        (self.entry, self.step, self.before) = (entry, step, before)
    }

    init(
        _ step: DraftStep, after before: SiteDraft, by author: String?, _ note: DraftNote,
        id: EventID? = nil, at moment: Timestamp
    ) {
        let named = step.changes.first { $0.thing == note.thing }
        self.init(
            DraftEntry(
                revision: step.draft.revision, id: id, at: moment, by: author,
                action: note.action, thing: note.thing, name: named?.name, changes: step.changes),
            step, after: before)
    }
}

extension SiteStore {
    /// The most changes of an edit that are replayed; after more, the document is stored, too.
    private static let mostReplayed = 2_000
    /// Rows of so many revisions are kept. A process of the release before undoes by them.
    private static let keptRevisions = 50

    /// Stores edits, in a transaction that holds the site's lock: their rows, and the document only
    /// where the rows don't give it. `DraftSnapshots` stores it later.
    ///
    /// - Parameter edits: those that follow each other, the first one after the newest draft.
    /// - Throws: `MediaRefusal` where an edit names a file that is not stored.
    func write(
        _ edits: [DraftWriting], of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        guard let first = edits.first, let last = edits.last else { return }
        if first.before.revision == 0 { try writeBase(of: first, site, connection) }
        let documents = try edits.map { edit -> [UInt8]? in
            let namesNewFiles = try checkMedia(edit, of: site, connection: connection)
            let isStored =
                !edit.step.isReplayable || namesNewFiles
                || edit.step.changes.count > Self.mostReplayed
            return isStored && edit.version == nil ? edit.step.draft.document.json : nil
        }
        let name = PostgresValue.text(site.text)
        try connection.query(
            """
            INSERT INTO site_editor.drafts (site, revision, parent, edited_at, document, version)
            SELECT $1, revision, revision - 1, $3, document, NULLIF(version, 0)
            FROM unnest($2::bigint[], $4::bytea[], $5::bigint[])
                AS new (revision, document, version)
            """,
            [
                name, .int64Array(edits.map { Int64($0.entry.revision) }),
                .timestamp(microseconds: last.entry.at.microseconds), .bytesArray(documents),
                .int64Array(edits.map { Int64($0.version ?? 0) }),
            ])
        try connection.query(
            """
            DELETE FROM site_editor.drafts WHERE site = $1 AND revision < least($2,
                (SELECT max(revision) FROM site_editor.drafts
                    WHERE site = $1 AND (document IS NOT NULL OR version IS NOT NULL)))
            """, [name, .int(last.entry.revision - Self.keptRevisions)])
        try DraftJournal.append(edits.map(\.entry), of: site, connection: connection)
    }

    /// The first edit also notes the published version from which it starts.
    private func writeBase(
        of edit: DraftWriting, _ site: SiteID, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO site_editor.drafts (site, revision, edited_at, version)
            SELECT id, 0, $2, COALESCE($3, version) FROM site_editor.sites WHERE id = $1
            ON CONFLICT DO NOTHING
            """,
            [
                .text(site.text), .timestamp(microseconds: edit.entry.at.microseconds),
                .optional(edit.baseVersion, PostgresValue.int),
            ])
    }

    /// Checks the files that an edit newly names; returns whether there are any.
    func checkMedia(
        _ edit: DraftWriting, of site: SiteID, connection: isolated PostgresConnection
    ) throws -> Bool {
        let isAboutFiles = edit.step.changes.contains { change in
            change.after != nil && Self.kindsWithFiles.contains(change.thing.kind)
        }
        guard isAboutFiles else { return false }
        let (before, after) = (edit.before.document, edit.step.draft.document)
        try MediaStore.check(after, after: before, of: site, connection: connection)
        return !after.media.isSubset(of: before.media)
    }

    /// The kinds of records that name files.
    static let kindsWithFiles: Set = [ContentRecord.kind.name, FloorPlanRecord.kind.name]

    /// The draft at its newest revision: the last stored document, or the draft in memory, with the
    /// edits since.
    func replayed(
        _ revision: Int, of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDraft {
        let name = PostgresValue.text(site.text)
        let stored: Int? = try connection.query(
            """
            SELECT revision FROM site_editor.drafts WHERE site = $1 AND revision <= $2
                AND (document IS NOT NULL OR version IS NOT NULL)
            ORDER BY revision DESC LIMIT 1
            """, [name, .int(revision)]
        ).first.map { try $0["revision"] }
        guard let stored else { throw DraftJournalBroken(site: site, revision: revision) }
        var draft: SiteDraft
        if let known = try knownDraft(
            of: site, between: stored, and: revision, connection: connection)
        {
            draft = known
        } else {
            draft = try self.stored(stored, of: site, connection: connection)
        }
        let edits = try DraftJournal.changes(
            after: draft.revision, through: revision, of: site, connection: connection)
        guard edits.count == revision - draft.revision else {
            throw DraftJournalBroken(site: site, revision: revision)
        }
        var document = draft.document
        for edit in edits { document.apply(edit.changes) }
        draft = SiteDraft(site: site, revision: revision, document: document)
        return draft
    }

    /// The draft in memory, if it is a former one of the present draft. A site that was made again
    /// by an earlier release counts from the beginning.
    private func knownDraft(
        of site: SiteID, between stored: Int, and revision: Int,
        connection: isolated PostgresConnection
    ) throws -> SiteDraft? {
        guard let known = cache.lastDraft(of: site),
            (max(stored, 1)..<revision).contains(known.draft.revision)
        else { return nil }
        let rows = try connection.query(
            "SELECT edited_at FROM site_editor.draft_edits WHERE site = $1 AND revision = $2",
            [.text(site.text), .int(known.draft.revision)])
        guard let row = rows.first, known.editedAt.microseconds == (try row["edited_at"] as Int64)
        else { return nil }
        return known.draft
    }

    /// The document of a revision that was stored.
    func stored(
        _ revision: Int, of site: SiteID, connection: isolated PostgresConnection
    ) throws -> SiteDraft {
        let rows = try connection.query(
            """
            SELECT document, event FROM site_editor.drafts AS drafts
            LEFT JOIN site_editor.versions AS versions ON drafts.document IS NULL
                AND versions.site = drafts.site AND versions.version = drafts.version
            WHERE drafts.site = $1 AND drafts.revision = $2
            """, [.text(site.text), .int(revision)])
        guard let row = rows.first else { throw DraftJournalBroken(site: site, revision: revision) }
        let (document, event): ([UInt8]?, [UInt8]?) = (try row["document"], try row["event"])
        if let document {
            return SiteDraft(
                site: site, revision: revision, document: try SiteDocument(json: document))
        }
        guard let event else { throw DraftJournalBroken(site: site, revision: revision) }
        return SiteDraft(
            site: site, revision: revision, document: try SitePublished(json: event).document)
    }
}
