import Events
import ServiceHost
import Site
import Synchronization
import Timetables

/// The names of the rooms of sites, which many feeds look up, each made once for a version.
final class KnownNames: Sendable {
    private struct Place: Hashable {
        var site: SiteID
        var building: BuildingID?
    }

    private let known = Mutex<[Place: (version: Int, names: RoomNames)]>([:])

    func names(_ site: PublishedSite, _ feed: TimetableFeed) -> RoomNames {
        let place = Place(site: feed.site, building: feed.building)
        let former = known.withLock { $0[place] }
        if let former, former.version == site.version { return former.names }
        let names = RoomNames(site.index.document, building: feed.building)
        known.withLock { $0[place] = (site.version, names) }
        return names
    }
}
