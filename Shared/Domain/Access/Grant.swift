public import Events
import Site

/// A role at a site, or in some of its buildings.
public struct Grant: Hashable, Sendable {
    public var role: Role
    /// Nil for all sites.
    public var site: SiteID?
    /// Nil for all buildings of the site.
    public var buildings: Set<BuildingID>?

    public init(_ role: Role, site: SiteID? = nil, buildings: Set<BuildingID>? = nil) {
        self.role = role
        self.site = site
        self.buildings = buildings
    }

    /// The grant that a token carries.
    public init(_ token: TokenIssued) {
        self.init(
            Role(token.role, isBoundToSite: token.site != nil), site: token.site,
            buildings: token.buildings.isEmpty ? nil : Set(token.buildings))
    }

    /// The grant of a role that a person's account has.
    public init(_ grant: RoleGrant) {
        self.init(
            Role(grant.role, isBoundToSite: grant.site != nil), site: grant.site,
            buildings: grant.buildings.isEmpty ? nil : Set(grant.buildings))
    }

    /// Whether the grant applies at the site.
    ///
    /// A grant for a site also applies at its testers' site if the role is tester or may edit the
    /// site. So does a grant for the testers' site itself.
    public func reaches(_ site: SiteID) -> Bool {
        guard !isOfNowhere else { return false }
        if let tested = site.tested {
            return self.site == site
                ? role != .anonymous
                : (self.site == nil || self.site == tested) && Self.testers.contains(role)
        }
        return self.site == nil || self.site == site
    }

    private static let testers = AccessTable.editors.union(RoleSet(.tester, .service))

    /// An administrator of a site whose grant names no site may administer none.
    private var isOfNowhere: Bool { role == .administratorOfSite && site == nil }

    /// Whether this grant applies wherever the other one does. Roles are not compared.
    public func spans(_ other: Grant) -> Bool {
        if isOfNowhere { return false }
        if let site, site != other.site, site != other.site?.tested { return false }
        guard let buildings else { return true }
        return other.buildings.map(buildings.isSuperset) ?? false
    }
}
