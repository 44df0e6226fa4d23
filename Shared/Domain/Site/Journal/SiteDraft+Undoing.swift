import Events

extension SiteDraft {
    /// The draft without an earlier edit. Later edits stay.
    ///
    /// - Parameter changes: those of the edit.
    /// - Throws: `changedSince` where a later edit touched a member that this one had changed, and
    ///   `stillNamed` where a later one names a record that this one had added.
    public func undoing(_ changes: [DraftChange]) throws(SiteRefusal) -> DraftStep {
        var inverses: [DraftChange] = []
        for change in changes {
            if let inverse = try document.inverse(of: change) { inverses.append(inverse) }
        }
        var earlier = document
        earlier.apply(inverses)
        for case .record(let thing) in inverses.lazy.filter({ $0.after == nil }).map(\.thing) {
            let dependents = earlier.dependents(of: thing)
            guard dependents.isEmpty else { throw .stillNamed(thing, by: dependents) }
        }
        try check(inverses, to: earlier, isWhole: false)
        return DraftStep(
            draft: SiteDraft(site: site, revision: revision + 1, document: earlier),
            changes: inverses, isReplayable: true)
    }
}

extension SiteDocument {
    /// The change that takes back another one; nil where somebody did so already.
    fileprivate func inverse(of change: DraftChange) throws(SiteRefusal) -> DraftChange? {
        switch change.thing {
        case .site: try inverseOfSite(change)
        case .record(let thing):
            try RecordKind.named(thing.kind).flatMap { (type) throws(SiteRefusal) in
                try inverse(of: change, thing, type)
            }
        }
    }

    private func inverse<Record: SiteRecord>(
        of change: DraftChange, _ thing: SiteThing, _: Record.Type
    ) throws(SiteRefusal) -> DraftChange? {
        let records = self[keyPath: Record.records]
        let place = records.firstIndex { $0.idText == thing.id }
        let now = place.map { records[$0] }
        let (before, after): (Record?, Record?) = (
            change.before?.record(), change.after?.record()
        )
        if now == before { return nil }
        let earlier: Record?
        if now == after {
            earlier = before
        } else if let now, let before, let after {
            earlier = RecordField.putBack(Record.fields, now, before, after)
            guard earlier != nil else { throw .changedSince(change.thing) }
        } else {
            throw .changedSince(change.thing)
        }
        let isAddedOrRemoved = now == nil || earlier == nil
        return DraftChange(
            change.thing, before: now.map { .record($0) }, after: earlier.map { .record($0) },
            place: isAddedOrRemoved ? place ?? change.place : nil)
    }

    private func inverseOfSite(_ change: DraftChange) throws(SiteRefusal) -> DraftChange? {
        guard case .site(let before)? = change.before, case .site(let after)? = change.after
        else { return nil }
        let fields = SiteDocument.fields.filter { $0.name != "surveyDiscards" }
        let now = bare
        guard var earlier = RecordField.putBack(fields, now, before.bare, after.bare) else {
            throw .changedSince(.site)
        }
        // Discards were added or taken away one by one.
        let present = Set(surveyDiscards)
        guard after.surveyDiscards.allSatisfy(present.contains) else {
            throw .changedSince(.site)
        }
        var here = now
        here.surveyDiscards = after.surveyDiscards
        earlier.surveyDiscards = before.surveyDiscards.filter { !present.contains($0) }
        guard here != earlier else { return nil }
        return DraftChange(.site, before: .site(here), after: .site(earlier))
    }
}

extension DraftValue {
    fileprivate func record<Record: SiteRecord>() -> Record? {
        guard case .record(let record) = self else { return nil }
        return record as? Record
    }
}

extension RecordField {
    /// The record as it is now, with the members put back in which an edit changed it; nil where
    /// one of these was changed since.
    fileprivate static func putBack(
        _ fields: [RecordField], _ now: Record, _ before: Record, _ after: Record
    ) -> Record? {
        var earlier = now
        let changed = fields.filter { !$0.isSame(before, after) }
        let groups = Set(changed.lazy.filter { $0.languages == nil }.map(\.merged))
        for group in groups {
            let members = fields.filter { $0.languages == nil && $0.merged == group }
            if members.allSatisfy({ $0.isSame(now, before) }) { continue }
            guard members.allSatisfy({ $0.isSame(now, after) }) else { return nil }
            for field in members { field.copy(before, &earlier) }
        }
        for field in changed {
            guard let path = field.languages else { continue }
            let (was, made) = (before[keyPath: path].byLanguage, after[keyPath: path].byLanguage)
            let present = now[keyPath: path].byLanguage
            for language in Set(was.keys).union(made.keys) where was[language] != made[language] {
                if present[language] == was[language] { continue }
                guard present[language] == made[language] else { return nil }
                earlier[keyPath: path].byLanguage[language] = was[language]
            }
        }
        return earlier
    }
}
