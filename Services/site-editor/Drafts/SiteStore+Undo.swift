import Access
import Events
import Postgres
import ServiceHost
import Site
import Wire

extension SiteStore {
    /// The edit to be undone.
    enum Undoing: Sendable {
        /// The newest edit of anybody that is not undone.
        case newest
        /// The newest one of the author.
        case newestOwn
        case revision(Int)
    }

    struct Undone: Sendable {
        var edited: Edited
        /// The revision of the undone edit.
        var undoes: Int
    }

    private struct UndoneEdit {
        var revision: Int
        var by: String?
        var thing: DraftThing
        var name: String?
        var isUndone: Bool
        var undoes: Int?
        var root: Int?
        /// Whether the edit is a redo: then undoing it takes back the root again.
        var isRedo: Bool
    }

    /// Undoes the draft's newest edit; called again, the one before it.
    func undo(
        _ site: SiteID, expectedRevision: Int?, by author: DraftAuthor, at moment: Timestamp
    ) async throws -> Edited {
        try await undo(
            .newest, at: site, id: nil, expectedRevision: expectedRevision, by: author, moment
        ).edited
    }

    /// Undoes one edit. Later ones stay. The same id again gives the first answer again.
    ///
    /// - Throws: `SiteRefusal.changedSince` and others, and `DraftRefusal` for an edit that the
    ///   author may not undo.
    func undo(
        _ undoing: Undoing, at site: SiteID, id: EventID?, expectedRevision: Int? = nil,
        by author: DraftAuthor, _ moment: Timestamp
    ) async throws -> Undone {
        let undone = try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            let draft = try presentDraft(
                of: site, expectedRevision: expectedRevision, connection: connection)
            if let id, let known = try knownUndo(id, draft, author, connection) { return known }
            let edit = try undoneEdit(undoing, draft, author, connection)
            let changes = try DraftJournal.changes(
                after: edit.revision - 1, through: edit.revision, of: site,
                connection: connection
            ).flatMap(\.changes)
            let later = try DraftJournal.holding(
                after: edit.revision, of: site, connection: connection)
            let step = try draft.undoing(changes, before: later)
            try author.checkMaking(step, after: draft)
            var writing = DraftWriting(
                step, after: draft, by: author.id, DraftNote(action: .undo, thing: edit.thing),
                id: id, at: moment)
            writing.entry.undoes = edit.revision
            writing.entry.root = edit.root ?? edit.revision
            writing.entry.isRedo = edit.undoes != nil && !edit.isRedo
            writing.entry.name = writing.entry.name ?? edit.name
            try write([writing], of: site, connection: connection)
            return Undone(
                edited: Edited(before: draft.document, draft: step.draft, isChanged: true),
                undoes: edit.revision)
        }
        if undone.edited.isChanged { announce(undone.edited.draft, at: moment) }
        return undone
    }

    /// The answer to an undo that was sent before.
    private func knownUndo(
        _ id: EventID, _ draft: SiteDraft, _ author: DraftAuthor,
        _ connection: isolated PostgresConnection
    ) throws -> Undone? {
        let rows = try connection.query(
            """
            SELECT revision, undoes, edited_by FROM site_editor.draft_edits
            WHERE site = $1 AND id = $2
            """, [.text(draft.site.text), .uuid(id.bytes)])
        guard let row = rows.first else { return nil }
        let (undoes, by): (Int?, String?) = (try row["undoes"], try row["edited_by"])
        guard let undoes, by == author.id else { throw DraftRefusal.idInUse }
        let then = SiteDraft(
            site: draft.site, revision: try row["revision"], document: draft.document)
        return Undone(
            edited: Edited(before: draft.document, draft: then, isChanged: false), undoes: undoes)
    }

    private func undoneEdit(
        _ undoing: Undoing, _ draft: SiteDraft, _ author: DraftAuthor,
        _ connection: isolated PostgresConnection
    ) throws -> UndoneEdit {
        let columns = """
            SELECT edits.*, root.undone_by IS NULL AS root_holds, EXISTS (
                    SELECT FROM site_editor.draft_edits AS later WHERE later.site = edits.site
                        AND later.root = edits.root AND later.revision > edits.revision) AS is_past
            FROM site_editor.draft_edits AS edits
            LEFT JOIN site_editor.draft_edits AS root
                ON root.site = edits.site AND root.revision = edits.root
            """
        let notUndone = "edits.site = $1 AND edits.undoes IS NULL AND edits.undone_by IS NULL"
        let last = "ORDER BY edits.revision DESC LIMIT 1"
        let site = PostgresValue.text(draft.site.text)
        let row: PostgresRow?
        switch undoing {
        case .newest:
            row = try connection.query("\(columns) WHERE \(notUndone) \(last)", [site]).first
        case .newestOwn:
            row = try connection.query(
                "\(columns) WHERE \(notUndone) AND edits.edited_by = $2 \(last)",
                [site, .optional(author.id, PostgresValue.text)]
            ).first
        case .revision(let revision):
            row = try connection.query(
                "\(columns) WHERE edits.site = $1 AND edits.revision = $2",
                [site, .int(revision)]
            ).first
            guard row != nil else {
                throw DraftRefusal.gone("There is no edit of revision \(revision).")
            }
        }
        guard let edit = try row.map(Self.undoneEdit) else { throw SiteRefusal.nothingToUndo }
        guard author.rights.mayUndo(isOwn: edit.by != nil && edit.by == author.id) else {
            throw DraftRefusal.notOwn
        }
        guard !edit.isUndone else { throw SiteRefusal.nothingToUndo }
        return edit
    }

    private static func undoneEdit(_ row: PostgresRow) throws -> UndoneEdit {
        let (undoneBy, undoes): (Int?, Int?) = (try row["undone_by"], try row["undoes"])
        // Only the last one of an undo and its redoes can be undone.
        let (rootHolds, isPast): (Bool, Bool) = (try row["root_holds"], try row["is_past"])
        return UndoneEdit(
            revision: try row["revision"], by: try row["edited_by"],
            thing: DraftThing(kind: try row["kind"], id: try row["record"]) ?? .site,
            name: try row["name"], isUndone: undoes == nil ? undoneBy != nil : isPast,
            undoes: undoes,
            root: try row["root"], isRedo: undoes != nil && rootHolds)
    }
}
