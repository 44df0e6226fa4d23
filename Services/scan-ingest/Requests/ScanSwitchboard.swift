import EventLog
import Events
import HTTPClient
import Retrying
import ScanSwitch
import ServiceHost
import Wire

/// The requests for scans as one copy of scan-ingest knows them, and its answers to them.
///
/// A scan that is not stored goes by HTTP to the copy where its asker waits. No topic has it.
final class ScanSwitchboard: Sendable {
    typealias ScannerKey = ScanRequestDirectory.ScannerKey
    /// Sends a body to an address, and returns the status and the body of the answer.
    typealias Post =
        @Sendable (_ url: String, [UInt8], _ timeoutSeconds: Double) async throws -> (
            status: Int, body: [UInt8]
        )

    /// How long a result waits for its asker to come, or to come again.
    private static let askerPatience = Duration.seconds(5)
    private static let handTimeoutSeconds = 3.0
    private static let locateTimeoutSeconds = 5.0

    let directory: ScanRequestDirectory
    let sites: SiteDirectory
    let clock: EventClock
    /// The address at which the other copies reach this one.
    let ownAddress: String
    let held = HeldResults()
    let ofRequest = Waits<EventID>()
    let ofScanner = Waits<ScannerKey>()
    private let log: any EventLog
    private let locator: String
    private let post: Post
    private let notices: Notices

    init(
        directory: ScanRequestDirectory, sites: SiteDirectory, clock: EventClock,
        log: any EventLog, ownAddress: String, locator: String, notices: Notices,
        post: @escaping Post
    ) {
        self.directory = directory
        self.sites = sites
        self.clock = clock
        self.log = log
        self.ownAddress = ownAddress
        self.locator = locator
        self.notices = notices
        self.post = post
    }

    /// Wakes who waits for this request, and sends on a result whose asker went to another copy.
    func changed(_ key: ScanRequestKey) {
        ofRequest.changed(key.id)
        ofScanner.changed(ScannerKey(key.site, key.scanner))
        guard let address = directory.standing(key)?.awaitedAt, address != ownAddress,
            let result = held.remove(key)
        else { return }
        Task {
            if await !hand(result, for: key, to: address) {
                held.put(result, for: key, at: clock.now)
            }
        }
    }

    /// Appends events, and reports a failure: the asker's wait then ends by its time.
    func append(_ events: [some WireEvent]) {
        guard !events.isEmpty else { return }
        log.append(events.map { $0.record(source: ScanIntake.source) }) { [notices] outcome in
            if case .failure(let error) = outcome {
                notices.onUnexpected("An event about a scan request was not appended: \(error)")
            }
        }
    }

    /// Brings a scan to its asker.
    ///
    /// - Returns: whether a copy has it at which the asker waits, or waited lately.
    func deliver(_ result: HandedResult, for key: ScanRequestKey) async -> Bool {
        let end = ContinuousClock.now.advanced(by: Self.askerPatience)
        var failed: Set<String> = []
        while ContinuousClock.now < end, !Task.isCancelled {
            if let address = directory.standing(key)?.awaitedAt, !failed.contains(address) {
                if address == ownAddress {
                    keep(result, for: key)
                    return true
                }
                if await hand(result, for: key, to: address) { return true }
                failed.insert(address)
                continue
            }
            // A scan that is stored is not lost, so this does not wait for its asker. He may come
            // soon for its position, which a survey does not have.
            if result.stored {
                if directory.standing(key)?.requested.place == nil { keep(result, for: key) }
                return false
            }
            let gone = failed
            await ofRequest.wait(for: key.id, atMost: end - .now) { [directory] in
                directory.standing(key)?.awaitedAt.map { !gone.contains($0) } ?? false
            }
        }
        return false
    }

    /// Keeps a result here for its asker.
    func keep(_ result: HandedResult, for key: ScanRequestKey) {
        held.put(result, for: key, at: clock.now)
        ofRequest.changed(key.id)
    }

    private func hand(
        _ result: HandedResult, for key: ScanRequestKey, to address: String
    ) async -> Bool {
        let answer = try? await post(
            "\(address)/v1/scan-requests/\(key.id)/handed-result", result.json,
            Self.handTimeoutSeconds)
        return answer?.status == 204
    }

    /// Notes that a scan which answers a request is on the log.
    func stored(_ scan: ScanRecorded, for key: ScanRequestKey) async {
        var submission = ScanSubmission(scan)
        submission.sentAt = nil
        submission.at = scan.correctedAt
        _ = await deliver(
            HandedResult(scanner: key.scanner, stored: true, scan: submission), for: key)
        append([
            ScanRequestDone(request: key, outcome: .stored, scan: scan.id, doneAt: clock.now)
        ])
    }

    /// The position of a held result as JSON; nil where it can't be located now.
    func position(of held: HeldResults.Held, for key: ScanRequestKey) async -> [UInt8]? {
        if let known = held.position { return known }
        guard
            let answer = try? await post(
                locator + "/v1/locate", held.result.scan.json, Self.locateTimeoutSeconds),
            answer.status == 200
        else { return nil }
        self.held.note(position: answer.body, for: key)
        return answer.body
    }

    /// Forgets results that nobody asked for, until the task is cancelled.
    func sweep() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(10))
            held.sweep(at: clock.now)
        }
    }
}
