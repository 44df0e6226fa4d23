import Events
public import Site

/// A file as a site: a document that `SiteValidation` finds nothing wrong with, and how it came
/// about.
public struct ImportedSite: Hashable, Sendable {
    public var document: SiteDocument
    public var report: ImportReport

    public init(document: SiteDocument, report: ImportReport) {
        self.document = document
        self.report = report
    }
}
