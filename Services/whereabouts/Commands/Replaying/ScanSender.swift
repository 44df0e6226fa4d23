import Cryptography
import Events
import HTTPClient
import ServiceRuntime
import Wire

/// Posts scans, each in a request of its own, until the server accepts or refuses it.
actor ScanSender {
    /// The most scans that are sent at the same time.
    static let concurrency = ServiceClient.concurrency

    struct Outcome: Sendable {
        var accepted: [EventID] = []
        var lastRefusal: String?
    }

    private let services: ServiceClient
    private let times: ReplayTimes
    /// The wall clock's time at which the first scan is sent.
    private let began = Timestamp(microseconds: SystemTimeSource().nowMicroseconds)
    private let note: @Sendable (String) -> Void
    private let watch: PositionWatch?
    /// Whether they are sent as taps, with their places.
    private let areTaps: Bool
    private var result = Outcome()
    private var lastNote: ContinuousClock.Instant?

    private static let noteInterval = Duration.seconds(10)

    /// - Parameter note: called with the reason why scans wait for the server.
    init(
        services: ServiceClient, times: ReplayTimes, watch: PositionWatch?, areTaps: Bool = false,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.services = services
        self.times = times
        self.watch = watch
        self.areTaps = areTaps
        self.note = note
    }

    func outcome() -> Outcome { result }

    /// Sends the scan with a new id and its time. Repeats it with the same id until it is accepted
    /// or refused for good.
    nonisolated func send(_ replayed: ReplayedScan) async {
        let time = SystemTimeSource()
        let now = Timestamp(microseconds: time.nowMicroseconds)
        let words = UniqueIdentifier(millisecondsSinceEpoch: now.milliseconds)
        let id = EventID(high: words.high, low: words.low)
        var scan = replayed.scan
        scan.id = id
        scan.at = times.stated(of: replayed.scan.at, began: began, now: now)
        scan.sentAt = now
        let truth = scan.truth
        scan.truth = nil
        if !areTaps { scan.place = nil }
        let body = scan.json
        await watch?.expect(id, truth: truth, sentAt: time.monotonicNanoseconds)
        do {
            _ = try await services.deliver(
                "POST", "scan-ingest", areTaps ? "/v1/taps" : "/v1/scans", body: body,
                timeoutSeconds: 20,
                note: { await delayed($0) })
            await accept(id)
        } catch {
            await refuse("\(error)")
        }
    }

    private func accept(_ id: EventID) { result.accepted.append(id) }

    private func refuse(_ reason: String) { result.lastRefusal = reason }

    /// Reports a delay at most every ten seconds: while a server is away, many scans wait for it.
    private func delayed(_ reason: String) {
        let now = ContinuousClock.now
        if let last = lastNote, now - last < Self.noteInterval { return }
        lastNote = now
        note(reason)
    }
}
