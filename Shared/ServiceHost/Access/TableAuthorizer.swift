public import Access
public import Events
public import HTTP
import Site
import Wire

/// Asks the table of Access for each request.
public struct TableAuthorizer: Authorizer {
    public init() {}

    public func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? {
        AccessTable.row(AccessOperation(method.rawValue, pattern)).map(TableRule.init)
    }
}

/// A row of the table, as the server asks it. A path that names a site is held against the grants
/// here, so that no handler can forget it.
struct TableRule: AccessRule {
    let row: AccessRow
    private let namesSite: Bool

    init(_ row: AccessRow) {
        self.row = row
        namesSite = row.namesSite
    }

    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
        let grants: [Grant]
        if let principal {
            guard let caller = principal as? Caller else { return .roleNotAllowed }
            grants = caller.grants
        } else {
            grants = []
        }
        let site = namesSite ? parameters["site"].map { SiteID($0) } : nil
        return Problem(row.mayCall(grants, site: site), at: site)
    }
}

extension Problem {
    /// Nil for what is allowed.
    public init?(_ decision: AccessDecision, at site: SiteID?) {
        switch decision {
        case .allowed: return nil
        case .nobody: self = .tokenMissing
        case .wrongRole: self = .roleNotAllowed
        case .wrongSite: self = .siteNotYours
        case .wrongBuilding: self = .buildingNotYours
        case .hiddenSite: self = .siteUnknown(site ?? SiteID(""))
        case .testersSite: self = .testersSite(site ?? SiteID(""))
        }
    }

    static func testersSite(_ site: SiteID) -> Problem {
        Problem(
            .testersSite,
            "\(site) shows a draft to testers: do this at \(site.tested ?? site).")
    }

    public static let siteNotYours = Problem(
        .siteNotYours, "This token is for another site.")
    public static let buildingNotYours = Problem(
        .buildingNotYours, "This token is for some buildings of the site only.")
    public static let deviceNotYours = Problem(
        .deviceNotYours, "This token sees its own device only.")
}
