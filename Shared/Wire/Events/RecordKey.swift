import EventLog
public import Events

/// Keys of records: the site, then the device, floor, room or scanner, with `/` between them (ids
/// hold no `/`). Records with the same key stay in order.
public enum RecordKey {
    public static func bytes(_ site: SiteID) -> [UInt8] { Array(site.text.utf8) }

    public static func bytes(_ site: SiteID, _ part: some TextIdentifier) -> [UInt8] {
        joined(site.text, part.text)
    }

    static func joined(_ first: String, _ second: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(first.utf8.count + second.utf8.count + 1)
        key.append(contentsOf: first.utf8)
        key.append(UInt8(ascii: "/"))
        key.append(contentsOf: second.utf8)
        return key
    }

    /// The site of a tombstone with the key `site/end`; nil for any other record.
    static func removedSite(
        of record: StoredRecord, on topic: Topic, keyEnd end: String
    ) -> SiteID? {
        guard record.topic == topic.name, record.value == nil, let key = record.key else {
            return nil
        }
        let parts = key.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].elementsEqual(end.utf8) else { return nil }
        return SiteID(validating: String(decoding: parts[0], as: UTF8.self))
    }
}
