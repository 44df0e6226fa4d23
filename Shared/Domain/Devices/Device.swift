public import Events
import Magnetic
import Positioning
import Site

/// All that is known of one device: its scans of the last day, what positioners remember of it, and
/// the zones that it is in.
///
/// `decide` says what a scan or the passing of time brings; `evolve` makes it so. Both are pure:
/// time, ids and chance are arguments. A device is a value, so a copy can be decided on and thrown
/// away. Its parts are what the topic `locator-state` holds.
public struct Device: Hashable, Sendable {
    public private(set) var history: DeviceHistory
    public private(set) var memory: PositionerMemory
    public private(set) var visits: DeviceVisits

    /// A device that was never heard of, or one as it was stored.
    public init(
        history: DeviceHistory = DeviceHistory(), memory: PositionerMemory = PositionerMemory(),
        visits: DeviceVisits = DeviceVisits()
    ) {
        self.history = history
        self.memory = memory
        self.visits = visits
    }

    // MARK: A scan

    /// Decides what the scan brings.
    ///
    /// - Parameters:
    ///   - locatedAt: the time now, which the positions carry.
    ///   - isPutBack: whether the scan was set aside and comes after newer ones; it counts as late.
    ///   - seed: the only source of chance; where nil it belongs to the scan's id.
    public func decide(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        isPutBack: Bool = false, seed: UInt64? = nil, scratch: inout DeviceScratch
    ) -> ScanDecision {
        let sighting = ScanSighting(scan)
        switch history.decide(sighting) {
        case .duplicate: return .duplicate
        case .conflict: return .conflict
        case .new(let isOld):
            let isLate = isOld || isPutBack
            var located = LocatedScan(
                scan, sighting, isLate: isLate,
                isMoved: history.isMoved(by: sighting, isLate: isLate))
            locate(
                scan, &located, in: site, by: rules, locatedAt: locatedAt,
                seed: seed ?? scan.id.low, &scratch)
            if located.isMoved { visit(scan, &located, in: site, by: rules) }
            return .located(located)
        }
    }

    /// The served position of a scan by itself, as that of a device that was never heard of.
    /// Nothing becomes of the device, so its history and its zones are not asked.
    public static func position(
        ofOne scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules,
        locatedAt: Timestamp
    ) -> PositionEstimated? {
        var scratch = DeviceScratch()
        let isLate = Lateness.isLate(
            at: scan.correctedAt, arrivedAt: scan.receivedAt, newest: nil)
        var located = LocatedScan(scan, .unasked, isLate: isLate, isMoved: false)
        Device().locate(
            scan, &located, in: site.ofQuestions, by: rules, locatedAt: locatedAt,
            seed: scan.id.low, &scratch)
        return located.served
    }

    /// Makes the decision so, and says what has to be stored of it.
    public mutating func evolve(_ located: LocatedScan) -> DeviceChange {
        if let memory = located.memory { self.memory = memory }
        if let visits = located.zones { self.visits = visits }
        return DeviceChange(
            history: history.evolve(located.sighting), memory: located.memory != nil,
            visits: located.zones != nil)
    }

    /// Both at once, in place.
    mutating func decideAndEvolve(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        isPutBack: Bool, scratch: inout DeviceScratch
    ) -> (ScanDecision, DeviceChange?) {
        history.indexIfMissing()
        let decision = decide(
            scan, in: site, by: rules, locatedAt: locatedAt, isPutBack: isPutBack,
            scratch: &scratch)
        guard case .located(let located) = decision else { return (decision, nil) }
        return (decision, evolve(located))
    }

    /// Asks each positioner. Their memory changes only if the scan takes the device further.
    private func locate(
        _ scan: ScanRecorded, _ located: inout LocatedScan, in site: SiteKnowledge,
        by rules: DeviceRules, locatedAt: Timestamp, seed: UInt64, _ scratch: inout DeviceScratch
    ) {
        var memory = memory
        located.radio.evidence = fieldEvidence(scan, site, isMoved: located.isMoved, &memory)
        scratch.fit(site.positioners.count)
        located.answers.reserveCapacity(site.positioners.count)
        let motion = MotionPeriod(scan, after: history.newestScan)
        for (index, positioner) in site.positioners.enumerated() {
            var estimate = Estimate.lost
            if let prepared = positioner.prepared {
                let answer = prepared.locate(
                    located.radio,
                    state: memory.state(of: positioner.name, basis: positioner.basis), seed: seed,
                    scratch: &scratch.positioners[index])
                estimate = answer.estimate
                if located.isMoved,
                    !memory.keep(answer.state, of: positioner.name, basis: positioner.basis)
                {
                    located.tooLarge.append((positioner.name, answer.state.bytes.count))
                }
            }
            var position = locateScan(
                scan, estimate: estimate, id: rules.digests.position(scan.id, positioner.name),
                locatedAt: locatedAt, isLate: located.isLate, site: site.site?.index,
                context: site.context(of: positioner))
            position.lostBecause = site.lostBecause
            position.motion = motion
            located.answers.append(LocatedScan.Answer(estimate: estimate, position: position))
        }
        memory.forgetAll(but: site.remembered)
        if memory != self.memory { located.memory = memory }
    }

    /// The evidence of the magnetic field, where a positioner asks for it.
    private func fieldEvidence(
        _ scan: ScanRecorded, _ site: SiteKnowledge, isMoved: Bool,
        _ memory: inout PositionerMemory
    ) -> [PlaceEvidence] {
        let name = FollowedRoutes.memoryName
        guard let routes = site.routes else {
            _ = memory.keep(.empty, of: name, basis: 0)
            return []
        }
        let (evidence, state) = routes.follower.follow(
            scan, state: memory.state(of: name, basis: routes.basis))
        // The states that a matcher keeps are far below the limit.
        if isMoved { _ = memory.keep(state, of: name, basis: routes.basis) }
        return evidence
    }

    /// Works out from the served position which zones the device is in.
    private func visit(
        _ scan: ScanRecorded, _ located: inout LocatedScan, in site: SiteKnowledge,
        by rules: DeviceRules
    ) {
        guard let served = located.answers.first?.position else { return }
        // A clock that runs ahead must not end every stay.
        let at = min(scan.correctedAt, scan.receivedAt)
        var visits = visits
        let changes = visits.evolve(
            at: at, ZoneSighting(served, at: at, site: site.site?.index), rules.visits)
        if visits != self.visits { located.zones = visits }
        located.visits = changes.map {
            VisitEvent($0, of: DeviceKey(scan.site, scan.device), rules.digests)
        }
    }

    // MARK: Time

    /// The end of all visits once nothing can come that changes them; nil before that.
    public func decide(
        timePassedTo now: Timestamp, of key: DeviceKey, by rules: DeviceRules
    ) -> EndedVisits? {
        let lateAfter = Duration.seconds(Lateness.limitSeconds)
        guard let deadline = visits.deadline(rules.visits, lateAfter: lateAfter), deadline < now
        else { return nil }
        var visits = visits
        return EndedVisits(
            visits: visits.endAll().map { VisitEvent($0, of: key, rules.digests) })
    }

    /// Makes the decision so, and says what has to be stored of it.
    public mutating func evolve(_ ended: EndedVisits) -> DeviceChange {
        visits = DeviceVisits()
        return DeviceChange(history: nil, memory: false, visits: true)
    }

    /// Whether nothing was heard of it for so long that it is forgotten.
    public func isIdle(at now: Timestamp) -> Bool {
        let limit = now.advanced(byMicroseconds: -DeviceHistory.keptSeconds * 1_000_000)
        return history.buckets.allSatisfy { $0.lastArrival < limit }
    }

    // MARK: Stored parts

    mutating func restore(_ bucket: DeviceHistory.Bucket) { history.restore(bucket) }
    mutating func remove(_ bucket: UInt32) { history.forget(bucket) }
    mutating func restore(_ memory: PositionerMemory) { self.memory = memory }
    mutating func restore(_ visits: DeviceVisits) { self.visits = visits }

    /// Whether nothing is known of it.
    var isEmpty: Bool {
        history.buckets.isEmpty && memory.entries.isEmpty && visits.stays.isEmpty
    }
}
