import Events
import Postgres
import Site
import Wire

/// The edits of processes of the release before, which store each draft as a document and keep no
/// journal. An upgrade finds up to 50, and such a process may still run beside this one.
extension SiteStore {
    private struct FormerRow {
        var revision: Int
        var parent: Int?
        var editedAt: Timestamp
    }

    /// Writes the journal of edits that have none, in a transaction that holds the site's lock.
    func adopt(
        _ latest: Latest, of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        guard latest.revision > 0 else { return }
        let bounds = try DraftJournal.bounds(of: site, connection: connection)
        let last = bounds?.upperBound
        guard last != latest.revision else { return }
        let rows = try connection.query(
            """
            SELECT revision, parent, edited_at FROM site_editor.drafts
            WHERE site = $1 ORDER BY revision
            """, [.text(site.text)]
        ).map { row in
            FormerRow(
                revision: try row["revision"], parent: try row["parent"],
                editedAt: Timestamp(microseconds: try row["edited_at"]))
        }
        // Without the row before it, nobody knows what an edit changed.
        let first = rows.indices.last { index in
            index == 0 || rows[index - 1].revision != rows[index].revision - 1
                || rows[index - 1].revision == last
        }
        guard let first else { return }
        let isContinued = first > 0 && rows[first - 1].revision == last
        if !isContinued, bounds != nil, (last ?? 0) < latest.revision {
            // Edits between are unknown, so those before them can't be undone any more.
            for table in DraftJournal.tables {
                try connection.query(
                    "DELETE FROM \(table) WHERE site = $1", [.text(site.text)])
            }
        }
        let entries = try entries(
            Array(rows[(isContinued ? first - 1 : first)...]), isContinued, of: site, connection)
        try DraftJournal.append(entries, of: site, connection: connection)
    }

    /// The edits that lead from row to row.
    private func entries(
        _ rows: [FormerRow], _ isContinued: Bool, of site: SiteID,
        _ connection: isolated PostgresConnection
    ) throws -> [DraftEntry] {
        guard let base = rows.first, rows.count > 1 else { return [] }
        let effective = effectiveEdits(rows)
        var entries: [DraftEntry] = []
        var before = try stored(base.revision, of: site, connection: connection).document
        for (former, row) in zip(rows, rows.dropFirst()) {
            let after = try stored(row.revision, of: site, connection: connection).document
            let changes = DraftChange.between(before, after)
            let undoes = row.parent == former.revision ? nil : effective[former.revision] ?? nil
            let thing = changes.count == 1 ? changes[0].thing : .site
            entries.append(
                DraftEntry(
                    revision: row.revision, at: row.editedAt,
                    action: undoes == nil ? Self.action(of: changes) : .undo, thing: thing,
                    name: changes.first { $0.thing == thing }?.name, changes: changes,
                    undoes: undoes, root: undoes))
            before = after
        }
        return entries
    }

    /// The edit whose result each row shows: its own, or, for an undo, the one before the undone
    /// one. Nil where that is older than the rows.
    private func effectiveEdits(_ rows: [FormerRow]) -> [Int: Int?] {
        let parents = Dictionary(uniqueKeysWithValues: rows.map { ($0.revision, $0.parent) })
        var effective: [Int: Int?] = [:]
        for (number, row) in rows.enumerated() {
            if number == 0 {
                effective[row.revision] = .some(nil)
            } else if row.parent == row.revision - 1 {
                effective[row.revision] = .some(row.revision)
            } else {
                let shown = (parents[row.revision - 1] ?? nil).flatMap { effective[$0] ?? nil }
                effective[row.revision] = .some(shown)
            }
        }
        return effective
    }

    private static func action(of changes: [DraftChange]) -> DraftAction {
        guard changes.count == 1, let change = changes.first else { return .replace }
        return change.after == nil ? .remove : change.before == nil ? .put : .patch
    }
}
