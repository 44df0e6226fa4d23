import Events
public import Site

/// The kind of records in a table, recognised by its header.
public enum SiteTable: String, Hashable, Sendable, CaseIterable {
    case rooms
    case accessPoints = "access-points"

    /// - Throws: the fault of line 1, if the header fits neither kind or both.
    public init(header: [String]) throws(TableFault) {
        switch (header.contains("id"), header.contains("bssid")) {
        case (true, false): self = .rooms
        case (false, true): self = .accessPoints
        default:
            throw TableFault(
                line: 1, "a table needs a column id for rooms, or a column bssid for access points")
        }
    }

    /// The site with the table's records. Records that the table does not list stay as they are.
    ///
    /// - Throws: the fault of the first wrong line; the site is then unchanged.
    public func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        switch self {
        case .rooms: try RoomTable.site(site, with: table)
        case .accessPoints: try AccessPointTable.site(site, with: table)
        }
    }
}
