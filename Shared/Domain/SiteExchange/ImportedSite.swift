import Events
public import Site

/// A file as a site: a document that passes `SiteValidation`, and the report of the import.
public struct ImportedSite: Hashable, Sendable {
    public var document: SiteDocument
    public var report: ImportReport

    public init(document: SiteDocument, report: ImportReport) {
        self.document = document
        self.report = report
    }
}
