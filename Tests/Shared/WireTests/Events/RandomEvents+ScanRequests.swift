import Events
import Wire

extension RandomEvents {
    mutating func scanRequests() -> [any WireEvent] {
        let requested = ScanRequested(
            site: SiteID(name()), id: id(), scanner: ScannerID(name()), asker: text(40),
            place: maybe { $0.place() }, room: maybe { RoomID($0.name()) },
            store: integer(0...1) == 1, askedAt: time(), until: time())
        let outcome = ScanRequestDone.Outcome.allCases[integer(0...2)]
        return [
            requested, ScanRequestCancelled(request: requested.key, cancelledAt: time()),
            ScanRequestTaken(request: requested.key, takenAt: time()),
            ResultAwaited(request: requested.key, address: text(40), awaitedAt: time()),
            ScanRequestDone(request: requested.key, outcome: outcome, scan: id(), doneAt: time()),
        ]
    }
}
