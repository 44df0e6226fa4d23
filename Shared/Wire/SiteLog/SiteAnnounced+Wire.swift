import Cryptography
public import Events
public import JSON
public import Site

extension SiteAnnounced: WireEvent {
    public static var eventType: EventType { .siteAnnounced }
    public static var eventTopic: Topic { .site }

    public var recordKey: [UInt8] { RecordKey.bytes(site) }
    public var eventID: String { "\(site.text)/\(version)" }
    public var eventTime: Timestamp? { publishedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("version", version)
        writer.field("publishedAt", publishedAt)
        writer.field("hash", hash)
        writer.field("byteCount", byteCount)
        writer.field("pieces", pieces)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            version: try fields.required("version").integer(in: 1...Int.max),
            publishedAt: try fields.required("publishedAt").time(),
            hash: try fields.required("hash").text(maximumBytes: 64),
            byteCount: try fields.required("byteCount").integer(in: 1...SiteLimits.documentBytes),
            pieces: try fields.required("pieces").integer(in: 1...SiteDocumentPieces.most))
        guard pieces == SiteDocumentPieces.count(of: byteCount) else {
            throw WireFault(.numberOutOfRange, path: "pieces", "the pieces don't hold byteCount")
        }
    }

    /// Announces a document that was published.
    ///
    /// - Parameter document: the bytes of the event's document.
    public init(_ event: SitePublished, document: [UInt8]) {
        self.init(
            site: event.site, version: event.version, publishedAt: event.publishedAt,
            hash: sha256Hex(document), byteCount: document.count,
            pieces: SiteDocumentPieces.count(of: document.count))
    }
}
