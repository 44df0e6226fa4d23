public import EventLog
public import Events
public import Site

/// The newest publication of each site, from the records of the topic `site`. Documents are not
/// read here, so that a long history costs neither time nor memory.
public struct SiteAnnouncements: Sendable {
    public struct Publication: Sendable {
        public enum Content: Sendable {
            /// In pieces on the topic `site-documents`.
            case announced(SiteAnnounced)
            /// Whole in this record, as earlier releases wrote it.
            case whole(StoredRecord)
        }

        public var version: Int
        /// When the record was appended, microseconds since 1970.
        public var appendedAtMicroseconds: Int64
        /// Nil once the document is in memory.
        public fileprivate(set) var content: Content?
    }

    public private(set) var newest: [SiteID: Publication] = [:]
    /// Sites whose last record is a tombstone. The topic forgets tombstones after a day.
    public private(set) var removed: Set<SiteID> = []
    /// When each site was removed last, also one that was made again since.
    public private(set) var removedAt: [SiteID: Timestamp] = [:]
    /// Sites whose last record can't be read, for instance one of a later release.
    public private(set) var unreadable: Set<SiteID> = []
    /// All sites that the topic has.
    public var announced: Set<SiteID> { unreadable.union(newest.keys) }

    public init() {}

    /// A tombstone after which the site comes again at once, on a log that is put in order. It
    /// removes no site.
    public static func clearing(_ site: SiteID) -> LogRecord {
        var headers = LogHeaders()
        headers.append("cleared", "true")
        return LogRecord(
            topic: Topic.site.name, key: RecordKey.bytes(site), value: nil, headers: headers)
    }

    /// Applies one record of the topic; false when it can't be read. The outbox may send a version
    /// again, which changes nothing.
    public mutating func apply(_ record: StoredRecord) -> Bool {
        let key = record.key.map { SiteID(String(decoding: $0, as: UTF8.self)) }
        if let key {
            removed.remove(key)
            unreadable.remove(key)
        }
        guard record.value != nil else {
            // A tombstone: the site was removed.
            if let key {
                newest[key] = nil
                removed.insert(key)
                if record.headers["cleared"] == nil {
                    removedAt[key] = Timestamp(microseconds: record.appendedAtMicroseconds)
                }
            }
            return true
        }
        guard let (site, publication) = Self.read(record) else {
            if let key { unreadable.insert(key) }
            return false
        }
        if let known = newest[site], known.version >= publication.version { return true }
        newest[site] = publication
        return true
    }

    /// Forgets the content of a publication, when its document is in memory.
    public mutating func forgetContent(of site: SiteID) { newest[site]?.content = nil }

    private static func read(_ record: StoredRecord) -> (SiteID, Publication)? {
        let appendedAt = record.appendedAtMicroseconds
        if let announced = try? SiteAnnounced(record: record) {
            return (
                announced.site,
                Publication(
                    version: announced.version, appendedAtMicroseconds: appendedAt,
                    content: .announced(announced))
            )
        }
        guard let envelope = try? EventEnvelope(headers: record.headers),
            envelope.type == .sitePublished, let site = envelope.site,
            envelope.id.hasPrefix("\(site.text)/"),
            let version = Int(envelope.id.dropFirst(site.text.utf8.count + 1))
        else { return nil }
        return (
            site,
            Publication(
                version: version, appendedAtMicroseconds: appendedAt, content: .whole(record))
        )
    }
}
