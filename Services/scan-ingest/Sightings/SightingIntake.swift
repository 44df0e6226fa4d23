import Access
import EventLog
import Events
import HTTP
import ServiceHost
import Sightings
import Wire

/// Decides which reports of heard devices are accepted, and for which device. HTTP and the systems
/// of others share it.
struct SightingIntake: Sendable {
    /// Reports are joined for a little longer, so that those taken here are not late at the join.
    static let oldestMicroseconds: Int64 = 240_000_000
    /// The most records of one append. The log bounds those that wait for it.
    private static let appendedAtOnce = 5_000
    private static let row = AccessTable.row(AccessOperation("POST", "/v1/sightings"))

    let scans: ScanIntake
    let log: any EventLog
    let unknownNodes: UnknownNodes

    /// Whether the tables are there by which reports are judged.
    var isReady: Bool { scans.isReady }

    /// Checks all reports, takes the personal data of strangers out, and then appends them.
    ///
    /// - Returns: for each report the reason why it was refused; nil where the log has it.
    /// - Throws: a problem that may pass, so that all may be sent again. Nothing was appended then,
    ///   unless the log itself failed.
    func accept(
        _ heard: [HeardDevice], of site: SiteID, from caller: Caller, receivedAt: Timestamp,
        traceparent: String? = nil
    ) async throws(Problem) -> [Problem?] {
        var records: [LogRecord] = []
        var refusals: [Problem?] = []
        for heard in heard {
            switch record(
                of: heard, at: site, from: caller, receivedAt: receivedAt, traceparent: traceparent)
            {
            case .success(let record):
                records.append(record)
                refusals.append(nil)
            case .failure(let problem) where Self.mayPass(problem): throw problem
            case .failure(let problem): refusals.append(problem)
            }
        }
        try await append(records)
        return refusals
    }

    /// Whether the same reports may be taken later, such as when the site is published.
    private static func mayPass(_ problem: Problem) -> Bool {
        problem.status == 503 || problem.status == 429
            || problem.code == ProblemCode.siteUnknown.text
    }

    private func append(_ records: [LogRecord]) async throws(Problem) {
        var taken = 0
        while taken < records.count {
            let end = min(taken + Self.appendedAtOnce, records.count)
            do throws(EventLogError) {
                try await log.append(Array(records[taken..<end]))
            } catch {
                var problem = Problem(error)
                if taken > 0 {
                    problem.detail += " \(taken) of \(records.count) sightings were taken."
                }
                throw problem
            }
            taken = end
        }
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
        guard let published = scans.sites[whole: site] else {
            throw Problem(.siteUnknown, "there is no published site \(site)")
        }
        // A node speaks for itself. A gateway and an administrator speak for any node.
        guard
            ScanIntake.keeps(caller, at: site)
                || caller.device == DeviceID(heard.scanner.text)
        else { throw Problem(.scannerNotYours, "this token speaks for another scanner") }
        // A telephone would tell where the people around its owner are.
        let isPlaced = scans.privacy.isPlaced(heard.scanner, at: site, published)
        guard ScanIntake.keeps(caller, at: site) || isPlaced else {
            throw Problem(
                .scannerNotYours,
                "The site has no scanner \(heard.scanner) among its scanners; a gateway may send.")
        }
        guard scans.clock.now - heard.at <= Self.oldestMicroseconds else {
            throw Problem(
                .heardTooLongAgo,
                "Sightings are joined within \(Self.oldestMicroseconds / 60_000_000) minutes.")
        }
        guard heard.at - scans.clock.now <= SightingRules.aheadMicroseconds else {
            throw Problem(
                .timeOutOfRange,
                "The time is ahead of the server's by more than a minute; give sentAt, too.")
        }
        // An erased device is not enrolled any more. It gets no pseudonym instead.
        try checkIsNotErased(DeviceID(heard.name), at: site, heard.at)
        let device = try scans.privacy.device(
            named: heard.name, isAddress: heard.isAddress, at: site, published,
            heardAt: heard.at)
        try checkIsNotErased(device, at: site, heard.at)
        if !isPlaced { unknownNodes.note(heard.scanner, at: site) }
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
