public import Access
public import Events
public import HTTP
import Site
import Wire

/// Checks each request against the access table.
public struct TableAuthorizer: Authorizer {
    public init() {}

    public func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? {
        AccessTable.row(AccessOperation(method.rawValue, pattern)).map(TableRule.init)
    }
}

/// A row of the access table as the server needs it. The grants for a site that the path names are
/// checked here, so no handler can forget it.
struct TableRule: AccessRule {
    let row: AccessRow
    let queryParameters: [String]?
    let takesEachParameterOnce: Bool
    private let namesSite: Bool

    init(_ row: AccessRow) {
        self.row = row
        namesSite = row.namesSite
        queryParameters = AccessTable.parameters(of: row.operation)
        takesEachParameterOnce = AccessTable.takesEachParameterOnce(row.operation)
    }

    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
        let grants: [Grant]
        var isVisitor = false
        if let principal {
            guard let caller = principal as? Caller else { return .roleNotAllowed }
            grants = caller.allGrants
            isVisitor = caller.countsByAddress
        } else {
            grants = []
        }
        let site = namesSite ? parameters["site"].map { SiteID($0) } : nil
        let decision = row.mayCall(grants, site: site)
        if isVisitor, decision == .wrongRole || decision == .wrongSite {
            return .notForVisitors
        }
        return Problem(decision, at: site)
    }
}

extension Problem {
    /// Nil when the decision allows the request.
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

    /// Says nothing about whether there is such a site: the caller may not have been told.
    static func testersSite(_ site: SiteID) -> Problem {
        Problem(
            .testersSite,
            "Ids that end in .test are reserved for testers' sites, which show another site's "
                + "draft. Do this at \(site.tested ?? site) in place of \(site), or choose an id "
                + "that does not end in .test.")
    }

    /// Strangers have no token that could be another one.
    static let notForVisitors = Problem(
        .roleNotAllowed,
        "This is not open to visitors without an account: sign in at /sign-in, or ask those who "
            + "run the site.")
    public static let siteNotYours = Problem(
        .siteNotYours, "Your account or token is for another site.")
    public static let buildingNotYours = Problem(
        .buildingNotYours,
        "Your account or token is for some buildings of the site only, and this is of another one "
            + "or of the whole site. Ask an administrator of the whole site.")
    public static let deviceNotYours = Problem(
        .deviceNotYours, "Your account or token sees its own device only.")
}
