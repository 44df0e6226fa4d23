/// A published version of a site, indexed.
public struct PublishedSite: Sendable {
    public let version: Int
    public let index: SiteIndex

    public init(version: Int, index: SiteIndex) {
        self.version = version
        self.index = index
    }

    /// - Throws: `SiteFaults` if the document breaks a rule.
    public init(_ event: SitePublished) throws(SiteFaults) {
        self.init(version: event.version, index: try SiteIndex(event.document))
    }
}
