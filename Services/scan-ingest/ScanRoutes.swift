import EventLog
import Events
import FaultPoints
import HTTP
import ServiceHost
import ServiceRuntime
import Wire

/// POST /v1/scans and POST /v1/surveys. Handlers run on the server's own thread. They answer when
/// the log has acknowledged, and hold no thread while they wait.
struct ScanRoutes: Sendable {
    /// The most bytes of a body: 1,000 scans of 25 readings are about 2.5 MB.
    private static let bodyLimit = 4_194_304

    let intake: ScanIntake
    let log: any EventLog
    let board: ScanSwitchboard
    private let limits: LimitRoutes
    private let largeBodies = LargeBodies()
    let accepted: Counter
    let rejected: Counter

    init(
        intake: ScanIntake, log: any EventLog, board: ScanSwitchboard, metrics: MetricsRegistry,
        settings: ScanIngestSettings
    ) {
        self.intake = intake
        self.log = log
        self.board = board
        limits = LimitRoutes(settings: settings)
        accepted = metrics.counter(
            "whereabouts_scans_accepted_total", help: "Scans and surveys that the log has.")
        rejected = metrics.counter(
            "whereabouts_scans_rejected_total", help: "Scans and surveys that were refused.")
    }

    var all: [Route] {
        [
            Route(
                .post, "/v1/scans", maximumBodyBytes: Self.bodyLimit,
                handler: .callback { handle($0, as: .scan, $1) }),
            Route(
                .post, "/v1/surveys", maximumBodyBytes: Self.bodyLimit,
                handler: .callback { handle($0, as: .survey, $1) }),
            Route(
                .get, "/v1/limits",
                handler: .callback { request, responder in
                    responder.respond(limits.limits(request))
                }),
        ]
    }

    private func handle(
        _ request: HTTPRequest, as kind: ScanIntake.Kind, _ responder: any HTTPResponder
    ) {
        largeBodies.read(bytes: request.body.count, of: request.principal?.id ?? "") {
            read(request, as: kind, responder)
        }
    }

    private func read(
        _ request: HTTPRequest, as kind: ScanIntake.Kind, _ responder: any HTTPResponder
    ) {
        guard let caller = request.caller, intake.isReady else {
            responder.respond(.starting)
            return
        }
        let outcomes: [Result<ScanSubmission, RejectedScan>]
        do throws(WireFault) {
            outcomes = try SubmissionDecoder(kind == .scan ? .scan : .survey).decode(
                body: request.body,
                receivedAt: Timestamp(microseconds: request.receivedAtMicroseconds))
        } catch {
            rejected.increment()
            responder.respond(
                Problem(error))
            return
        }
        let traceparent = request.header("traceparent")
        var batch = Batch()
        let quota = caller.sendingQuota
        let granted =
            request.allowance?.spendRecords(outcomes.count, quota: quota) ?? outcomes.count
        for (index, outcome) in outcomes.enumerated() {
            guard index < granted else {
                batch.reject(index, Problem(.quotaExceeded, Self.overQuota))
                continue
            }
            switch outcome {
            case .failure(let fault):
                batch.reject(index, Problem(fault.fault))
            case .success(let submission):
                let decision = intake.accept(
                    submission, kind: kind, caller: caller, traceparent: traceparent)
                switch decision {
                case .success(let scan): batch.accept(scan)
                case .failure(let refusal):
                    batch.reject(index, refusal)
                }
            }
        }
        if !batch.rejections.isEmpty { rejected.increment(by: batch.rejections.count) }
        if granted < outcomes.count, let allowance = request.allowance, let quota {
            batch.headers = allowance.left(of: quota).headers
            let seconds = allowance.secondsUntil(records: outcomes.count - granted, quota: quota)
            batch.headers.append(("retry-after", String(seconds)))
        }
        append(batch, responder)
    }

    private static let overQuota =
        "This token has sent too many records; send this again after Retry-After."

    private func append(_ batch: Batch, _ responder: any HTTPResponder) {
        guard !batch.records.isEmpty else {
            responder.respond(batch.response)
            return
        }
        // The closure captures the ids and the response only: the log owns the records until it has
        // written them.
        let (ids, response, answers) = (batch.ids, batch.response, batch.answers)
        log.append(batch.records) { [recent = intake.recent, accepted, board] result in
            switch result {
            case .success:
                FaultPoint.appendedBeforeAnswer.reached()
                recent.acknowledge(ids)
                accepted.increment(by: ids.count)
                responder.respond(response)
                for answer in answers {
                    Task { await board.stored(answer.scan, for: answer.request) }
                }
            case .failure(let error):
                recent.forget(ids)
                responder.respond(Problem(error))
            }
        }
    }
}

/// The results of the scans of one request.
private struct Batch: Sendable {
    struct Rejection: Sendable {
        var index: Int
        var problem: Problem
    }

    private(set) var acceptedCount = 0
    private(set) var records: [LogRecord] = []
    private(set) var ids: [EventID] = []
    /// The scans that answer requests.
    private(set) var answers: [ScanIntake.Answer] = []
    private(set) var rejections: [Rejection] = []
    private var notice: BatchAnswer.Notice?
    /// The headers about the sender's quota, where too little of it was left.
    var headers: [(name: String, value: String)] = []

    mutating func accept(_ scan: ScanIntake.Accepted) {
        acceptedCount += 1
        if scan.asksForRules { notice = Self.askForRules }
        if let answer = scan.answer { answers.append(answer) }
        guard !scan.isAcknowledged else { return }
        records.append(scan.record)
        ids.append(scan.id)
    }

    mutating func reject(_ index: Int, _ problem: Problem) {
        rejections.append(Rejection(index: index, problem: problem))
    }

    /// 202 when any scan was accepted; else the status that all rejections share, or 400.
    var response: HTTPResponse {
        if acceptedCount == 1, rejections.isEmpty, notice == nil { return Self.oneAccepted }
        guard acceptedCount == 0, let first = rejections.first?.problem else {
            var response = HTTPResponse.json(answer.json(), status: 202)
            response.headers += headers
            return response
        }
        let isShared = rejections.allSatisfy { $0.problem.status == first.status }
        let status = isShared ? first.status : 400
        let wait = isShared ? first.retryAfterSeconds : nil
        let type = [(name: "content-type", value: "application/problem+json")]
        let retry = wait.map { [(name: "retry-after", value: String($0))] } ?? []
        return HTTPResponse(
            status: status, headers: type + (headers.isEmpty ? retry : headers),
            body: .bytes(answer.json(status: status)))
    }

    private static let oneAccepted = HTTPResponse.json(
        Array(#"{"accepted":1,"rejected":[]}"#.utf8), status: 202
    ).madeReady()

    private var answer: BatchAnswer {
        BatchAnswer(
            acceptedCount: acceptedCount,
            rejections: rejections.map {
                .init(index: $0.index, code: $0.problem.code, detail: $0.problem.detail)
            }, notice: notice)
    }

    private static let askForRules = BatchAnswer.Notice(
        code: "access-point-rules-missing",
        detail: "Name the site's own networks in accessPoints.allow. Until then networks of "
            + "passers-by are stored too, for as long as surveys are.")
}
