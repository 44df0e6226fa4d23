import Events
public import Site

/// The kind of records in a table, recognised by its header.
public enum SiteTable: String, Hashable, Sendable, CaseIterable {
    case rooms
    case accessPoints = "access-points"
    case connections

    /// Rooms have a floor in their table, and connections have none.
    ///
    /// - Throws: the fault of line 1, if the header fits no kind, or several.
    public init(header: [String]) throws(TableFault) {
        switch (header.contains("id"), header.contains("bssid")) {
        case (true, false): self = header.contains("floor") ? .rooms : .connections
        case (false, true): self = .accessPoints
        default:
            throw TableFault(
                line: 1,
                "a table needs the columns id and floor for rooms, id alone for connections, or "
                    + "bssid for access points")
        }
    }

    /// The site with the table's records. Records that the table does not list stay as they are.
    ///
    /// - Throws: the faults of all wrong lines; the site is then unchanged.
    public func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        switch self {
        case .rooms: try RoomTable.site(site, with: table)
        case .accessPoints: try AccessPointTable.site(site, with: table)
        case .connections: try ConnectionTable.site(site, with: table)
        }
    }
}
