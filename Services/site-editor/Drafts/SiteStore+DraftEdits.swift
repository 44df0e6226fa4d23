import Events
import Postgres
import ServiceHost
import Site
import Wire

/// Edits of a draft that come in numbers, perhaps from somebody who was offline for an hour.
extension SiteStore {
    /// The most edits in one transaction, where each is made by itself. Other editors of the site
    /// wait that long.
    private static let editsAtOnce = 50

    struct MadeEdits: Sendable {
        /// The draft has it after them.
        var revision: Int
        var results: [DraftEditResult]
    }

    /// One of the edits is refused, so none is made. Its transaction is rolled back.
    private struct WithheldEdits: Error {
        var made: MadeEdits
    }

    /// Makes edits, each by itself in their order, or all together. An edit whose id was sent
    /// before gives its first result again.
    ///
    /// - Throws: `UnknownSite`. The fault of an edit is in its result.
    func make(
        _ submission: DraftEditSubmission, at site: SiteID, by author: DraftAuthor,
        _ moment: Timestamp
    ) async throws -> MadeEdits {
        var made = MadeEdits(revision: 0, results: [])
        let atOnce = submission.isTogether ? submission.edits.count : Self.editsAtOnce
        let ids = submission.edits.map(\.id)
        for start in stride(from: 0, to: submission.edits.count, by: atOnce) {
            let some = Array(
                submission.edits[start..<min(start + atOnce, submission.edits.count)])
            let outcome = try await makeAtOnce(
                some, isTogether: submission.isTogether, besides: ids, at: site, by: author,
                moment)
            made.revision = outcome.revision
            made.results += outcome.results
        }
        return made
    }

    private func makeAtOnce(
        _ edits: [SubmittedDraftEdit], isTogether: Bool, besides ids: [EventID],
        at site: SiteID, by author: DraftAuthor, _ moment: Timestamp
    ) async throws -> MadeEdits {
        do {
            let (made, draft) = try await pool.withTransaction { connection in
                try Self.lock(site, connection: connection)
                let draft = try presentDraft(
                    of: site, expectedRevision: nil, connection: connection)
                var making = try DraftEditMaking(
                    edits, besides: ids, draft, by: author, at: moment, connection: connection)
                for edit in edits { try making.make(edit, self, connection: connection) }
                let made = MadeEdits(
                    revision: making.draft.revision, results: making.results)
                if isTogether, made.results.contains(where: \.isRefused) {
                    throw WithheldEdits(
                        made: MadeEdits(revision: draft.revision, results: making.withheld))
                }
                try write(making.writings, of: site, connection: connection)
                try DraftJournal.noteUnchanged(
                    making.unchanged, of: site, at: moment, connection: connection)
                return (made, making.writings.isEmpty ? nil : making.draft)
            }
            if let draft { announce(draft, at: moment) }
            return made
        } catch let withheld as WithheldEdits {
            return withheld.made
        }
    }
}
