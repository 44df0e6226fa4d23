import Events
import HTTP
import ScanSwitch
import ServiceHost
import Wire

/// The paths of the scan switch at scan-ingest: scanners wait for requests and hand in results,
/// askers wait for results.
struct ResultRoutes: Sendable {
    /// A scan of a thousand readings.
    private static let bodyLimit = 262_144

    let intake: ScanIntake
    let board: ScanSwitchboard

    var all: [Route] {
        let polls = ScannerPolls(board: board)
        let wait = AskersWait(board: board)
        return [
            Route(
                .get, "/v1/scanners/{scanner}/requests",
                handler: .task { try await polls.poll($0) }),
            Route(
                .get, "/v1/scan-requests/{id}/result",
                handler: .task { try await wait.result($0) }),
            Route(
                .post, "/v1/scan-requests/{id}/result", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await handIn($0) }),
            Route(
                .post, "/v1/scan-requests/{id}/handed-result",
                maximumBodyBytes: Self.bodyLimit * 2,
                handler: .task { try await handOver($0) }),
        ]
    }

    /// Takes a scan that is not to be stored, and brings it to its asker.
    private func handIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let caller = request.caller, intake.isReady, board.directory.isReady else {
            throw Problem.starting
        }
        let id = try request.id(of: "A request")
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        var submission = try request.read { (body) throws(WireFault) in
            try SubmissionDecoder(.scan).decodeOne(body, receivedAt: received)
        }
        submission.request = id
        let (scan, key) = try intake.passing(submission, caller: caller)
        guard let key else { return Self.delivered }
        var passing = ScanSubmission(scan)
        // The clock's skew is known here, and the scan may travel on.
        (passing.at, passing.sentAt) = (scan.correctedAt, nil)
        let isDelivered = await board.deliver(
            HandedResult(scanner: key.scanner, stored: false, scan: passing), for: key)
        board.append([
            ScanRequestDone(
                request: key, outcome: isDelivered ? .answered : .dropped, scan: scan.id,
                doneAt: board.clock.now)
        ])
        guard isDelivered else {
            throw Problem(.nobodyWaits, "Nobody waits for this scan; it was dropped.")
        }
        return Self.delivered
    }

    private static let delivered = HTTPResponse.json(
        Array(#"{"delivered":true}"#.utf8), status: 202)

    /// Takes a scan from another copy, since its asker waits here.
    private func handOver(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id(of: "A request")
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        let result = try request.read { (body) throws(WireFault) in
            try HandedResult(json: body, receivedAt: received)
        }
        guard let site = result.scan.site else {
            throw Problem(.siteMissing, "The handed scan names no site.")
        }
        board.keep(result, for: ScanRequestKey(site: site, id: id, scanner: result.scanner))
        return HTTPResponse(status: 204)
    }
}
