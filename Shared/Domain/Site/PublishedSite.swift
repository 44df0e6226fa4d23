/// A published version of a site, indexed.
public struct PublishedSite: Sendable {
    public let version: Int
    public let index: SiteIndex
    private let views: SiteViews

    public init(version: Int, index: SiteIndex) {
        self.version = version
        self.index = index
        views = SiteViews(index)
    }

    /// The site as the reader may see it. It is made when it is first asked for.
    public func seen(by reader: Reader) -> SeenSite {
        let index = views.index(for: reader)
        return SeenSite(
            version: version, reader: reader, index: index, isFiltered: index !== self.index)
    }

    /// - Throws: `SiteFaults` if the document breaks a rule.
    public init(_ event: SitePublished) throws(SiteFaults) {
        self.init(version: event.version, index: try SiteIndex(event.document))
    }
}
