import Devices
import EventLog
import Events
import Positioning
import ServiceHost
import ServiceRuntime
import Site
import Wire

extension Locating {
    /// What the device's newest position says of the zones that it is in.
    func visit(
        _ scan: ScanRecorded, _ position: PositionEstimated, _ device: String,
        _ state: inout PartitionState, _ batch: inout LocatingBatch
    ) {
        // As for the history: a clock that runs ahead must not end every stay.
        let at = min(scan.correctedAt, scan.receivedAt)
        let sighting = ZoneSighting(position, at: at, site: host.sites[scan.site]?.index)
        let before = state.visits[device]
        var visits = before ?? DeviceVisits()
        let changes = visits.evolve(at: at, sighting, rules)
        state.visits[device] = visits.stays.isEmpty ? nil : visits
        if state.visits[device] != before { batch.visits(device) }
        tell(changes, of: device, &batch)
    }

    /// Ends the visits of devices of which nothing more can come, by the log's time. Looked for every
    /// ten seconds of it.
    func endOverdueVisits(
        _ state: inout PartitionState, at now: Int64, _ batch: inout LocatingBatch
    ) {
        guard now - state.visitsEndedAtMicroseconds >= Self.endingMicroseconds else { return }
        state.visitsEndedAtMicroseconds = now
        let lateAfter = Duration.seconds(Lateness.limitSeconds)
        for (device, visits) in state.visits {
            guard let deadline = visits.deadline(rules, lateAfter: lateAfter),
                deadline.microseconds < now
            else { continue }
            var visits = visits
            tell(visits.endAll(), of: device, &batch)
            state.visits[device] = nil
            batch.visits(device)
        }
    }

    private static let endingMicroseconds: Int64 = 10_000_000

    private func tell(
        _ changes: [DeviceVisits.Change], of name: String, _ batch: inout LocatingBatch
    ) {
        guard !changes.isEmpty, let slash = name.firstIndex(of: "/") else { return }
        let site = SiteID(String(name[..<slash]))
        let device = DeviceID(String(name[name.index(after: slash)...]))
        for change in changes {
            switch change {
            case .started(let stay):
                batch.append(
                    VisitStarted(
                        visit: EventID(
                            visitOf: device, at: site, to: stay.zone, entered: stay.entered),
                        site: site, device: device, zone: stay.zone, entered: stay.entered,
                        confidence: stay.confidence
                    ).record(source: Self.source))
            case .ended(let stay, let reason):
                batch.append(
                    VisitEnded(
                        visit: EventID(
                            visitOf: device, at: site, to: stay.zone, entered: stay.entered),
                        site: site, device: device, zone: stay.zone, entered: stay.entered,
                        left: stay.lastInside, confidence: stay.confidence, reason: reason
                    ).record(source: Self.source))
            }
        }
    }
}
