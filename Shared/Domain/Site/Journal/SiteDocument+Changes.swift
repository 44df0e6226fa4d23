import Events

extension SiteDocument {
    /// Makes changes that were made before, in a document as it was then.
    public mutating func apply(_ changes: [DraftChange]) {
        let byKind = Dictionary(grouping: changes) { $0.thing.kind }
        for type in RecordKind.all {
            if let some = byKind[type.kind.name] { apply(some, of: type) }
        }
        for change in byKind[DraftThing.siteKind] ?? [] { applySite(change) }
    }

    private mutating func apply<Record: SiteRecord>(
        _ changes: [DraftChange], of _: Record.Type
    ) {
        var gone: Set<String> = []
        var replaced: [String: Record] = [:]
        var added: [(place: Int, record: Record)] = []
        for change in changes {
            guard case .record(let value)? = change.after, let record = value as? Record else {
                gone.insert(change.thing.id)
                continue
            }
            if change.before == nil {
                added.append((change.place ?? .max, record))
            } else {
                replaced[record.idText] = record
            }
        }
        if !replaced.isEmpty { replace(replaced) }
        if !gone.isEmpty {
            self[keyPath: Record.records].removeAll { gone.contains($0.idText) }
        }
        for (place, record) in added.sorted(by: { $0.place < $1.place }) {
            let end = self[keyPath: Record.records].count
            self[keyPath: Record.records].insert(record, at: min(place, end))
        }
    }

    private mutating func replace<Record: SiteRecord>(_ records: [String: Record]) {
        for index in self[keyPath: Record.records].indices {
            guard let record = records[self[keyPath: Record.records][index].idText] else {
                continue
            }
            self[keyPath: Record.records][index] = record
            if records.count == 1 { return }
        }
    }

    private mutating func applySite(_ change: DraftChange) {
        guard case .site(let before)? = change.before, case .site(let after)? = change.after
        else { return }
        for field in SiteDocument.fields
        where field.name != "surveyDiscards" && !field.isSame(before, after) {
            field.copy(after, &self)
        }
        let gone = Set(before.surveyDiscards)
        if !gone.isEmpty { surveyDiscards.removeAll { gone.contains($0) } }
        surveyDiscards += after.surveyDiscards
    }
}
