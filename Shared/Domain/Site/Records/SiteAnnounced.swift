public import Events

/// A site was published (topic `site`, key `site`). The document is in pieces on the topic
/// `site-documents`; all of them are durable before this event.
public struct SiteAnnounced: Hashable, Sendable {
    public var site: SiteID
    /// The number of this publication, from 1.
    public var version: Int
    public var publishedAt: Timestamp
    /// SHA-256 of the document's bytes, in lower-case hex.
    public var hash: String
    /// The bytes of the document.
    public var byteCount: Int
    /// The number of pieces.
    public var pieces: Int

    public init(
        site: SiteID, version: Int, publishedAt: Timestamp, hash: String, byteCount: Int,
        pieces: Int
    ) {
        self.site = site
        self.version = version
        self.publishedAt = publishedAt
        self.hash = hash
        self.byteCount = byteCount
        self.pieces = pieces
    }
}
