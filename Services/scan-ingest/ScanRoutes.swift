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
    static let bodyLimit = 4_194_304

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
        var sent = SentBatch()
        sent.judge(outcomes, of: request, caller) { submission throws(Problem) in
            batch.add(
                try intake.accept(
                    submission, kind: kind, caller: caller, traceparent: traceparent
                ).get())
        }
        if sent.rejectedCount > 0 { rejected.increment(by: sent.rejectedCount) }
        if batch.asksForRules { sent.notice = Self.askForRules }
        append(batch, sent.response, responder)
    }

    private static let askForRules = BatchAnswer.Notice(
        code: "access-point-rules-missing",
        detail: "Name the site's own networks in accessPoints.allow. Until then networks of "
            + "passers-by are stored too, for as long as surveys are.")

    private func append(
        _ batch: Batch, _ response: HTTPResponse, _ responder: any HTTPResponder
    ) {
        guard !batch.records.isEmpty else {
            responder.respond(response)
            return
        }
        // The closure captures the ids and the response only: the log owns the records until it has
        // written them.
        let (ids, answers) = (batch.ids, batch.answers)
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

/// The accepted scans of one request.
private struct Batch: Sendable {
    private(set) var records: [LogRecord] = []
    private(set) var ids: [EventID] = []
    /// The scans that answer requests.
    private(set) var answers: [ScanIntake.Answer] = []
    private(set) var asksForRules = false

    mutating func add(_ scan: ScanIntake.Accepted) {
        if scan.asksForRules { asksForRules = true }
        if let answer = scan.answer { answers.append(answer) }
        guard !scan.isAcknowledged else { return }
        records.append(scan.record)
        ids.append(scan.id)
    }
}
