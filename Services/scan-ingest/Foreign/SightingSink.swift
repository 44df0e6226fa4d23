import Access
import Events
import HTTP
import ServiceHost
import ServiceRuntime

/// Takes what nodes and other systems heard: makes pseudonyms of strangers, and appends it.
protocol SightingSink: Sendable {
    /// Returns when the log has the sightings, or has refused those that it can never take.
    ///
    /// - Throws: when it is not known whether the log has them. They may be sent again.
    func accept(_ heard: [HeardDevice], of site: SiteID) async throws
}

/// The intake of sightings, for systems that have no token of their own. Each speaks for all nodes
/// of its site, as a gateway does.
struct ForeignSightings: SightingSink {
    let intake: SightingIntake
    let clock: EventClock
    private let accepted: Counter
    private let rejected: Counter

    init(intake: SightingIntake, clock: EventClock, metrics: MetricsRegistry) {
        self.intake = intake
        self.clock = clock
        (accepted, rejected) = SightingRoutes.counters(metrics)
    }

    func accept(_ heard: [HeardDevice], of site: SiteID) async throws {
        guard intake.isReady else { throw Problem.starting }
        let caller = Caller(id: "nodes of \(site)", grants: [Grant(.gateway, site: site)])
        let outcomes = try await intake.accept(
            heard, of: site, from: caller, receivedAt: clock.now)
        let refusals = outcomes.compactMap(\.self)
        accepted.increment(by: outcomes.count - refusals.count)
        rejected.increment(by: refusals.count)
        // Such as without a key for pseudonyms: that passes. Those that were taken come again, and
        // two reports of one node within a window count once.
        if let passing = refusals.first(where: { $0.status == 503 }) { throw passing }
    }
}
