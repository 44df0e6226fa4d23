import Events

extension SiteDraft {
    /// The draft without an earlier edit. Later edits stay.
    ///
    /// - Parameters:
    ///   - changes: those of the edit.
    ///   - later: those of later edits that hold, by their things.
    /// - Throws: `changedSince` where a later edit touched a member that this one changed. It is
    ///   `stillNamed` where a later one names a record that this one had added.
    public func undoing(
        _ changes: [DraftChange], before later: [DraftThing: [EarlierChange]] = [:]
    ) throws(SiteRefusal) -> DraftStep {
        var inverses: [DraftChange] = []
        for change in changes {
            // Values alone don't show an edit that brought back the same value.
            if later[change.thing, default: []].contains(where: { change.isTouched(by: $0) }) {
                throw .changedSince(change.thing)
            }
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

extension DraftChange {
    /// Whether another change touches the same members. Discards of surveys are added and taken
    /// away one by one.
    fileprivate func isTouched(by other: EarlierChange) -> Bool {
        let discards: Set = ["surveyDiscards"]
        return DraftMembers.overlap(
            members?.subtracting(discards), other.members?.subtracting(discards))
    }
}

extension SiteDocument {
    /// The change that takes back another one; nil where there is nothing to take back.
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
        earlier.surveyDiscards = before.surveyDiscards
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
            guard members.allSatisfy({ $0.isSame(now, after) }) else { return nil }
            for field in members { field.copy(before, &earlier) }
        }
        for field in changed {
            guard let path = field.languages else { continue }
            let (was, made) = (before[keyPath: path].byLanguage, after[keyPath: path].byLanguage)
            let present = now[keyPath: path].byLanguage
            for language in Set(was.keys).union(made.keys) where was[language] != made[language] {
                guard present[language] == made[language] else { return nil }
                earlier[keyPath: path].byLanguage[language] = was[language]
            }
        }
        return earlier
    }
}
