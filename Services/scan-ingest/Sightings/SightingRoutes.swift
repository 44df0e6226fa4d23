import EventLog
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Wire

/// POST /v1/sightings: what nodes heard of devices, each report by itself.
struct SightingRoutes: Sendable {
    let intake: SightingIntake
    private let largeBodies = LargeBodies()
    private let accepted: Counter
    private let rejected: Counter

    init(intake: SightingIntake, metrics: MetricsRegistry) {
        self.intake = intake
        (accepted, rejected) = Self.counters(metrics)
    }

    /// Counts sightings that were accepted, and those that were refused.
    static func counters(_ metrics: MetricsRegistry) -> (accepted: Counter, rejected: Counter) {
        (
            metrics.counter(
                "whereabouts_sightings_accepted_total", help: "Sightings that the log has."),
            metrics.counter(
                "whereabouts_sightings_rejected_total", help: "Sightings that were refused.")
        )
    }

    var all: [Route] {
        [
            Route(
                .post, "/v1/sightings", maximumBodyBytes: ScanRoutes.bodyLimit,
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
        let outcomes: [Result<SightingSubmission, RejectedScan>]
        do throws(WireFault) {
            outcomes = try SightingSubmission.read(body: request.body, receivedAt: receivedAt)
        } catch {
            rejected.increment()
            responder.respond(Problem(error))
            return
        }
        let traceparent = request.header("traceparent")
        var batch = SentBatch()
        var records: [LogRecord] = []
        batch.judge(outcomes, of: request, caller) { submission throws(Problem) in
            records.append(
                try record(submission, caller, receivedAt: receivedAt, traceparent: traceparent))
        }
        if batch.rejectedCount > 0 { rejected.increment(by: batch.rejectedCount) }
        append(records, batch.response, responder)
    }

    private func record(
        _ submission: SightingSubmission, _ caller: Caller, receivedAt: Timestamp,
        traceparent: String?
    ) throws(Problem) -> LogRecord {
        guard let site = submission.site ?? caller.onlySite else {
            throw Problem(.siteMissing, "neither the sighting nor the token names a site")
        }
        guard let scanner = submission.scanner ?? caller.device.map({ ScannerID($0.text) }) else {
            throw Problem(.fieldMissing, "scanner: neither the sighting nor the token names it")
        }
        return try intake.record(
            of: submission.heard(by: scanner), at: site, from: caller, receivedAt: receivedAt,
            traceparent: traceparent
        ).get()
    }

    private func append(
        _ records: [LogRecord], _ response: HTTPResponse, _ responder: any HTTPResponder
    ) {
        guard !records.isEmpty else {
            responder.respond(response)
            return
        }
        let count = records.count
        intake.log.append(records) { [accepted] result in
            switch result {
            case .success:
                accepted.increment(by: count)
                responder.respond(response)
            case .failure(let error): responder.respond(Problem(error))
            }
        }
    }
}
