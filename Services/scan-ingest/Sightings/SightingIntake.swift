import Access
import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// Decides which reports of heard devices are accepted, and for which device. HTTP and the systems
/// of others share it.
struct SightingIntake: Sendable {
    private static let keepers = RoleSet(.gateway, .administratorOfSite, .administrator)
    private static let row = AccessTable.row(AccessOperation("POST", "/v1/sightings"))

    let scans: ScanIntake
    let log: any EventLog

    /// Whether the tables are there by which reports are judged.
    var isReady: Bool { scans.isReady }

    /// Checks the reports, takes the personal data of strangers out, and appends the others.
    ///
    /// - Returns: for each report the reason why it was refused; nil where the log has it.
    /// - Throws: when it is not known whether the log has them. They may be sent again.
    func accept(
        _ heard: [HeardDevice], of site: SiteID, from caller: Caller, receivedAt: Timestamp,
        traceparent: String? = nil
    ) async throws(EventLogError) -> [Problem?] {
        var records: [LogRecord] = []
        var refusals: [Problem?] = []
        for heard in heard {
            switch record(
                of: heard, at: site, from: caller, receivedAt: receivedAt, traceparent: traceparent)
            {
            case .success(let record):
                records.append(record)
                refusals.append(nil)
            case .failure(let problem): refusals.append(problem)
            }
        }
        if !records.isEmpty { try await log.append(records) }
        return refusals
    }

    /// The record of one report. The caller must have waited for `isReady`.
    func record(
        of heard: HeardDevice, at site: SiteID, from caller: Caller, receivedAt: Timestamp,
        traceparent: String?
    ) -> Result<LogRecord, Problem> {
        do throws(Problem) {
            let sighting = try sighting(heard, site, caller, receivedAt)
            return .success(
                sighting.record(
                    source: ScanIntake.source, traceparent: traceparent, sender: caller.id))
        } catch {
            return .failure(error)
        }
    }

    private func sighting(
        _ heard: HeardDevice, _ site: SiteID, _ caller: Caller, _ receivedAt: Timestamp
    ) throws(Problem) -> SightingReported {
        try scans.checkIsNotBlocked(caller)
        let decision = Self.row?.mayCall(caller.grants, site: site, building: nil)
        if let problem = Problem(decision ?? .wrongRole, at: site) { throw problem }
        guard let published = scans.sites[site] else {
            throw Problem(.siteUnknown, "there is no published site \(site)")
        }
        // A node speaks for itself. A gateway and an administrator speak for any node.
        guard
            caller.has(Self.keepers, at: site)
                || caller.device == DeviceID(heard.scanner.text)
        else { throw Problem(.scannerNotYours, "this token speaks for another scanner") }
        // An erased device is not enrolled any more. It gets no pseudonym instead.
        try checkIsNotErased(DeviceID(heard.name), at: site, heard.at)
        let device = try scans.privacy.device(
            named: heard.name, isAddress: heard.isAddress, at: site, published,
            heardAt: heard.at)
        try checkIsNotErased(device, at: site, heard.at)
        return SightingReported(
            id: scans.clock.newEventID(), site: site, device: device, scanner: heard.scanner,
            at: heard.at, receivedAt: receivedAt, rssi: heard.rssi, distance: heard.distance)
    }

    private func checkIsNotErased(
        _ device: DeviceID, at site: SiteID, _ moment: Timestamp
    ) throws(Problem) {
        guard scans.erased.covers(DeviceKey(site, device), at: moment) else { return }
        throw Problem(.deviceErased, "the device was erased")
    }
}
