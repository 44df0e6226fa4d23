import Directions
import Events
import Foundation
import ServiceHost
import Site
import Wayfinding

/// A site as one kind of reader may see it, with its graph, ready for route requests.
struct ReadySite: Sendable {
    var id: SiteID
    var version: Int
    /// The kind of reader that the site is for, in ETags; empty where every reader sees the same.
    var mark: String
    var index: SiteIndex
    var finder: WayFinder
    var guide: RouteGuide
    var locations: RouteLocations
    var timeZone: TimeZone

    /// - Parameter former: the version that was ready before, whose network is a help.
    /// - Throws: an error when the site's graph would be too large.
    init(_ id: SiteID, _ seen: SeenSite, after former: ReadySite? = nil) throws {
        self.id = id
        version = seen.version
        mark = seen.mark
        index = seen.index
        finder = WayFinder(
            try WayNetwork(seen.index, after: former?.finder.network))
        guide = RouteGuide(seen.index)
        locations = RouteLocations(seen.index.document.locations)
        // Opening hours of the site follow one clock: that of its first building.
        let zone = seen.index.document.buildings.first?.timeZone
        timeZone = zone.flatMap(TimeZone.init(identifier:)) ?? .gmt
    }

    /// Seconds by which the site's clocks are ahead of UTC.
    func utcOffsetSeconds(at moment: Timestamp) -> Int {
        timeZone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000))
    }
}
