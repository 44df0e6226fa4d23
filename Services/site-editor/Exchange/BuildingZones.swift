import HTTP
import ServiceHost
import Site
import Wire

import struct Foundation.TimeZone

extension SiteDocument {
    /// Refuses buildings whose time zones no system knows.
    ///
    /// - Parameter former: the site before the change; nil for a new one. A zone that it has
    ///   already, perhaps from an imported file, does not hinder other changes.
    func checkZones(after former: SiteDocument?) throws(Problem) {
        for building in buildings { try building.checkZone(after: former) }
    }
}

extension BuildingRecord {
    func checkZone(after former: SiteDocument?) throws(Problem) {
        let isFormer = former?.buildings.contains { $0.timeZone == timeZone } ?? false
        guard !isFormer, TimeZone(identifier: timeZone) == nil else { return }
        throw Problem(
            .timeZoneUnknown,
            "timeZone of \(id): \(timeZone.prefix(64)) is no IANA zone, such as Europe/London.")
    }
}
