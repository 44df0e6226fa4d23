public import Events
import Site

/// Whether a caller may call an operation, and if not, why.
public enum AccessDecision: Hashable, Sendable {
    case allowed
    /// The caller is unknown, and the operation is not open to anybody.
    case nobody
    /// None of the caller's grants has a role that may call it.
    case wrongRole
    /// The caller has the role at another site only.
    case wrongSite
    /// The caller has the role in other buildings only, or in some although the operation needs the
    /// whole site.
    case wrongBuilding
    /// A testers' site that none of the caller's grants reaches. The answer hides that it exists.
    case hiddenSite
    /// The operation must be called at the site whose draft the testers' site shows.
    case testersSite
}

extension AccessRow {
    /// Whether a caller with these grants may call the operation.
    ///
    /// - Parameters:
    ///   - grants: empty for an unknown caller.
    ///   - site: the site that the operation is about; nil if the caller of this function has not
    ///     yet looked it up, and then asks again.
    ///   - building: the building that the operation is about; nil if there is none or it is not
    ///     yet looked up.
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
