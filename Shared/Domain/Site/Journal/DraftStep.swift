public import Events

/// A draft after an edit, with what the edit changed.
public struct DraftStep: Sendable {
    public var draft: SiteDraft
    public var changes: [DraftChange]
    /// Whether the changes alone lead from the draft before to this one. Otherwise, such as where
    /// an import sorts the records, the document has to be stored with them.
    public var isReplayable: Bool
}

extension SiteDraft {
    /// The draft after the edit, with its changes; nil if it changes nothing.
    ///
    /// The result has no fault that the draft did not have. So publishing an edited draft succeeds,
    /// and a site published under older, laxer rules can be repaired step by step.
    public func step(_ edit: SiteEdit, at moment: Timestamp) throws(SiteRefusal) -> DraftStep? {
        var changed = document
        var changes: [DraftChange]?
        var isWholeChecked = false
        switch edit {
        case .put(let record): changes = try changed.putRecord(record, after: document)
        case .remove(let thing, let isCascading):
            try changed.remove(thing, isCascading: isCascading, at: moment)
        case .clear(let place): try changed.clear(place, at: moment)
        case .linkLocations: changed.linkLocations()
        case .link(let one, let other): try changed.link(one, other)
        case .replace(let document): (changed, isWholeChecked) = (document, true)
        case .rewrite(let edited):
            (changed, isWholeChecked) = (try edited.rewritten(after: document), true)
        }
        let isOrdinary = changes != nil
        guard isOrdinary ? changes?.isEmpty == false : changed != document else { return nil }
        let made = changes ?? DraftChange.between(document, changed)
        try changed.checkBorrowing(as: site)
        try check(made, to: changed, isWhole: isWholeChecked)
        return DraftStep(
            draft: SiteDraft(site: site, revision: revision + 1, document: changed), changes: made,
            isReplayable: isOrdinary || leads(to: changed, by: made))
    }

    /// Refuses changes that add a fault.
    ///
    /// - Parameter isWhole: whether every record is checked, instead of those that the changes may
    ///   have spoilt.
    func check(
        _ changes: [DraftChange], to changed: SiteDocument, isWhole: Bool
    ) throws(SiteRefusal) {
        let new =
            isWhole
            ? SiteValidation.faults(from: document, to: changed)
            : SiteValidation.faults(of: changes, from: document, to: changed)
        guard new.isEmpty else { throw .invalid(SiteFaults(new)) }
    }

    private func leads(to changed: SiteDocument, by changes: [DraftChange]) -> Bool {
        var replayed = document
        replayed.apply(changes)
        return replayed == changed
    }
}

extension SiteDocument {
    /// Puts a record, and returns the change; empty where it is there already.
    fileprivate mutating func putRecord<Record: SiteRecord>(
        _ record: Record, after document: SiteDocument
    ) throws(SiteRefusal) -> [DraftChange] {
        let former: Record? = document.record(record.thing)
        put(record)
        var present = record
        if let way = record as? ConnectionRecord {
            try SiteDocument.checkFacts(of: [way], after: document)
            settleRises(after: document)
            let settled: Record? = self.record(record.thing)
            present = settled ?? record
        }
        guard former != present else { return [] }
        let place = former == nil ? self[keyPath: Record.records].count - 1 : nil
        return [
            DraftChange(
                .record(record.thing), before: former.map { .record($0) },
                after: .record(present), place: place)
        ]
    }
}
