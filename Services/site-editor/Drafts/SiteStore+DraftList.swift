import Events
import Postgres
import Site
import Wire

extension SiteStore {
    /// The edits of a draft that a reader may see.
    struct SeenEdits: Sendable {
        var edits: [ListedDraftEdit]
        /// The revision up to which they were read; some may not be for the reader.
        var revision: Int
        /// Whether there are more.
        var hasMore: Bool
    }

    /// The edits after a revision, the oldest first.
    ///
    /// - Parameter revision: nil for all that are kept.
    /// - Throws: `DraftRefusal.gone` where edits after the revision are gone, or it is ahead of the
    ///   draft.
    func edits(
        of site: SiteID, after revision: Int?, limit: Int, for author: DraftAuthor
    ) async throws -> SeenEdits {
        let namingTokens = author.reader == .editor
        let read = try await pool.withTransaction { connection in
            guard let latest = try Self.latest(of: site, connection: connection) else {
                throw UnknownSite(site: site)
            }
            var bounds = try DraftJournal.bounds(of: site, connection: connection)
            if latest.revision > 0, bounds?.upperBound != latest.revision {
                try Self.lock(site, connection: connection)
                let latest = try Self.latest(of: site, connection: connection)
                if let latest { try adopt(latest, of: site, connection: connection) }
                bounds = try DraftJournal.bounds(of: site, connection: connection)
            }
            let first = bounds?.lowerBound ?? latest.revision + 1
            let last = max(latest.revision, bounds?.upperBound ?? 0)
            let after = revision ?? first - 1
            guard after >= first - 1 else {
                throw DraftRefusal.gone(
                    "The edits after revision \(after) are gone up to \(first - 1).")
            }
            guard after <= last else {
                throw DraftRefusal.gone(
                    "The draft is at revision \(last), before \(after): it was restored.")
            }
            let edits = try DraftJournal.listed(
                after: after, limit: limit, of: site, namingTokens: namingTokens,
                connection: connection)
            return (edits: edits, last: edits.last?.revision ?? after)
        }
        var seen = read.edits
        if !namingTokens, !seen.isEmpty, let draft = try await draft(of: site) {
            let sight = DraftSight(draft, for: author)
            seen = []
            for edit in read.edits {
                let known = try await sight.seen(edit) { try await changes(of: edit, at: site) }
                if let known { seen.append(known) }
            }
        }
        return SeenEdits(
            edits: seen, revision: read.last, hasMore: read.edits.count == limit)
    }

    private func changes(of edit: ListedDraftEdit, at site: SiteID) async throws -> [DraftChange] {
        try await pool.withTransaction { connection in
            try DraftJournal.changes(
                after: edit.revision - 1, through: edit.revision, of: site,
                connection: connection
            ).flatMap(\.changes)
        }
    }
}
