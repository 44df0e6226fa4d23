import Access
public import Events
public import HTTP
import Site
import Wire

extension SiteDirectory {
    /// The site that a request is about: the one it names, else its token's, else the only one. The
    /// table of Access is asked about it.
    /// - Throws: a `Problem` when there is none, or the caller may not call this there.
    public func site(of request: HTTPRequest, named: SiteID? = nil) throws(Problem) -> SiteID {
        var asked = named
        if asked == nil, let text = request.parameters["site"] ?? request.firstQuery("site") {
            guard let site = SiteID(validating: text) else {
                throw Problem(.siteMalformed, "A site's id is [A-Za-z0-9._-], 1 to 64.")
            }
            asked = site
        }
        if asked == nil { asked = request.caller?.onlySite }
        if asked == nil {
            guard isReady else { throw Problem.starting }
            let all = all.keys.filter { $0.tested == nil }
            guard all.count == 1, let only = all.first else {
                throw Problem(.siteMissing, "Name the site: ?site=...")
            }
            asked = only
        }
        guard let asked else { throw Problem(.siteMissing, "Name the site: ?site=...") }
        try request.check(at: asked)
        // Rows of a test that has ended may still be there.
        if asked.tested != nil, isReady, self[asked] == nil { throw .siteUnknown(asked) }
        return asked
    }
}

/// Whose positions and visits a caller sees.
public enum Reach: Hashable, Sendable {
    case everybody
    /// Whoever is in one of these buildings.
    case buildings(Set<BuildingID>)
    case device(DeviceID)
}

extension HTTPRequest {
    /// - Throws: a `Problem` where the caller may not call this at the site, or in the building.
    public func check(at site: SiteID, building: BuildingID? = nil) throws(Problem) {
        // Without a row nobody said who may call: then nobody may.
        guard let row = accessRow else { throw .roleNotAllowed }
        let decision = row.mayCall(caller?.grants ?? [], site: site, building: building)
        if let problem = Problem(decision, at: site) { throw problem }
    }

    /// How far the caller reaches at a site in an operation whose scope is `ownDevice` or
    /// `building`.
    public func reach(at site: SiteID) throws(Problem) -> Reach {
        try check(at: site)
        guard let row = accessRow, let caller else { throw .tokenMissing }
        var buildings: Set<BuildingID> = []
        for grant in caller.grants where row.roles.contains(grant.role) && grant.reaches(site) {
            if Self.speaksForItself.contains(grant.role) { continue }
            guard let some = grant.buildings else { return .everybody }
            buildings.formUnion(some)
        }
        if !buildings.isEmpty { return .buildings(buildings) }
        guard let device = caller.device else { throw .deviceNotYours }
        return .device(device)
    }

    private static let speaksForItself = RoleSet(.device, .scanner)

    /// How many rows a page takes where the request does not say.
    private static let ordinaryPageLimit = 1_000

    /// The rows that an answer may have at most: `?limit=...`.
    /// - Throws: a `Problem` when it is no number between 1 and the maximum.
    public func pageLimit(maximum: Int) throws(Problem) -> Int {
        guard let text = firstQuery("limit") else { return min(Self.ordinaryPageLimit, maximum) }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw Problem(.limitOutOfRange, "limit is between 1 and \(maximum).")
        }
        return limit
    }
}

extension Problem {
    public static func siteUnknown(_ site: SiteID) -> Problem {
        Problem(.siteUnknown, "There is no published site \(site).")
    }
}
