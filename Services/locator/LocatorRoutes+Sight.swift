import Events
import HTTP
import ServiceHost
import Site

extension LocatorRoutes {
    /// The places that may be named to the caller in answers about the site.
    ///
    /// - Throws: a `Problem` for a `?zone=` that is not for the caller, like one for a zone that
    ///   the site lacks. The number of rows would say too much.
    func sight(_ request: HTTPRequest, at site: SiteID) throws(Problem) -> PlaceSight {
        let sight = PlaceSight(request.reader(at: site), at: published[whole: site])
        if let zone = request.firstQuery("zone").map(ZoneID.init), sight.hides(zone) {
            throw NamedRecord.zone(zone).problem
        }
        return sight
    }

    /// The places that may be named to a client of a stream; nil for all.
    func streamSight(_ request: HTTPRequest, at site: SiteID) -> StreamSight? {
        let reader = request.reader(at: site)
        guard reader < .editor else { return nil }
        return { [published] in PlaceSight(reader, at: published[whole: site]) }
    }
}
