import Access
import EventLog
import Events
import HTTP
import Positioning
import ScanSwitch
import ServiceHost
import Site
import Wire

/// Decides which scans and surveys are accepted, for which device and site, and which events are
/// appended for them. HTTP and `scans-inbound` share it.
struct ScanIntake: Sendable {
    enum Kind: Sendable {
        case scan, survey

        /// The row of the access table that lists who may send this kind.
        var row: AccessRow? { self == .scan ? Self.scanRow : Self.surveyRow }

        private static let scanRow = AccessTable.row(AccessOperation("POST", "/v1/scans"))
        private static let surveyRow = AccessTable.row(AccessOperation("POST", "/v1/surveys"))
    }

    /// One accepted scan and the event to append for it.
    struct Accepted {
        var id: EventID
        var record: LogRecord
        /// True for a retry that the log has already, which needs no second append.
        var isAcknowledged: Bool
        /// Whether this is the first survey of a site without rules that this process got.
        var asksForRules = false
        /// The request for a scan that it answers, for the first time.
        var answer: Answer?
    }

    /// A scan that answers a request.
    struct Answer: Sendable {
        var request: ScanRequestKey
        var scan: ScanRecorded
    }

    let sites: SiteDirectory
    let tokens: TokenDirectory
    let blocks: SenderBlocks
    let clock: EventClock
    let recent: RecentScans
    let privacy: ScanPrivacy
    let erased: ErasureDirectory
    let requests: ScanRequestDirectory
    /// The `source` of the events (CloudEvents).
    static let source = "/scan-ingest"
    private static let gateways = RoleSet(.gateway)
    private static let editors = RoleSet(.administratorOfSite, .administrator)
    private static let surveyors = RoleSet(.surveyor, .administratorOfSite, .administrator)
    private static let itself = RoleSet(.device, .scanner)

    /// Whether the tables are there by which scans are judged.
    var isReady: Bool { sites.isReady && tokens.isReady && erased.isReady }

    /// Checks that the sender may speak for the device, and that the site and the place exist. The
    /// id must not be in use for another scan.
    func accept(
        _ submission: ScanSubmission, kind: Kind, caller: Caller, traceparent: String?
    ) -> Result<Accepted, Problem> {
        do throws(Problem) {
            return .success(
                try checked(submission, kind: kind, caller, traceparent: traceparent))
        } catch {
            return .failure(error)
        }
    }

    private func checked(
        _ submission: ScanSubmission, kind: Kind, _ caller: Caller, traceparent: String?
    ) throws(Problem) -> Accepted {
        try checkIsNotBlocked(caller)
        let site = try site(submission, caller)
        try check(kind, caller, site)
        try Self.checkPlace(of: submission, as: kind)
        guard let published = sites[whole: site] else {
            throw Problem(.siteUnknown, "there is no published site \(site)")
        }
        let device = try device(submission, kind, site, caller)
        let sent = submission.recorded(
            id: submission.id ?? clock.newEventID(), site: site, device: device)
        try checkIsNotErased(sent)
        var answer: Answer?
        var place = submission.place
        var author = caller.id
        if let request = submission.request {
            let (standing, isNew) = try answered(
                request, by: sent, as: kind == .scan ? .scan : .survey, caller)
            if isNew { answer = Answer(request: standing.requested.key, scan: sent) }
            (place, author) = (standing.requested.place, standing.requested.asker)
        } else if kind == .survey, !caller.has(Self.surveyors, inSomeOf: site) {
            throw Problem(
                .scanRequestMissing,
                "The token of a device or a scanner sends only surveys that a request asks for: "
                    + "use a surveyor's token.")
        }
        let scan = try privacy.stored(sent, at: published)
        answer?.scan = scan
        // An address that changes may have become the device's id.
        if scan.device != device { try checkIsNotErased(scan) }
        switch kind {
        case .scan:
            var accepted = try noted(
                scan.id, ContentHash.of(scan),
                scan.record(
                    source: Self.source, traceparent: traceparent, sender: caller.id))
            accepted.answer = answer
            return accepted
        case .survey:
            var accepted = try survey(
                scan, at: place, mayBeOfDraft: submission.mayBeOfDraft, by: author, published,
                caller, traceparent: traceparent)
            accepted.answer = answer
            return accepted
        }
    }

    /// Refuses a scan with a place. Its sender means a survey, and scans have none: it would be
    /// lost. Other unknown members are ignored, since nobody can tell what they mean.
    private static func checkPlace(
        of submission: ScanSubmission, as kind: Kind
    ) throws(Problem) {
        guard kind == .scan, submission.place != nil else { return }
        throw Problem(
            .fieldUnknown,
            "place: a scan has none; send a survey to /v1/surveys, and a tap to /v1/taps")
    }

    private func survey(
        _ scan: ScanRecorded, at place: SurveyPlace?, mayBeOfDraft: Bool, by author: String,
        _ published: PublishedSite, _ caller: Caller, traceparent: String?
    ) throws(Problem) -> Accepted {
        let site = scan.site
        guard let place else {
            throw Problem(.placeMissing, "a survey needs a place")
        }
        if !mayBeOfDraft || !Self.waits(place, published, caller, at: site) {
            try check(
                .survey, caller, site, building: try Self.building(of: place, in: published.index))
        }
        guard !scan.content.saysNothing else {
            throw Problem(
                .nothingOfSiteHeard,
                "The site's rules for access points name none of the senders of this survey.")
        }
        let survey = SurveyRecorded(scan: scan, place: place, author: author)
        var accepted = try noted(
            scan.id, ContentHash.of(survey),
            survey.record(
                source: Self.source, traceparent: traceparent, sender: caller.id))
        accepted.asksForRules = privacy.asksForRules(site, published)
        return accepted
    }

    /// Whether a survey is kept until its location is published. No radio map has it before, as
    /// after a location was removed. A location of a draft is in no building yet, so a role in some
    /// buildings is not enough.
    private static func waits(
        _ place: SurveyPlace, _ published: PublishedSite, _ caller: Caller, at site: SiteID
    ) -> Bool {
        guard case .location(let id) = place, published.index.location(id) == nil else {
            return false
        }
        return caller.has(surveyors, inAllOf: site)
    }

    /// The building in which a survey or a tap was made.
    static func building(
        of place: SurveyPlace, in index: SiteIndex
    ) throws(Problem) -> BuildingID {
        do throws(PlaceFault) {
            let floor = try index.resolve(place).floor
            return index.floors[floor.value].building
        } catch {
            throw error.problem
        }
    }

    func checkIsNotBlocked(_ caller: Caller) throws(Problem) {
        guard let end = blocks.blockedUntil(caller.id, at: clock.now) else { return }
        throw Problem(
            .senderBlocked,
            "more than 100 records of this token could not be used within an hour; "
                + "it is blocked until \(end.text)")
    }

    /// Checks the access table, for HTTP and for `scans-inbound` alike.
    func check(
        _ kind: Kind, _ caller: Caller, _ site: SiteID, building: BuildingID? = nil
    ) throws(Problem) {
        let decision = kind.row?.mayCall(caller.grants, site: site, building: building)
        if let problem = Problem(decision ?? .wrongRole, at: site) { throw problem }
    }

    func site(
        _ submission: ScanSubmission, _ caller: Caller
    ) throws(Problem) -> SiteID {
        guard let site = submission.site ?? caller.onlySite else {
            throw Problem(.siteMissing, "neither the scan nor the token names a site")
        }
        return site
    }

    /// Whether the caller speaks for any device of the site. A gateway of some buildings does: it
    /// hears whatever comes there. An administrator of some does not, since devices are in none.
    static func keeps(_ caller: Caller, at site: SiteID) -> Bool {
        caller.has(gateways, inSomeOf: site) || caller.has(editors, inAllOf: site)
    }

    /// The device that the scan is from, if the caller may speak for it.
    ///
    /// A device and a scanner speak for themselves. A surveyor does too, and sends the surveys of
    /// scanners that have a token of their own. A gateway and an administrator of the whole site
    /// speak for any device. An administrator of some buildings does so in surveys alone.
    func device(
        _ submission: ScanSubmission, _ kind: Kind, _ site: SiteID, _ caller: Caller
    ) throws(Problem) -> DeviceID {
        // The telephone of a person who surveys has no id of its own. Its surveys name their
        // author anyway.
        if kind == .survey, submission.device == nil, let account = caller.account,
            caller.has(Self.surveyors, inSomeOf: site)
        {
            return DeviceID(account.description)
        }
        guard let device = submission.device ?? caller.device else {
            throw Problem(.deviceMissing, "neither the scan nor the token names a device")
        }
        // The building of a survey is compared, so those who edit some buildings may send it.
        let isSurveyOfEditor = kind == .survey && caller.has(Self.editors, inSomeOf: site)
        if isSurveyOfEditor || Self.keeps(caller, at: site) { return device }
        let scanner = submission.scanner.map { DeviceID($0.text) } ?? device
        if device == caller.device {
            guard scanner == device else {
                throw Problem(.scannerNotYours, "this token speaks for another scanner")
            }
            return device
        }
        guard kind == .survey, !caller.has(Self.itself, inSomeOf: site), scanner == device else {
            throw Problem(
                .deviceNotYours,
                caller.device == nil
                    ? "this token speaks for no device: leave `device` out"
                    : "this token speaks for another device")
        }
        guard tokens.hasToken(device: scanner, site: site) else {
            throw Problem(
                .scannerUnknown, "no token was issued for the scanner \(scanner) of \(site)")
        }
        return device
    }

    /// Refuses a device that was erased, also when its scans come from a file or a spool. A device
    /// that is not known as enrolled passes, because news of an enrolment may come a moment later.
    func checkIsNotErased(_ scan: ScanRecorded) throws(Problem) {
        guard erased.covers(DeviceKey(scan.site, scan.device), at: scan.correctedAt) else {
            return
        }
        throw Problem(.deviceErased, "the device was erased")
    }

    private func noted(
        _ id: EventID, _ contentHash: UInt64, _ record: LogRecord
    ) throws(Problem) -> Accepted {
        switch recent.note(id, contentHash: contentHash) {
        case .new:
            return Accepted(id: id, record: record, isAcknowledged: false)
        case .repeated(let isAcknowledged):
            return Accepted(id: id, record: record, isAcknowledged: isAcknowledged)
        case .conflict:
            throw Problem(.idConflict, "the id \(id) was used for another scan")
        }
    }
}

extension PlaceFault {
    fileprivate var problem: Problem {
        switch self {
        case .unknownLocation: Problem(.locationUnknown, "the site has no such location")
        case .unknownFloor: Problem(.floorUnknown, "the site has no such floor")
        case .coordinateOutOfRange:
            Problem(
                other: .coordinatesOutOfRange, "the place lies outside of what a site may span")
        }
    }
}
