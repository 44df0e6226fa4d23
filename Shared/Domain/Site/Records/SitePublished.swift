public import Events

/// A site was published, with its whole document (topic `site`, key `site`).
public struct SitePublished: Hashable, Sendable {
    public var site: SiteID
    /// The number of this publication, from 1.
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
