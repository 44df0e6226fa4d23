public import Devices
public import EventLog
public import Events

extension [SiteID: SiteSources] {
    /// Applies a record of `radio-maps` or `magnetic-routes`; false for one that can't be read.
    public mutating func evolve(_ record: StoredRecord) -> Bool {
        if let site = NodesCalibrated.removedSite(of: record) {
            self[site]?.forgetNodes()
        } else if let site = PositionerSelected.removedSite(of: record) {
            self[site]?.forgetSelection()
        } else if let event = try? PositionerSelected(record: record) {
            self[event.site, default: SiteSources(event.site)].evolve(event)
        } else if let event = try? RadioMapAnnounced(record: record) {
            self[event.site, default: SiteSources(event.site)].evolve(event)
        } else if let event = try? PositionerChosen(record: record) {
            self[event.site, default: SiteSources(event.site)].evolve(event)
        } else if let event = try? NodesCalibrated(record: record) {
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
        return true
    }
}
