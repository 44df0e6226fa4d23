public import Events

/// Keys of records: the site, then the device, floor, room or scanner, with `/` between them (ids
/// hold no `/`). Records with one key stay in order.
public enum RecordKey {
    public static func bytes(_ site: SiteID) -> [UInt8] { Array(site.text.utf8) }

    public static func bytes(_ site: SiteID, _ part: some TextIdentifier) -> [UInt8] {
        joined(site.text, part.text)
    }

    static func joined(_ parts: String...) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(parts.reduce(parts.count) { $0 + $1.utf8.count })
        for (index, part) in parts.enumerated() {
            if index > 0 { key.append(UInt8(ascii: "/")) }
            key.append(contentsOf: part.utf8)
        }
        return key
    }
}
