import Access
public import Events
public import HTTP
public import Site
public import Wire

extension SiteDirectory {
    /// The site of a request: the one that it names, else that of its token, else the only one. The
    /// access table is checked for it.
    /// - Parameter alsoEndedTests: whether a testers' site is named after the end of its test, too.
    /// - Throws: a `Problem` when there is no such site, or the caller may not call this operation
    ///   there.
    public func site(
        of request: HTTPRequest, named: SiteID? = nil, alsoEndedTests: Bool = false
    ) throws(Problem) -> SiteID {
        var asked = named
        if asked == nil, let text = request.parameters["site"] ?? request.firstQuery("site") {
            guard let site = SiteID(validating: text) else {
                throw Problem(.siteMalformed, "A site's id has 1 to 64 of A-Z a-z 0-9 . _ -")
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
        // The database may still hold rows of a test that has ended.
        if !alsoEndedTests, asked.tested != nil, isReady, self[whole: asked] == nil {
            throw .siteUnknown(asked)
        }
        return asked
    }

    /// The published site as the caller may see it. Every answer about a site is made of it.
    ///
    /// - Throws: a `Problem` while the sites are being read, and for one that is not published.
    public func seen(_ site: SiteID, by request: HTTPRequest) throws(Problem) -> SeenSite {
        guard let seen = published(site, for: request.reader(at: site)) else {
            throw isReady ? .siteUnknown(site) : .starting
        }
        return seen
    }

    /// The published site as this kind of reader may see it; nil if there is none.
    public func published(_ site: SiteID, for reader: Reader) -> SeenSite? {
        self[whole: site]?.seen(by: reader)
    }

    /// The site of a request for what is stored of it. Nothing is stored of a misspelt site, and
    /// the caller could not tell it from a new one. A document that can't be read is no obstacle.
    /// - Throws: also where no site of this id is published.
    public func publishedSite(of request: HTTPRequest) throws(Problem) -> SiteID {
        let site = try site(of: request)
        guard isReady else { throw Problem.starting }
        guard !isUnknown(site) else { throw Problem.siteUnknown(site) }
        return site
    }

    /// Refuses a misspelt site where an answer would be empty. Rows of a removed site are still
    /// shown.
    ///
    /// - Parameters:
    ///   - hasRows: whether the answer has rows.
    ///   - orStored: whether anything is stored of the site, whatever the request's filters leave.
    ///     It is only asked about an unknown site without rows.
    public func checkIsKnown(
        _ site: SiteID, hasRows: Bool, orStored: () async throws -> Bool = { false }
    ) async throws {
        guard !hasRows, isUnknown(site) else { return }
        guard try await orStored() else { throw Problem.siteUnknown(site) }
    }
}

/// The part of a site whose positions and visits a caller may see.
public enum Reach: Hashable, Sendable {
    case everybody
    /// The devices in these buildings.
    case buildings(Set<BuildingID>)
    case device(DeviceID)
}

extension HTTPRequest {
    /// - Throws: a `Problem` where the caller may not call this operation at the site, or in the
    ///   building.
    public func check(at site: SiteID, building: BuildingID? = nil) throws(Problem) {
        // A route without a row in the access table is closed to everybody.
        guard let row = accessRow else { throw .roleNotAllowed }
        let decision = row.mayCall(caller?.allGrants ?? [], site: site, building: building)
        if let problem = Problem(decision, at: site) { throw problem }
    }

    /// The reader that the caller is at the site; a stranger without a token.
    public func reader(at site: SiteID) -> Reader { caller?.reader(at: site) ?? .stranger }

    /// The part of a site that the caller may see, in an operation whose scope is `ownDevice` or
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

    /// The value of a filter: `?name=...`; nil without it.
    ///
    /// - Throws: a `Problem` where the value is empty, as that of an unset variable is. Nothing
    ///   would fit it.
    public func filled(
        _ name: String, or code: ProblemCode = .identifierMalformed
    ) throws(Problem) -> String? {
        guard let value = firstQuery(name) else { return nil }
        guard !value.isEmpty else {
            throw Problem(code, "The parameter \(name) is empty: name one, or leave it out.")
        }
        return value
    }

    private static let speaksForItself = RoleSet(.device, .scanner)

    /// Rows of a page when the request states no limit.
    private static let ordinaryPageLimit = 1_000

    /// The most rows of the answer: `?limit=...`.
    /// - Throws: a `Problem` when it is not a number between 1 and the maximum.
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
