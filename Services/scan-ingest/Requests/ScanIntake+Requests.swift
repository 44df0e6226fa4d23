import Events
import HTTP
import ScanSwitch
import ServiceHost
import Wire

extension ScanIntake {
    /// The scan that answers a request and is not stored, without the personal data of strangers.
    ///
    /// - Returns: no key for a retry, which the asker has already.
    func passing(
        _ submission: ScanSubmission, caller: Caller
    ) throws(Problem) -> (scan: ScanRecorded, key: ScanRequestKey?) {
        let site = try site(submission, caller)
        try check(.scan, caller, site)
        guard let published = sites[whole: site] else { throw .siteUnknown(site) }
        let device = try device(submission, .scan, site, caller)
        let sent = submission.recorded(
            id: submission.id ?? clock.newEventID(), site: site, device: device)
        try checkIsNotErased(sent)
        let scan = try privacy.stored(sent, at: published)
        guard let request = submission.request else { throw .scanRequestUnknown }
        let (standing, isNew) = try answered(request, by: sent, as: .passing, caller)
        return (scan, isNew ? standing.requested.key : nil)
    }

    /// The request that the scan answers, and whether it does so for the first time.
    ///
    /// Only the scanner's own token may answer. Others who may speak for it would otherwise make
    /// surveys in the name of who asked.
    func answered(
        _ id: EventID, by scan: ScanRecorded, as kind: ScanAnswerKind, _ caller: Caller
    ) throws(Problem) -> (standing: ScanRequestStanding, isNew: Bool) {
        guard requests.isReady else { throw .starting }
        guard caller.device == scan.device else {
            throw Problem(
                .scannerNotYours, "only the scanner that was asked answers a request for a scan")
        }
        let key = ScanRequestKey(
            site: scan.site, id: id, scanner: ScannerID(scan.device.text))
        guard let standing = requests.standing(key) else {
            // The scanner got it from a copy that has read further.
            throw id.isRecent(at: clock.now) ? Problem.starting : Problem.scanRequestUnknown
        }
        do throws(ScanAnswerRefusal) {
            let isNew = try standing.answer(by: scan.id, as: kind, scannedAt: scan.correctedAt)
            return (standing, isNew)
        } catch {
            throw error.problem
        }
    }
}

extension EventID {
    /// How far a copy may lag behind another.
    private static let lagMilliseconds: Int64 = 10_000

    /// Whether the time in this UUID of version 7 is near, so that a copy which lags may not know
    /// its request yet.
    func isRecent(at moment: Timestamp) -> Bool {
        let age = moment.milliseconds - Int64(high >> 16)
        return (-Self.lagMilliseconds...Self.lagMilliseconds).contains(age)
    }
}

extension ScanAnswerRefusal {
    fileprivate var problem: Problem {
        switch self {
        case .cancelled: .scanRequestCancelled
        case .over: .scanRequestOver
        case .answered:
            Problem(.scanRequestAnswered, "This scanner has answered the request by another scan.")
        case .differs:
            Problem(
                .scanRequestDiffers, "The request wants its scan stored, or placed, otherwise.")
        }
    }
}
