import Geometry
import MapFormats
import Site
import SiteExchange

/// One import into a draft: the file, the choices, and what it is compared with.
struct ImportMerging: Sendable {
    /// A draft with the import in it.
    struct Outcome: Sendable {
        var document: SiteDocument
        var merge = MergeReport()
        var report = ImportReport()
    }

    let format: MapFormat
    let bytes: [UInt8]
    let options: ImportOptions
    /// The file as a site of its own; nil for a part of a site.
    var imported: ImportedSite?
    /// The draft as the format says it, if the file counts where both differ. Otherwise people's
    /// changes count.
    var echo: SiteDocument?
    /// The file as it was the last time.
    var base: SiteDocument?

    /// - Throws: the fault in the file.
    func outcome(in document: SiteDocument) throws -> Outcome {
        guard let imported else {
            let changed = try format.read(.bytes(bytes), into: document, options)
            let merge = ImportMerge(
                base: document, imported: changed.document, current: document)
            return Outcome(
                document: changed.document, merge: merge.report, report: changed.report)
        }
        if let echo {
            let merge = ImportMerge(
                preferring: imported.document, echo: echo, current: document)
            return Outcome(
                document: merge.document, merge: merge.report, report: imported.report)
        }
        // The last import's metres can't be compared if they are of another frame.
        let base = base?.frame == document.frame ? base : nil
        let merge = ImportMerge(base: base, imported: imported.document, current: document)
        return Outcome(document: merge.document, merge: merge.report, report: imported.report)
    }
}
