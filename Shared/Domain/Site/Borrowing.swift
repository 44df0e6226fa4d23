public import Events

/// The site that a testers' site borrows its radio map, positioner and magnetic routes from. It is
/// the site whose draft the testers' site shows.
public struct Borrowing: Hashable, Sendable {
    public var site: SiteID
    /// The time at which the test began. Positions from before it belong to an earlier test.
    public var since: Timestamp

    public init(from site: SiteID, since: Timestamp) {
        self.site = site
        self.since = since
    }
}

extension SiteDocument {
    /// The draft as the document of its testers' site.
    public func borrowing(from site: SiteID, since: Timestamp) -> SiteDocument {
        var document = self
        document.borrows = Borrowing(from: site, since: since)
        return document
    }

    /// - Throws: if a testers' site does not borrow from the site whose draft it shows, or if any
    ///   other site borrows.
    func checkBorrowing(as site: SiteID) throws(SiteRefusal) {
        guard borrows?.site != site.tested else { return }
        let detail =
            site.tested.map { "\(site) is reserved for the testers of \($0)" }
            ?? "only a testers' site may borrow"
        let fault = SiteFault(code: .borrowingNotAllowed, subject: "site", detail: detail)
        throw .invalid(SiteFaults([fault]))
    }
}
