import Access
import EventLog
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Decides which taps ("I am here") are accepted, and under which names they are stored.
///
/// A device's own token has its device's id, and a surveyor's is named, as for surveys. Everybody
/// else gets a pseudonym for the day, with and without an account.
struct TapIntake: Sendable {
    /// A tap may wait this long for a connection. Later the radio may have changed.
    static let oldestMicroseconds: Int64 = 86_400_000_000
    /// Real telephones hear a hundred at most. Anybody may send taps, so their bytes are bounded.
    static let mostReadings = 200
    private static let row = AccessTable.row(AccessOperation("POST", "/v1/taps"))
    private static let surveyors = RoleSet(.surveyor, .administratorOfSite, .administrator)
    private static let named = surveyors.union(RoleSet(.device))

    let scans: ScanIntake
    let quotas: TapQuotas

    /// Whether the tables are there by which taps are judged.
    var isReady: Bool { scans.isReady }

    /// Checks that the sender may tap at the site, and that the place exists. The id must not be in
    /// use for something else.
    ///
    /// - Parameter address: the sender's, for visitors without an account.
    func accept(
        _ submission: ScanSubmission, _ caller: Caller, address: String, receivedAt: Timestamp,
        traceparent: String?
    ) throws(Problem) -> ScanIntake.Accepted {
        let site = try scans.site(submission, caller)
        let tap = try tap(submission, at: site, caller, receivedAt)
        let isSurveyor = caller.has(Self.surveyors, inSomeOf: site)
        let verdict = scans.recent.note(tap.scan.id, contentHash: ContentHash.of(tap))
        guard verdict != .conflict else {
            throw Problem(.idConflict, "the id \(tap.scan.id) was used for another scan")
        }
        let isAcknowledged = verdict == .repeated(acknowledged: true)
        // A copy that comes before the log has the first one is one more record.
        if !isAcknowledged, !isSurveyor,
            let seconds = quotas.secondsToWait(caller, address, at: receivedAt)
        {
            if verdict == .new { scans.recent.forget([tap.scan.id]) }
            throw Problem(
                .quotaExceeded, "You may send \(TapQuotas.limits).", retryAfterSeconds: seconds)
        }
        return ScanIntake.Accepted(
            id: tap.scan.id, record: record(tap, caller, traceparent),
            isAcknowledged: isAcknowledged)
    }

    /// A record under a pseudonym names neither the session nor the request that it came with.
    private func record(_ tap: TapRecorded, _ caller: Caller, _ traceparent: String?) -> LogRecord {
        let isNamed = caller.has(Self.named, inSomeOf: tap.scan.site)
        return tap.record(
            source: ScanIntake.source, traceparent: isNamed ? traceparent : nil,
            sender: isNamed ? caller.id : nil)
    }

    private func tap(
        _ submission: ScanSubmission, at site: SiteID, _ caller: Caller, _ receivedAt: Timestamp
    ) throws(Problem) -> TapRecorded {
        try scans.checkIsNotBlocked(caller)
        try check(caller, at: site)
        guard let published = scans.sites[whole: site] else {
            throw Problem(.siteUnknown, "there is no published site \(site)")
        }
        guard let place = submission.place else {
            throw Problem(.placeMissing, "a tap needs a place")
        }
        // A place that is not for the caller is refused like one that the site lacks.
        let seen = published.seen(by: caller.reader(at: site)).index
        try check(caller, at: site, building: try ScanIntake.building(of: place, in: seen))
        // A survey may be made far outside by purpose; somebody who taps there has a wrong map.
        try seen.checkIsNear(place)
        guard receivedAt - submission.correctedAt <= Self.oldestMicroseconds else {
            throw Problem(.heardTooLongAgo, "A tap is from the last 24 hours.")
        }
        try checkReadings(submission.content.ofMoment)
        var sent = submission.recorded(
            id: submission.id ?? scans.clock.newEventID(), site: site,
            device: try device(submission, at: site, caller))
        sent.content = submission.content.ofMoment
        try scans.checkIsNotErased(sent)
        let scan = try scans.privacy.stored(sent, at: published)
        if scan.device != sent.device { try scans.checkIsNotErased(scan) }
        guard !scan.content.saysNothing else {
            throw Problem(
                .nothingOfSiteHeard,
                "The site's rules for access points name none of the senders of this tap.")
        }
        return TapRecorded(scan: scan, place: place, author: author(of: scan, submission, caller))
    }

    private func checkReadings(_ content: ScanContent) throws(Problem) {
        guard !content.saysNothing else {
            throw Problem(.nothingHeard, "a tap needs the readings of its moment")
        }
        let count = content.wifi.count + content.ble.count + content.heardBy.count
        guard count <= Self.mostReadings else {
            throw Problem(
                .tooManyReadings, "a tap has at most \(Self.mostReadings) readings")
        }
    }

    private func check(
        _ caller: Caller, at site: SiteID, building: BuildingID? = nil
    ) throws(Problem) {
        let decision = Self.row?.mayCall(caller.grants, site: site, building: building)
        if let problem = Problem(decision ?? .wrongRole, at: site) { throw problem }
    }

    /// The device of the tap. A surveyor may speak for a device with a token, as for surveys.
    private func device(
        _ submission: ScanSubmission, at site: SiteID, _ caller: Caller
    ) throws(Problem) -> DeviceID {
        guard submission.device != nil || caller.device != nil else {
            return try scans.privacy.teller(caller.id, at: site)
        }
        let isSurveyor = caller.has(Self.surveyors, inSomeOf: site)
        return try scans.device(submission, isSurveyor ? .survey : .scan, site, caller)
    }

    private func author(
        of scan: ScanRecorded, _ submission: ScanSubmission, _ caller: Caller
    ) -> String {
        let isOfOther = submission.device != nil && submission.device != caller.device
        let isNamed = caller.has(Self.named, inSomeOf: scan.site) && !isOfOther
        return isNamed ? caller.id : scan.device.text
    }
}
