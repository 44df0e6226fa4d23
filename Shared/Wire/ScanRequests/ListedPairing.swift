public import Events
public import JSON

/// Somebody's right to ask a scanner, and to see its positions.
public struct ListedPairing: Listed, Sendable {
    public enum Ender: String, Hashable, Sendable, CaseIterable {
        case visitor, scanner, administrator
        case another = "another-pairing"
    }

    public static var listName: StaticString { "pairings" }

    public let id: EventID
    public let site: SiteID
    public let scanner: ScannerID
    public let from: Timestamp
    public let until: Timestamp
    private let endedAt: Timestamp?
    private let endedBy: Ender?
    private let isActive: Bool

    public init(
        id: EventID, site: SiteID, scanner: ScannerID, from: Timestamp, until: Timestamp,
        endedAt: Timestamp?, endedBy: Ender?, at moment: Timestamp
    ) {
        self.id = id
        self.site = site
        self.scanner = scanner
        self.from = from
        self.until = until
        self.endedAt = endedAt
        self.endedBy = endedBy
        isActive = endedAt == nil && until > moment
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("site", site)
        writer.field("scanner", scanner)
        writer.field("from", from)
        writer.field("until", until)
        writer.field("endedAt", endedAt)
        writer.field("endedBy", endedBy?.rawValue)
        writer.field("active", isActive)
    }
}
