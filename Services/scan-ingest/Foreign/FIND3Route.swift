import EventLog
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Wire

/// POST /data: what FIND3's senders send, as a scan or a survey.
///
/// FIND3 knows no tokens. But its senders take an address such as `https://any:TOKEN@host`, and
/// then send the token as the password of HTTP's Basic scheme.
struct FIND3Route: Sendable {
    private static let bodyLimit = 262_144

    let intake: ScanIntake
    let log: any EventLog
    let accepted: Counter
    let rejected: Counter

    var route: Route {
        Route(
            .post, "/data", maximumBodyBytes: Self.bodyLimit,
            handler: .task { request in
                do {
                    return try await data(request)
                } catch {
                    rejected.increment()
                    throw error
                }
            }
        ).accepting(.basic, problems: Self.refusal)
    }

    private func data(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let caller = request.caller, intake.isReady else { throw Problem.starting }
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        let submission = try request.read { (body) throws(WireFault) in
            try FIND3Data.submission(
                json: body, receivedAt: received, site: caller.onlySite, device: caller.device)
        }
        let quota = caller.sendingQuota
        if let quota, let allowance = request.allowance,
            allowance.spendRecords(1, quota: quota) == 0
        {
            throw Problem(
                .quotaExceeded,
                "This token has sent too many records; it may send \(quota.recordsInWords).",
                retryAfterSeconds: allowance.secondsUntil(records: 1, quota: quota))
        }
        let scan = try intake.accept(
            submission, kind: submission.place == nil ? .scan : .survey, caller: caller,
            traceparent: request.header("traceparent")
        ).get()
        if !scan.isAcknowledged {
            do throws(EventLogError) {
                try await log.append([scan.record])
            } catch {
                intake.recent.forget([scan.id])
                throw Problem(error)
            }
            intake.recent.acknowledge([scan.id])
            accepted.increment()
        }
        return .json(FIND3Data.answer(isSuccess: true, message: "inserted data"))
    }

    /// A problem as FIND3's senders read it. Its server answers 200 to all; here the status tells.
    private static func refusal(_ problem: Problem) -> HTTPResponse {
        var response = problem.response
        response.headers.removeAll { ["content-type", "www-authenticate"].contains($0.name) }
        response.headers.append(("content-type", "application/json"))
        if problem.status == 401 {
            response.headers.append(("www-authenticate", "Basic realm=\"whereabouts\""))
        }
        response.body = .bytes(FIND3Data.answer(isSuccess: false, message: problem.detail))
        return response
    }
}
