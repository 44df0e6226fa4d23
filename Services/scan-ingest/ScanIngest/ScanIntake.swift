import EventLog
import Events
import HTTP
import Positioning
import ServiceHost
import Site
import Wire

/// Decides which scans and surveys are taken, for whom, and what is appended for them. The same
/// intake stands behind HTTP and behind `scans-inbound`.
struct ScanIntake: Sendable {
    enum Kind: Sendable { case scan, survey }

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
    /// Whose tokens may send scans.
    static let senderRoles = Set([TokenRole.device, .surveyor, .administrator].map(\.rawValue))

    /// Checks that the sender may speak for the device, that the site and place exist, and that the
    /// id is not in use for something else.
    func accept(
        _ submission: ScanSubmission, kind: Kind, principal: Principal, traceparent: String?
    ) -> Result<Accepted, Refusal> {
        do throws(Refusal) {
            return .success(
                try checked(submission, kind: kind, principal, traceparent: traceparent))
        } catch {
            return .failure(error)
        }
    }

    private func checked(
        _ submission: ScanSubmission, kind: Kind, _ principal: Principal, traceparent: String?
    ) throws(Refusal) -> Accepted {
        let site = try site(submission, principal)
        guard let published = host.sites[site] else {
            throw Refusal(
                status: 404, code: "site-unknown", detail: "there is no published site \(site)")
        }
        let device = try device(submission, site, principal)
        let scan = submission.recorded(
            id: submission.id ?? host.newEventID(), site: site, device: device)
        switch kind {
        case .scan:
            return try noted(
                scan.id, ContentHash.of(scan),
                scan.record(source: Self.source, traceparent: traceparent))
        case .survey:
            guard let place = submission.place else {
                throw Refusal(
                    status: 400, code: "place-missing", detail: "a survey says where it was made")
            }
            do throws(PlaceFault) {
                _ = try published.index.resolve(place)
            } catch {
                throw Refusal(status: 422, code: error.code, detail: error.detail)
            }
            let survey = SurveyRecorded(scan: scan, place: place)
            return try noted(
                scan.id, ContentHash.of(survey),
                survey.record(source: Self.source, traceparent: traceparent))
        }
    }

    private func site(
        _ submission: ScanSubmission, _ principal: Principal
    ) throws(Refusal) -> SiteID {
        let own = principal.site.map(SiteID.init)
        if let named = submission.site, let own, named != own {
            throw Refusal(
                status: 403, code: "site-not-yours", detail: "this token is for the site \(own)")
        }
        guard let site = submission.site ?? own else {
            throw Refusal(
                status: 400, code: "site-missing",
                detail: "neither the scan nor the token names a site")
        }
        return site
    }

    /// A device's token speaks for that device only; a surveyor's for devices that have a token of
    /// their own; an administrator's for any.
    private func device(
        _ submission: ScanSubmission, _ site: SiteID, _ principal: Principal
    ) throws(Refusal) -> DeviceID {
        let own = principal.device.map(DeviceID.init)
        guard let device = submission.device ?? own else {
            throw Refusal(
                status: 400, code: "device-missing",
                detail: "neither the scan nor the token names a device")
        }
        switch principal.role {
        case TokenRole.administrator.rawValue: break
        case TokenRole.device.rawValue:
            guard device == own else {
                throw Refusal(
                    status: 403, code: "device-not-yours",
                    detail: "this token speaks for another device")
            }
            guard submission.scanner == nil || submission.scanner?.text == device.text else {
                throw Refusal(
                    status: 403, code: "scanner-not-yours",
                    detail: "this token speaks for another scanner")
            }
        default:
            let scanner = submission.scanner.map { DeviceID($0.text) } ?? device
            guard host.tokens.hasToken(device: scanner, site: site) else {
                throw Refusal(
                    status: 404, code: "scanner-unknown",
                    detail: "no token was issued for the scanner \(scanner) of \(site)")
            }
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
