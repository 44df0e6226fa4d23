import Site

/// The merge of the records of one kind, without its type parameter.
protocol KindMerge {
    /// The records that others may name.
    var things: [SiteThing] { get }
    /// Records that the file no longer has and nobody has edited. They are restored if a record
    /// names them.
    var restorable: [SiteThing] { get }
    mutating func settle(
        known: Set<SiteThing>, restorable: Set<SiteThing>, missing: inout Set<SiteThing>,
        report: inout MergeReport
    ) -> Bool
    mutating func restore(_ missing: Set<SiteThing>, report: inout MergeReport)
    func count(into report: inout MergeReport)
    func put(into document: inout SiteDocument)
}

/// The three-way merge of the records of one kind.
struct RecordMerge<Record: SiteRecord>: KindMerge {
    /// In the order of the current site; new records come last, in the order of the file.
    private(set) var merged: [Record]
    private let current: [String: Record]
    /// The ids of records that the file no longer has and people have not changed.
    private(set) var removed: Set<String> = []
    private var isReverted: Set<String> = []

    init(
        base: [Record]?, imported: [Record], current records: [Record],
        report: inout MergeReport
    ) {
        let before = byKey(base ?? [])
        let file = byKey(imported)
        current = byKey(records)
        merged = []
        merged.reserveCapacity(records.count)
        let fields = MergeField.groups(of: Record.fields)
        for record in records {
            guard let theirs = file[record.idText] else {
                guard let old = before[record.idText] else {
                    merged.append(record)
                    continue
                }
                if old == record {
                    removed.insert(record.idText)
                } else {
                    merged.append(record)
                    report.add(conflict(.removedInFile, record))
                }
                continue
            }
            merged.append(Self.merge(before[record.idText], theirs, record, fields, &report))
        }
        for theirs in imported where current[theirs.idText] == nil {
            guard let old = before[theirs.idText] else {
                merged.append(theirs)
                continue
            }
            // People removed the record. That is a conflict only if the file has changed it.
            if old != theirs { report.add(conflict(.removedByPeople, theirs)) }
        }
    }

    private static func merge(
        _ base: Record?, _ imported: Record, _ current: Record, _ fields: [MergeField<Record>],
        _ report: inout MergeReport
    ) -> Record {
        guard imported != current, imported != base else { return current }
        if current == base { return imported }
        var merged = current
        for field in fields {
            switch field.merge(base, imported, &merged) {
            case .kept, .taken: break
            case .conflict(let inFile, let kept):
                report.add(
                    MergeConflict(
                        reason: .bothChanged, kind: Record.kind.title, id: current.idText,
                        field: field.name, inFile: inFile, kept: kept))
            }
        }
        return merged
    }

    /// Reverts or removes records that name a missing one. Returns whether anything changed.
    ///
    /// - Parameters:
    ///   - known: the records that exist.
    ///   - restorable: the missing records that can be restored.
    ///   - missing: receives the missing records that must be restored because they are named.
    mutating func settle(
        known: Set<SiteThing>, restorable: Set<SiteThing>, missing: inout Set<SiteThing>,
        report: inout MergeReport
    ) -> Bool {
        var changed = false
        var settled: [Record] = []
        settled.reserveCapacity(merged.count)
        for record in merged {
            let lost = record.references.filter { !known.contains($0) }
            guard !lost.isEmpty else {
                settled.append(record)
                continue
            }
            if lost.allSatisfy(restorable.contains) {
                missing.formUnion(lost)
                settled.append(record)
            } else if let old = current[record.idText], old != record,
                isReverted.insert(record.idText).inserted
            {
                report.add(conflict(.namesRemoved, record))
                settled.append(old)
            } else {
                report.add(conflict(.namesRemoved, record))
            }
            changed = true
        }
        merged = settled
        return changed
    }

    var things: [SiteThing] { merged.map(\.thing) }
    var restorable: [SiteThing] { removed.compactMap { current[$0]?.thing } }

    /// Restores the records that are still named.
    mutating func restore(_ missing: Set<SiteThing>, report: inout MergeReport) {
        let back = removed.intersection(
            missing.filter { $0.kind == Record.kind.name }.map(\.id))
        guard !back.isEmpty else { return }
        removed.subtract(back)
        for key in back.sorted() {
            guard let record = current[key] else { continue }
            merged.append(record)
            report.add(conflict(.stillNamed, record))
        }
    }

    /// Adds the changes of the records to the report.
    func count(into report: inout MergeReport) {
        var counts = MergeReport.Counts()
        var left = current
        for record in merged {
            guard let old = left.removeValue(forKey: record.idText) else {
                counts.added += 1
                continue
            }
            if old != record { counts.changed += 1 }
        }
        counts.removed = left.count
        if counts != MergeReport.Counts() { report.counts[Record.kind.title] = counts }
    }

    func put(into document: inout SiteDocument) { document[keyPath: Record.records] = merged }

    private func conflict(_ reason: MergeConflict.Reason, _ record: Record) -> MergeConflict {
        MergeConflict(reason: reason, kind: Record.kind.title, id: record.idText)
    }
}

/// The first record of each id.
private func byKey<Record: SiteRecord>(_ records: [Record]) -> [String: Record] {
    Dictionary(records.map { ($0.idText, $0) }, uniquingKeysWith: { first, _ in first })
}
