import Events
public import Site

/// What a table of a site is about, which its header tells.
public enum SiteTable: String, Hashable, Sendable, CaseIterable {
    case rooms
    case accessPoints = "access-points"

    /// - Throws: the fault of line 1 where the header is of neither, or of both.
    public init(header: [String]) throws(TableFault) {
        switch (header.contains("id"), header.contains("bssid")) {
        case (true, false): self = .rooms
        case (false, true): self = .accessPoints
        default:
            throw TableFault(
                line: 1, "a table of rooms has a column id, one of access points a column bssid")
        }
    }

    /// The site with what the table says; what it does not name stays.
    ///
    /// - Throws: the first line that can't be taken; then nothing is.
    public func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        switch self {
        case .rooms: try RoomTable.site(site, with: table)
        case .accessPoints: try AccessPointTable.site(site, with: table)
        }
    }
}
