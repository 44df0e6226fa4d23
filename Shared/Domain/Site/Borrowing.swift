public import Events

/// The radio map, choice and magnetic routes of a testers' site are those of the site whose draft
/// it shows.
public struct Borrowing: Hashable, Sendable {
    public var site: SiteID
    /// When the test began: what was located before belongs to a test that has ended.
    public var since: Timestamp

    public init(from site: SiteID, since: Timestamp) {
        self.site = site
        self.since = since
    }
}

extension SiteDocument {
    /// The draft as testers see it.
    public func borrowing(from site: SiteID, since: Timestamp) -> SiteDocument {
        var document = self
        document.borrows = Borrowing(from: site, since: since)
        return document
    }

    /// - Throws: where a site borrows that is none of testers, or a testers' site does not.
    func checkBorrowing(as site: SiteID) throws(SiteRefusal) {
        guard borrows?.site != site.tested else { return }
        let detail =
            site.tested.map { "\(site) is kept for what testers of \($0) see" }
            ?? "only what testers see borrows"
        let fault = SiteFault(code: .borrowingNotAllowed, subject: "site", detail: detail)
        throw .invalid(SiteFaults([fault]))
    }
}
