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
}
