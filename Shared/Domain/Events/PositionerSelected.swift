/// The positioners that a site asks for, by the names that the operator allows.
public struct PositionerSelection: Hashable, Sendable {
    /// The most positioners beside the served one; each of them locates every scan.
    public static let mostBeside = 2

    /// The positioner whose positions are served; nil for the installation's default.
    public var served: String?
    /// The positioners that locate each scan as well. Their positions go to `positions-beside`.
    public var beside: [String]

    public init(served: String? = nil, beside: [String] = []) {
        self.served = served
        self.beside = beside
    }
}

/// Somebody selected the positioners of a site (topic `radio-maps`, key `site/selected`).
public struct PositionerSelected: Hashable, Sendable {
    public var site: SiteID
    /// The number of this selection among those of the site, from 1.
    public var revision: Int
    public var selection: PositionerSelection
    public var selectedAt: Timestamp

    public init(
        site: SiteID, revision: Int, selection: PositionerSelection, selectedAt: Timestamp
    ) {
        self.site = site
        self.revision = revision
        self.selection = selection
        self.selectedAt = selectedAt
    }
}
