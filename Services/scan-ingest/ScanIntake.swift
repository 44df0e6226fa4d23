import Access
import EventLog
import Events
import HTTP
import JSON
import Positioning
import ServiceHost
import Site
import Wire

/// Decides which scans and surveys are taken, for whom, and what is appended for them. The same
/// intake stands behind HTTP and behind `scans-inbound`.
struct ScanIntake: Sendable {
    enum Kind: Sendable {
        case scan, survey

        /// Who may send it.
        var row: AccessRow? { self == .scan ? Self.scanRow : Self.surveyRow }

        private static let scanRow = AccessTable.row(AccessOperation("POST", "/v1/scans"))
        private static let surveyRow = AccessTable.row(AccessOperation("POST", "/v1/surveys"))
    }

    /// Why a well-formed scan is refused.
    struct Refusal: Error, Hashable {
        var status: Int
        var code: String
        var detail: String
    }

    /// What is appended for one accepted scan.
    struct Accepted {
        var id: EventID
        var record: LogRecord
        /// The log has it already: a retry that needs no second append.
        var isAcknowledged: Bool
    }

    let host: Host
    let recent: RecentScans
    /// Who the events come from, in the CloudEvents sense.
    static let source = "/scan-ingest"
    private static let keepers = RoleSet(.gateway, .administratorOfSite, .administrator)
    private static let itself = RoleSet(.device, .scanner)

    /// Checks that the sender may speak for the device, that the site and place exist, and that the
    /// id is not in use for something else.
    func accept(
        _ submission: ScanSubmission, kind: Kind, caller: Caller, traceparent: String?
    ) -> Result<Accepted, Refusal> {
        do throws(Refusal) {
            return .success(
                try checked(submission, kind: kind, caller, traceparent: traceparent))
        } catch {
            return .failure(error)
        }
    }

    private func checked(
        _ submission: ScanSubmission, kind: Kind, _ caller: Caller, traceparent: String?
    ) throws(Refusal) -> Accepted {
        if let end = host.senderBlocks.blockedUntil(caller.id, at: host.now) {
            throw Refusal(
                status: 429, code: SenderBlocks.code,
                detail: "more than 100 records of this token could not be used within an hour; "
                    + "it is blocked until \(RFC3339.text(microseconds: end.microseconds))")
        }
        let site = try site(submission, caller)
        try check(kind, caller, site)
        guard let published = host.sites[site] else {
            throw Refusal(
                status: 404, code: "site-unknown", detail: "there is no published site \(site)")
        }
        let device = try device(submission, kind, site, caller)
        let scan = submission.recorded(
            id: submission.id ?? host.newEventID(), site: site, device: device)
        switch kind {
        case .scan:
            return try noted(
                scan.id, ContentHash.of(scan),
                scan.record(
                    source: Self.source, traceparent: traceparent, sender: caller.id))
        case .survey:
            guard let place = submission.place else {
                throw Refusal(
                    status: 400, code: "place-missing", detail: "a survey says where it was made")
            }
            let resolved: ResolvedPlace
            do throws(PlaceFault) {
                resolved = try published.index.resolve(place)
            } catch {
                throw Refusal(status: 422, code: error.code, detail: error.detail)
            }
            let floor = published.index.floors[resolved.floor.value]
            try check(kind, caller, site, building: floor.building)
            let survey = SurveyRecorded(scan: scan, place: place, author: caller.id)
            return try noted(
                scan.id, ContentHash.of(survey),
                survey.record(
                    source: Self.source, traceparent: traceparent, sender: caller.id))
        }
    }

    /// The table of Access is asked, for HTTP and for `scans-inbound` alike.
    private func check(
        _ kind: Kind, _ caller: Caller, _ site: SiteID, building: BuildingID? = nil
    ) throws(Refusal) {
        let decision = kind.row?.mayCall(caller.grants, site: site, building: building)
        guard let problem = Problem(decision ?? .wrongRole) else { return }
        throw Refusal(status: problem.status, code: problem.code, detail: problem.detail)
    }

    private func site(
        _ submission: ScanSubmission, _ caller: Caller
    ) throws(Refusal) -> SiteID {
        guard let site = submission.site ?? caller.onlySite else {
            throw Refusal(
                status: 400, code: "site-missing",
                detail: "neither the scan nor the token names a site")
        }
        return site
    }

    /// A device and a scanner speak for themselves. A surveyor does too, and surveys for scanners that have a
    /// token of their own, of what they hear themselves. A gateway and an administrator speak for any.
    private func device(
        _ submission: ScanSubmission, _ kind: Kind, _ site: SiteID, _ caller: Caller
    ) throws(Refusal) -> DeviceID {
        guard let device = submission.device ?? caller.device else {
            throw Refusal(
                status: 400, code: "device-missing",
                detail: "neither the scan nor the token names a device")
        }
        if caller.has(Self.keepers, at: site) { return device }
        let scanner = submission.scanner.map { DeviceID($0.text) } ?? device
        if device == caller.device {
            guard scanner == device else {
                throw Refusal(
                    status: 403, code: "scanner-not-yours",
                    detail: "this token speaks for another scanner")
            }
            return device
        }
        guard kind == .survey, !caller.has(Self.itself, at: site), scanner == device else {
            throw Refusal(
                status: 403, code: "device-not-yours",
                detail: "this token speaks for another device")
        }
        guard host.tokens.hasToken(device: scanner, site: site) else {
            throw Refusal(
                status: 404, code: "scanner-unknown",
                detail: "no token was issued for the scanner \(scanner) of \(site)")
        }
        return device
    }

    private func noted(
        _ id: EventID, _ contentHash: UInt64, _ record: LogRecord
    ) throws(Refusal) -> Accepted {
        switch recent.note(id, contentHash: contentHash) {
        case .new:
            return Accepted(id: id, record: record, isAcknowledged: false)
        case .repeated(let isAcknowledged):
            return Accepted(id: id, record: record, isAcknowledged: isAcknowledged)
        case .conflict:
            throw Refusal(
                status: 409, code: "id-conflict",
                detail: "the id \(id) was used for another scan")
        }
    }
}

extension PlaceFault {
    /// As clients see it.
    var code: String {
        switch self {
        case .unknownLocation: "location-unknown"
        case .unknownFloor: "floor-unknown"
        case .coordinateOutOfRange: "coordinates-out-of-range"
        }
    }

    var detail: String {
        switch self {
        case .unknownLocation: "the site has no such location"
        case .unknownFloor: "the site has no such floor"
        case .coordinateOutOfRange: "the place lies outside of what a site may span"
        }
    }
}
