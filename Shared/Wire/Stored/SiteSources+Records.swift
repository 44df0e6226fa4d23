public import Devices
public import EventLog
public import Events
import Site

extension [SiteID: SiteSources] {
    /// Applies a record of `site`, `radio-maps` or `magnetic-routes`; false for one that can't be
    /// read.
    public mutating func evolve(_ record: StoredRecord) -> Bool {
        switch record.topic {
        case Topic.site.name:
            guard record.value != nil else {
                // A tombstone: the site was removed.
                if let key = record.key {
                    self[SiteID(String(decoding: key, as: UTF8.self))]?.removeSite()
                }
                return true
            }
            guard let event = try? SitePublished(record: record) else { return false }
            var sources = self[event.site] ?? SiteSources(event.site)
            do throws(SiteFaults) { try sources.evolve(event) } catch { return false }
            self[event.site] = sources
        default:
            if let event = try? RadioMapAnnounced(record: record) {
                self[event.site, default: SiteSources(event.site)].evolve(event)
            } else if let event = try? PositionerChosen(record: record) {
                self[event.site, default: SiteSources(event.site)].evolve(event)
            } else if let event = try? MagneticRouteRecorded(record: record) {
                self[event.site, default: SiteSources(event.site)].evolve(event)
            } else if let event = try? MagneticRouteValidated(record: record) {
                self[event.site, default: SiteSources(event.site)].evolve(event)
            } else if let event = try? MagneticRouteDeleted(record: record) {
                self[event.site, default: SiteSources(event.site)].evolve(event)
            } else {
                return false
            }
        }
        return true
    }
}
