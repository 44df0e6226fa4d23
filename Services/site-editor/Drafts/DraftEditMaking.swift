import Access
import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// Makes the edits of one request one after the other, in memory. They are stored afterwards.
struct DraftEditMaking {
    private(set) var draft: SiteDraft
    private(set) var results: [DraftEditResult] = []
    /// The edits that change something, to be stored.
    private(set) var writings: [DraftWriting] = []
    /// Those that change nothing.
    private(set) var unchanged: [(id: EventID, revision: Int)] = []
    private let author: DraftAuthor
    private let moment: Timestamp
    private var known: [EventID: DraftJournal.Known]
    /// The changes of others to the same things since the edits' senders read them.
    private let earlier: [DraftThing: [DraftJournal.Earlier]]
    /// The revisions on which an edit can be based.
    private let bases: ClosedRange<Int>

    /// Somebody else touched the same members.
    private struct Conflict: Error {
        var theirs: DraftJournal.Earlier
    }

    /// - Parameter ids: those of all edits of the request. A sender who edits a record twice is not
    ///   in conflict with themselves.
    init(
        _ edits: [SubmittedDraftEdit], besides ids: [EventID], _ draft: SiteDraft,
        by author: DraftAuthor, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        (self.draft, self.author, self.moment) = (draft, author, moment)
        let site = draft.site
        known = try DraftJournal.known(edits.map(\.id), of: site, connection: connection)
        let first = try DraftJournal.bounds(of: site, connection: connection)?.lowerBound
        bases = min(first.map { $0 - 1 } ?? draft.revision, draft.revision)...draft.revision
        let based = edits.compactMap(\.basedOn)
        earlier =
            try based.min().map { oldest in
                try DraftJournal.earlier(
                    of: Set(edits.map(\.thing)), after: oldest, without: ids, at: site,
                    namingTokens: author.reader == .editor, connection: connection)
            } ?? [:]
    }

    /// The results where all edits are withheld, since one is refused.
    var withheld: [DraftEditResult] {
        results.map { result in
            guard case .made = result.outcome, known[result.id]?.isOfBefore != true else {
                return result
            }
            let problem = Problem(
                .draftEditWithheld, "Another edit of the same request was refused.")
            return DraftEditResult(id: result.id, .refused(RefusedDraftEdit(problem, of: nil)))
        }
    }

    /// - Throws: only what is no fault of the edit, such as a lost connection.
    mutating func make(
        _ edit: SubmittedDraftEdit, _ store: SiteStore, connection: isolated PostgresConnection
    ) throws {
        do {
            if let former = known[edit.id] {
                try expectSame(edit, former)
                results.append(DraftEditResult(id: edit.id, .made(revision: former.revision)))
                return
            }
            try expectKnownBase(edit)
            let revision = try makeNew(edit, store, connection)
            results.append(DraftEditResult(id: edit.id, .made(revision: revision)))
        } catch {
            guard let refusal = refusal(of: edit, error) else { throw error }
            results.append(DraftEditResult(id: edit.id, .refused(refusal)))
        }
    }

    private mutating func makeNew(
        _ edit: SubmittedDraftEdit, _ store: SiteStore, _ connection: isolated PostgresConnection
    ) throws -> Int {
        if case .record(let thing) = edit.thing {
            try author.checkSees([thing], in: draft.document)
        }
        guard let step = try step(edit) else {
            unchanged.append((edit.id, draft.revision))
            known[edit.id] = DraftJournal.Known(revision: draft.revision, isOfBefore: false)
            return draft.revision
        }
        try author.checkMaking(step, after: draft)
        let writing = DraftWriting(
            step, after: draft, by: author.id,
            DraftNote(action: edit.journalled, thing: edit.thing), id: edit.id, at: moment)
        // A missing file is the fault of this edit, so it is looked for now.
        _ = try store.checkMedia(writing, of: draft.site, connection: connection)
        writings.append(writing)
        draft = step.draft
        known[edit.id] = DraftJournal.Known(
            revision: draft.revision, by: author.id, action: edit.journalled.rawValue,
            thing: edit.thing, isOfBefore: false)
        return draft.revision
    }

    /// Nil where the edit changes nothing.
    private func step(_ edit: SubmittedDraftEdit) throws -> DraftStep? {
        switch (edit.action, edit.thing) {
        case (.put(let json), .record(let thing)):
            let record = try RecordKind.sent(json, as: thing, in: draft.document)
            if let now = draft.document.anyRecord(thing), now.isSame(as: record) { return nil }
            try expectNoConflict(edit, touching: nil)
            return try put(record)
        case (.patch(let json), .record(let thing)):
            guard let now = draft.document.anyRecord(thing) else {
                try expectNoConflict(edit, touching: nil)
                throw SiteRefusal.unknown(thing)
            }
            let (record, members) = try RecordKind.patched(now, with: json, in: draft.document)
            if now.isSame(as: record) { return nil }
            try expectNoConflict(edit, touching: members)
            return try put(record)
        case (.patch(let json), .site):
            guard author.rights.tasks.contains(.everythingElse) else {
                throw Problem.roleNotAllowed
            }
            let (document, members) = try draft.document.patchedItself(with: json)
            guard document != draft.document else { return nil }
            try expectNoConflict(edit, touching: members)
            return try draft.step(.rewrite(document), at: moment)
        case (.remove(let isCascading), .record(let thing)):
            if draft.document.anyRecord(thing) == nil, isRemovedSince(edit) { return nil }
            try expectNoConflict(edit, touching: nil)
            return try draft.step(.remove(thing, isCascading: isCascading), at: moment)
        case (.put, .site), (.remove, .site):
            throw WireFault(.fieldOutOfRange, path: "do", "the site itself is only patched")
        }
    }

    private func put(_ record: any SiteRecord) throws -> DraftStep? {
        try (record as? BuildingRecord)?.checkZone(after: draft.document)
        try author.checkSees(record.references, in: draft.document)
        return try draft.step(.put(record), at: moment)
    }

    // MARK: Conflicts

    private func expectNoConflict(
        _ edit: SubmittedDraftEdit, touching members: Set<String>?
    ) throws {
        let others = earlier[edit.thing] ?? []
        let conflicting = others.map(\.change).conflicting(with: members, basedOn: edit.basedOn)
        guard let conflicting else { return }
        guard let theirs = others.last(where: { $0.change.revision == conflicting.revision })
        else { return }
        throw Conflict(theirs: theirs)
    }

    /// Whether somebody removed the record since the sender read it.
    private func isRemovedSince(_ edit: SubmittedDraftEdit) -> Bool {
        guard let basedOn = edit.basedOn else { return false }
        return (earlier[edit.thing] ?? []).contains {
            $0.isRemoval && $0.change.revision > basedOn
        }
    }

    private func expectSame(
        _ edit: SubmittedDraftEdit, _ former: DraftJournal.Known
    ) throws {
        guard let thing = former.thing else { return }
        guard thing == edit.thing, former.action == edit.journalled.rawValue,
            former.by == author.id
        else { throw DraftRefusal.idInUse }
    }

    private func expectKnownBase(_ edit: SubmittedDraftEdit) throws {
        guard let basedOn = edit.basedOn, !bases.contains(basedOn) else { return }
        throw DraftRefusal.gone(
            "Revision \(basedOn) can't be compared with the draft, which is at "
                + "\(draft.revision).")
    }

    // MARK: Refusals

    /// Nil for an error that is no fault of the edit.
    private func refusal(of edit: SubmittedDraftEdit, _ error: any Error) -> RefusedDraftEdit? {
        switch error {
        case let conflict as Conflict:
            return RefusedDraftEdit(
                Problem(
                    .draftEditConflict,
                    "Somebody changed this \(edit.thing.title) since you read it."),
                of: edit.thing,
                theirs: RefusedDraftEdit.Theirs(
                    value: value(of: edit.thing), by: conflict.theirs.by, at: conflict.theirs.at))
        case let refusal as SiteRefusal:
            var dependents: [SiteThing] = []
            if case .stillNamed(_, let things) = refusal { dependents = things }
            return RefusedDraftEdit(refusal.problem, of: edit.thing, dependents: dependents)
        case let fault as WireFault: return RefusedDraftEdit(Problem(fault), of: edit.thing)
        case let problem as Problem: return RefusedDraftEdit(problem, of: edit.thing)
        case let refusal as any ClientRefusal:
            return RefusedDraftEdit(refusal.problem, of: edit.thing)
        default: return nil
        }
    }

    /// The thing as it is now, as far as the author may see it.
    private func value(of thing: DraftThing) -> DraftValue? {
        switch thing {
        case .site: .site(author.seen(draft.document).bare)
        case .record(let thing): author.seen(draft.document).anyRecord(thing).map { .record($0) }
        }
    }
}

extension RefusedDraftEdit {
    init(
        _ problem: Problem, of thing: DraftThing?, theirs: Theirs? = nil,
        dependents: [SiteThing] = []
    ) {
        self.init(
            status: problem.status, code: problem.code, title: problem.title,
            detail: problem.detail, thing: thing, theirs: theirs, dependents: dependents)
    }
}

extension SubmittedDraftEdit {
    /// The edit's word in the journal.
    fileprivate var journalled: DraftAction {
        switch action {
        case .put: .put
        case .patch: .patch
        case .remove: .remove
        }
    }
}

extension DraftThing {
    /// The kind for people, such as `floor plan`.
    var title: String { RecordKind.named(kind)?.kind.title ?? kind }
}
