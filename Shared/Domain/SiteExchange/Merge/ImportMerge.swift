import Events
public import Site

/// Brings a file that was imported before into the site that people have edited since.
///
/// Records are matched by id and merged field by field: what only the file changed is taken, what
/// people changed or added is kept, and what both changed in different ways stays as people have it
/// and is listed. The same file again changes nothing. All three documents are in the same frame:
/// the site's own, which no file moves.
public struct ImportMerge: Sendable {
    /// The site afterwards; `SiteValidation` has to say whether it may be published.
    public let document: SiteDocument
    public let report: MergeReport

    /// - Parameters:
    ///   - base: the file as it was imported last; nil where it never was.
    ///   - imported: the file as it is now.
    ///   - current: what people have.
    public init(base: SiteDocument?, imported: SiteDocument, current: SiteDocument) {
        var merge = DocumentMerge(base: base, imported: imported, current: current)
        merge.settle()
        document = merge.document
        report = merge.report
    }
}

private struct DocumentMerge {
    private let current: SiteDocument
    private(set) var report = MergeReport()
    /// The document's own fields are merged.
    private var site: SiteDocument
    /// The records of each kind, in the order of `RecordKind.all`.
    private var kinds: [any KindMerge] = []

    init(base: SiteDocument?, imported: SiteDocument, current: SiteDocument) {
        self.current = current
        site = current
        for field in MergeField.groups(of: SiteDocument.fields) {
            if case .conflict(let inFile, let kept) = field.merge(base, imported, &site) {
                report.add(
                    MergeConflict(
                        reason: .bothChanged, kind: "site", id: "", field: field.name,
                        inFile: inFile, kept: kept))
            }
        }
        for type in RecordKind.all {
            kinds.append(Self.merge(type, base, imported, current, &report))
        }
    }

    private static func merge<Record: SiteRecord>(
        _: Record.Type, _ base: SiteDocument?, _ imported: SiteDocument, _ current: SiteDocument,
        _ report: inout MergeReport
    ) -> any KindMerge {
        RecordMerge<Record>(
            base: base?[keyPath: Record.records], imported: imported[keyPath: Record.records],
            current: current[keyPath: Record.records], report: &report)
    }

    /// Goes on until no record names a missing one. A record that comes back or goes may itself be
    /// named. Each comes back, is reverted and goes at most once, so this ends.
    mutating func settle() {
        var changed = true
        while changed {
            changed = false
            var known: Set<SiteThing> = []
            var restorable: Set<SiteThing> = []
            for kind in kinds {
                known.formUnion(kind.things)
                restorable.formUnion(kind.restorable)
            }
            var missing: Set<SiteThing> = []
            for index in kinds.indices {
                let isChanged = kinds[index].settle(
                    known: known, restorable: restorable, missing: &missing, report: &report)
                changed = changed || isChanged
            }
            for index in kinds.indices { kinds[index].restore(missing, report: &report) }
        }
        count()
    }

    private mutating func count() {
        // Records aside.
        if site != current {
            var counts = MergeReport.Counts()
            counts.changed = 1
            report.counts["site"] = counts
        }
        for kind in kinds { kind.count(into: &report) }
    }

    var document: SiteDocument {
        var document = site
        for kind in kinds { kind.put(into: &document) }
        return document
    }
}
