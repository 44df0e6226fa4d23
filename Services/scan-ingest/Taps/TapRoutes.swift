import EventLog
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Wire

/// POST /v1/taps: "I am here", with the scan of that moment, in the form of surveys.
struct TapRoutes: Sendable {
    let intake: TapIntake
    let log: any EventLog
    private let largeBodies = LargeBodies()
    private let accepted: Counter
    private let rejected: Counter

    init(intake: TapIntake, log: any EventLog, metrics: MetricsRegistry) {
        self.intake = intake
        self.log = log
        accepted = metrics.counter(
            "whereabouts_taps_accepted_total", help: "Taps that the log has.")
        rejected = metrics.counter(
            "whereabouts_taps_rejected_total", help: "Taps that were refused.")
    }

    var all: [Route] {
        [
            Route(
                .post, "/v1/taps", maximumBodyBytes: ScanRoutes.bodyLimit,
                handler: .callback { handle($0, $1) })
        ]
    }

    private func handle(_ request: HTTPRequest, _ responder: any HTTPResponder) {
        largeBodies.read(bytes: request.body.count, of: request.principal?.id ?? "") {
            read(request, responder)
        }
    }

    private func read(_ request: HTTPRequest, _ responder: any HTTPResponder) {
        guard let caller = request.caller, intake.isReady else {
            responder.respond(.starting)
            return
        }
        let receivedAt = Timestamp(microseconds: request.receivedAtMicroseconds)
        let outcomes: [Result<ScanSubmission, RejectedScan>]
        do throws(WireFault) {
            outcomes = try SubmissionDecoder(.survey).decode(
                body: request.body, receivedAt: receivedAt)
        } catch {
            rejected.increment()
            responder.respond(Problem(error))
            return
        }
        let traceparent = request.header("traceparent")
        var batch = SentBatch()
        var (records, ids): ([LogRecord], [EventID]) = ([], [])
        batch.judge(outcomes, of: request, caller) { submission throws(Problem) in
            let tap = try intake.accept(
                submission, caller, address: request.senderText, receivedAt: receivedAt,
                traceparent: traceparent)
            guard !tap.isAcknowledged else { return }
            records.append(tap.record)
            ids.append(tap.id)
        }
        if batch.rejectedCount > 0 { rejected.increment(by: batch.rejectedCount) }
        append(records, ids, batch.response, responder)
    }

    private func append(
        _ records: [LogRecord], _ ids: [EventID], _ response: HTTPResponse,
        _ responder: any HTTPResponder
    ) {
        guard !records.isEmpty else {
            responder.respond(response)
            return
        }
        log.append(records) { [recent = intake.scans.recent, accepted] result in
            switch result {
            case .success:
                recent.acknowledge(ids)
                accepted.increment(by: ids.count)
                responder.respond(response)
            case .failure(let error):
                recent.forget(ids)
                responder.respond(Problem(error))
            }
        }
    }
}
