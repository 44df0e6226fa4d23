public import Events

/// A site as it was published, whole (topic `site`, key `site`).
public struct SitePublished: Hashable, Sendable {
    public var site: SiteID
    /// Counts publications from 1.
    public var version: Int
    public var publishedAt: Timestamp
    public var document: SiteDocument

    public init(site: SiteID, version: Int, publishedAt: Timestamp, document: SiteDocument) {
        self.site = site
        self.version = version
        self.publishedAt = publishedAt
        self.document = document
    }
}
