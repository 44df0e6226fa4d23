public import Events
import Site

/// Whether a call may go on.
public enum AccessDecision: Hashable, Sendable {
    case allowed
    /// Nobody is known, and it is not open to anybody.
    case nobody
    /// No grant has a role that may.
    case wrongRole
    /// A role that may is granted at another site.
    case wrongSite
    /// A role that may is granted in other buildings, or in some where the whole site is needed.
    case wrongBuilding
    /// A testers' site that none of the grants reaches: whether it is there is not for them to
    /// know.
    case hiddenSite
    /// The operation is for the site whose draft the testers' site shows.
    case testersSite
}

extension AccessRow {
    /// Whether somebody with these grants may call the operation.
    ///
    /// - Parameters:
    ///   - grants: empty for somebody of whom nothing is known.
    ///   - site: the site that it is about; nil while that is not known, and then it is asked
    ///     again.
    ///   - building: the building that it is about; nil where it is about none, or that is not
    ///     known.
    public func mayCall(
        _ grants: [Grant], site: SiteID? = nil, building: BuildingID? = nil
    ) -> AccessDecision {
        if scope == .none, roles.contains(.anonymous) { return .allowed }
        if let site, site.tested != nil, !grants.isEmpty {
            guard grants.contains(where: { $0.reaches(site) }) else { return .hiddenSite }
            guard isForTestersSites else { return .testersSite }
        }
        var decision = grants.isEmpty ? AccessDecision.nobody : .wrongRole
        for grant in grants where roles.contains(grant.role) {
            if let site, !grant.reaches(site) {
                if decision != .wrongBuilding { decision = .wrongSite }
                continue
            }
            guard let buildings = grant.buildings else { return .allowed }
            if scope != .site, building.map(buildings.contains) ?? true { return .allowed }
            decision = .wrongBuilding
        }
        return decision
    }
}
