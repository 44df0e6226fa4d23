import Events
import Wire

extension SampleEvents {
    static let scanRequests: [(name: String, event: any WireEvent)] = [
        ("scan-requested", scanRequested), ("scan-requested-plain", plainScanRequested),
        (
            "scan-request-cancelled",
            ScanRequestCancelled(request: scanRequested.key, cancelledAt: later)
        ),
        ("scan-request-taken", ScanRequestTaken(request: scanRequested.key, takenAt: later)),
        (
            "result-awaited",
            ResultAwaited(
                request: scanRequested.key, address: "http://10.0.0.7:8080", awaitedAt: later)
        ),
        (
            "scan-request-done",
            ScanRequestDone(
                request: scanRequested.key, outcome: .stored, scan: scanID, doneAt: later)
        ),
    ]

    private static let later = Timestamp(milliseconds: 1_795_248_000_250)

    private static let scanRequested = ScanRequested(
        site: SiteID("bush-house"), id: scanID, scanner: ScannerID("pi-0042"),
        asker: "account/0193b2a4-7c3e-7a10-8000-00000000abce",
        place: .metres(floor: FloorID("bush-6"), x: 12, y: 3.5), room: RoomID("S6.01"),
        store: true, askedAt: moment, until: Timestamp(milliseconds: 1_795_248_020_000))

    private static let plainScanRequested = ScanRequested(
        site: SiteID("bush-house"), id: scanID, scanner: ScannerID("pi-0042"),
        asker: "session/0193b2a4-7c3e-7a10-8000-00000000abce", store: false, askedAt: moment,
        until: Timestamp(milliseconds: 1_795_248_020_000))
}
