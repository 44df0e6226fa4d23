import Events
import Site
import Wire

/// The edits of a draft that a reader may see. An edit of a hidden room is not for the staff.
struct DraftSight: Sendable {
    /// The most changed things of an edit about which a document as it was before is made.
    private static let mostChanged = 1_000

    let draft: SiteDraft
    let author: DraftAuthor
    private let seen: SiteDocument

    init(_ draft: SiteDraft, for author: DraftAuthor) {
        (self.draft, self.author) = (draft, author)
        seen = author.seen(draft.document)
    }

    var seesAll: Bool { author.reader == .editor }

    /// The edit without things that are not for the reader; nil where its own is not.
    ///
    /// - Parameter changes: returns those of the edit. They are needed where a thing of it is gone.
    func seen(
        _ edit: ListedDraftEdit, changes: () async throws -> [DraftChange]
    ) async rethrows -> ListedDraftEdit? {
        guard !seesAll else { return edit }
        var edit = edit
        var before: SiteDocument?
        if (edit.changed + [edit.thing]).contains(where: isGone) {
            guard edit.changedCount <= Self.mostChanged else { return nil }
            let gone = try await changes().filter { isGone($0.thing) }
            var document = draft.document
            document.apply(
                gone.map { DraftChange($0.thing, before: nil, after: $0.after ?? $0.before) })
            before = author.seen(document)
        }
        func shows(_ thing: DraftThing) -> Bool {
            guard case .record(let record) = thing else { return true }
            return seen.contains(record) || isGone(thing) && before?.contains(record) == true
        }
        guard shows(edit.thing) else { return nil }
        edit.changed = edit.changed.filter(shows)
        return edit
    }

    private func isGone(_ thing: DraftThing) -> Bool {
        guard case .record(let record) = thing else { return false }
        return !draft.document.contains(record)
    }
}
