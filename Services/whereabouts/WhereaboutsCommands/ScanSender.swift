import Cryptography
import Events
import HTTPClient
import ServiceRuntime
import Wire

/// Posts scans one by one, each with its own id until it is answered.
actor ScanSender {
    /// Scans under way at once.
    static let concurrency = ServiceClient.concurrency

    struct Outcome: Sendable {
        var accepted: [EventID] = []
        var lastRefusal: String?
    }

    private let services: ServiceClient
    private let isStubborn: Bool
    private let watch: PositionWatch?
    private let url: String
    private let headers: [(name: String, value: String)]
    private var result = Outcome()

    init(services: ServiceClient, isStubborn: Bool, watch: PositionWatch?) {
        self.services = services
        self.isStubborn = isStubborn
        self.watch = watch
        url = services.url("scan-ingest", "/v1/scans")
        headers = services.headers
    }

    func outcome() -> Outcome { result }

    /// Sends the scan with a new id and the present time. Answers 503 and 429, and a server that
    /// can't be reached, are tried again with the same id: for a minute, or for as long as it takes.
    nonisolated func send(_ replayed: ReplayedScan) async {
        let time = SystemTimeSource()
        let now = Timestamp(microseconds: time.nowMicroseconds)
        let words = UniqueIdentifier(millisecondsSinceEpoch: now.milliseconds)
        let id = EventID(high: words.high, low: words.low)
        var scan = replayed.scan
        scan.id = id
        scan.at = now
        scan.sentAt = now
        let truth = scan.truth
        scan.truth = nil
        scan.place = nil
        let body = scan.json
        await watch?.expect(id, truth: truth, sentAt: time.monotonicNanoseconds)
        let patience = ContinuousClock.now.advanced(by: .seconds(isStubborn ? 900 : 60))
        var refusal = ""
        while ContinuousClock.now < patience {
            do {
                let answer = try await services.client.send(
                    "POST", url, headers: headers, body: body, timeoutSeconds: 20)
                if answer.status == 202 { return await accept(id) }
                refusal =
                    "\(answer.status) \(String(decoding: answer.body.prefix(300), as: UTF8.self))"
                let mayPass = answer.status == 503 || answer.status == 429
                if !mayPass { break }
            } catch {
                refusal = "\(error)"
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 100...400)))
        }
        await refuse(refusal)
    }

    private func accept(_ id: EventID) { result.accepted.append(id) }

    private func refuse(_ reason: String) { result.lastRefusal = reason }
}
