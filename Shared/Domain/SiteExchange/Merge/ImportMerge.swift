import Events
public import Site

/// Merges a new version of an imported file into a site that people have edited since the last
/// import.
///
/// Records are matched by id and merged field by field. A field that only the file changed gets the
/// file's value. A field that people changed, and a record that they added, stay. A field that both
/// changed differently stays as people have it and is listed as a conflict. Merging the same file
/// again changes nothing. All three documents use the site's own frame, which no file moves.
public struct ImportMerge: Sendable {
    /// The merged site. The caller must validate it before publishing it.
    public let document: SiteDocument
    public let report: MergeReport

    /// - Parameters:
    ///   - base: the file as it was imported last; nil for the first import.
    ///   - imported: the file as it is now.
    ///   - current: the site with the changes that people made.
    public init(base: SiteDocument?, imported: SiteDocument, current: SiteDocument) {
        var merge = DocumentMerge(base: base, imported: imported, current: current)
        merge.settle()
        (document, report) = merge.fitting()
    }
}

private struct DocumentMerge {
    private let current: SiteDocument
    private(set) var report = MergeReport()
    /// The site, with its own fields merged.
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

    /// The merged site. A new fact of the file is left out where people have changed the kind of
    /// its connection, and it does not fit.
    func fitting() -> (SiteDocument, MergeReport) {
        var (document, report) = (document, report)
        for misfit in document.removeUnfittingFacts(after: current) {
            report.add(
                MergeConflict(
                    reason: .bothChanged, kind: ConnectionRecord.kind.title,
                    id: misfit.connection.text, field: misfit.fact))
        }
        return (document, report)
    }

    /// Repeats until no record names a missing one. A restored or removed record may itself be
    /// named by others. Each record is restored, reverted and removed at most once, so this ends.
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
        // The site's own fields count as one record.
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
