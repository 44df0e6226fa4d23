import Cryptography
public import Events
public import HTTP
import Wire

extension Host {
    /// A new id of version 7.
    public func newEventID() -> EventID {
        let id = UniqueIdentifier(millisecondsSinceEpoch: now.milliseconds)
        return EventID(high: id.high, low: id.low)
    }

    /// The site that a request is about: the one it names, else its token's, else the only one.
    /// - Throws: a `Problem` when there is none, or it is not the token's.
    public func site(of request: HTTPRequest, named: SiteID? = nil) throws(Problem) -> SiteID {
        var asked = named
        if asked == nil, let text = request.parameters["site"] ?? request.firstQuery("site") {
            guard let site = SiteID(validating: text) else {
                throw Problem(400, "site-malformed", "A site's id is [A-Za-z0-9._-], 1 to 64.")
            }
            asked = site
        }
        let bound = request.principal?.site.map(SiteID.init)
        if let asked, let bound, asked != bound {
            throw Problem(403, "site-not-yours", "This token is for another site.")
        }
        if let site = asked ?? bound { return site }
        guard sites.isReady else { throw Problem.starting }
        let all = sites.all
        guard all.count == 1, let only = all.first?.key else {
            throw Problem(400, "site-missing", "Name the site: ?site=...")
        }
        return only
    }
}

extension HTTPRequest {
    /// How many rows a page takes where the request does not say.
    private static let ordinaryPageLimit = 1_000

    /// The rows that an answer may have at most: `?limit=...`.
    /// - Throws: a `Problem` when it is no number between 1 and the maximum.
    public func pageLimit(maximum: Int) throws(Problem) -> Int {
        guard let text = firstQuery("limit") else { return min(Self.ordinaryPageLimit, maximum) }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw Problem(400, "limit-out-of-range", "limit is between 1 and \(maximum).")
        }
        return limit
    }
}

extension Problem {
    public static func siteUnknown(_ site: SiteID) -> Problem {
        Problem(404, "site-unknown", "There is no published site \(site).")
    }
}
