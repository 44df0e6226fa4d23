public import Events
import Magnetic
import Positioning
import Site

/// The state of one device: when it was heard of, the states of its positioners, and the zones and
/// groups that it is in.
///
/// `decide` computes the result of a scan or of passing time, and `evolve` applies it. Both are
/// pure: time, ids and chance are arguments. A device is a value, so a copy can be decided on and
/// thrown away. Its parts are stored in the topic `locator-state`. It does not know which scans it
/// had: `DeviceTable` leaves out those that come twice.
public struct Device: Hashable, Sendable {
    /// Nil before the first scan.
    public private(set) var times: DeviceTimes?
    public private(set) var memory: PositionerMemory
    public private(set) var visits: DeviceVisits
    public private(set) var groups: DeviceGroups

    /// A new device, or one with its stored parts.
    public init(
        times: DeviceTimes? = nil, memory: PositionerMemory = PositionerMemory(),
        visits: DeviceVisits = DeviceVisits(), groups: DeviceGroups = DeviceGroups()
    ) {
        self.times = times
        self.memory = memory
        self.visits = visits
        self.groups = groups
    }

    // MARK: A scan

    /// Decides the result of a scan.
    ///
    /// - Parameters:
    ///   - locatedAt: the time now, which the positions carry.
    ///   - isPutBack: whether the scan was set aside and now comes after newer ones. It counts as
    ///     late.
    ///   - seed: the only source of chance; if nil it is made from the scan's id.
    public func decide(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        isPutBack: Bool = false, seed: UInt64? = nil, scratch: inout DeviceScratch
    ) -> LocatedScan {
        decide(
            scan, ScanSighting(scan), in: site, by: rules, locatedAt: locatedAt,
            isPutBack: isPutBack, seed: seed ?? scan.id.low, &scratch)
    }

    private func decide(
        _ scan: ScanRecorded, _ sighting: ScanSighting, in site: SiteKnowledge,
        by rules: DeviceRules, locatedAt: Timestamp, isPutBack: Bool, seed: UInt64,
        _ scratch: inout DeviceScratch
    ) -> LocatedScan {
        let isLate =
            isPutBack
            || Lateness.isLate(
                at: sighting.at, arrivedAt: sighting.arrivedAt, newest: times?.newestScan)
        var located = LocatedScan(
            scan, sighting, isLate: isLate, isMoved: isMoved(by: sighting, isLate: isLate),
            beacons: site.site?.index.beacons)
        locate(
            scan, &located, in: site, by: rules, locatedAt: locatedAt, seed: seed, &scratch)
        let heard = HeardBeacons(scan, at: site.site?.index)
        located.batteries = heard.batteries.sorted { $0.key < $1.key }.map {
            BeaconBatteryReported(
                site: scan.site, beacon: $0.key, percent: $0.value, at: sighting.countable)
        }
        if located.isMoved {
            visit(scan, &located, in: site, by: rules)
            visitGroups(scan, heard, &located, by: rules)
        } else {
            halt(&located)
        }
        return located
    }

    /// Notes the newest scan in visits and groups that go on with it. It comes before a scan that
    /// does not count for them, but becomes the device's newest one.
    private func halt(_ located: inout LocatedScan) {
        guard let newest = times?.newestScan, located.sighting.countable > newest else { return }
        let (visits, groups) = (visits.halted(at: newest), groups.halted(at: newest))
        if visits != self.visits { located.zones = visits }
        if groups != self.groups { located.groups = groups }
    }

    /// Whether a scan becomes the device's newest. A scan that is late, or older than the newest,
    /// is located with the device's states but does not change them.
    private func isMoved(by sighting: ScanSighting, isLate: Bool) -> Bool {
        guard !isLate else { return false }
        return times.map { sighting.countable >= $0.newestScan } ?? true
    }

    /// The served position of a scan by itself, as for a new device. No device changes, so neither
    /// history nor zones are used.
    public static func position(
        ofOne scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules,
        locatedAt: Timestamp, scratch: inout DeviceScratch
    ) -> PositionEstimated? {
        let isLate = Lateness.isLate(
            at: scan.correctedAt, arrivedAt: scan.receivedAt, newest: nil)
        var located = LocatedScan(
            scan, .unasked, isLate: isLate, isMoved: false, beacons: site.site?.index.beacons)
        Device().locate(
            scan, &located, in: site.ofQuestions, by: rules, locatedAt: locatedAt,
            seed: scan.id.low, &scratch)
        return located.served
    }

    /// The served position of a scan, and the device after it. It is for askers who keep the
    /// device's state themselves, and equals what the locator gives for the same scans. Zones and
    /// groups are not followed.
    public func answer(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        scratch: inout DeviceScratch
    ) -> (position: PositionEstimated?, device: Device) {
        let sighting = ScanSighting(scan)
        let isLate = Lateness.isLate(
            at: sighting.at, arrivedAt: sighting.arrivedAt, newest: times?.newestScan)
        var located = LocatedScan(
            scan, sighting, isLate: isLate, isMoved: isMoved(by: sighting, isLate: isLate),
            beacons: site.site?.index.beacons)
        locate(
            scan, &located, in: site.only(0), by: rules, locatedAt: locatedAt, seed: scan.id.low,
            &scratch)
        var after = self
        _ = after.evolve(located)
        return (located.served, after)
    }

    /// Applies the decision, and returns the parts that have to be stored.
    public mutating func evolve(_ located: LocatedScan) -> DeviceChange {
        if let memory = located.memory { self.memory = memory }
        if let visits = located.zones { self.visits = visits }
        if let groups = located.groups { self.groups = groups }
        let heard = DeviceTimes(located.sighting)
        times = times?.joined(with: heard) ?? heard
        return DeviceChange(
            memory: located.memory != nil, visits: located.zones != nil,
            groups: located.groups != nil)
    }

    /// Decides and applies the decision in place.
    ///
    /// - Parameter heard: when the device was heard of, if it was read back and does not know.
    mutating func decideAndEvolve(
        _ scan: ScanRecorded, _ sighting: ScanSighting, heard: DeviceTimes?,
        in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp, isPutBack: Bool,
        scratch: inout DeviceScratch
    ) -> (located: LocatedScan, change: DeviceChange, newest: Timestamp) {
        times = times ?? heard
        let located = decide(
            scan, sighting, in: site, by: rules, locatedAt: locatedAt, isPutBack: isPutBack,
            seed: scan.id.low, &scratch)
        let change = evolve(located)
        return (located, change, times?.newestScan ?? sighting.countable)
    }

    /// Locates the scan with each positioner. Their states change only if the scan is the device's
    /// newest.
    private func locate(
        _ scan: ScanRecorded, _ located: inout LocatedScan, in site: SiteKnowledge,
        by rules: DeviceRules, locatedAt: Timestamp, seed: UInt64, _ scratch: inout DeviceScratch
    ) {
        var memory = memory
        // A clock that runs ahead shows other times in the log than here.
        if scan.correctedAt <= scan.receivedAt { located.radio.previousAt = times?.newestScan }
        located.radio.evidence = fieldEvidence(scan, site, isMoved: located.isMoved, &memory)
        let byNodes = estimateByNodes(located, site, &memory)
        scratch.fit(site.positioners.count)
        located.answers.reserveCapacity(site.positioners.count)
        let motion = MotionPeriod(scan, after: times?.newestScan)
        for (index, positioner) in site.positioners.enumerated() {
            var estimate = byNodes ?? .lost
            if byNodes == nil, let prepared = positioner.prepared {
                let answer = prepared.locate(
                    located.radio,
                    state: memory.state(of: positioner.name, basis: positioner.stateBasis),
                    seed: seed,
                    scratch: &scratch.positioners[index])
                estimate = answer.estimate
                if located.isMoved,
                    !memory.keep(
                        answer.state, of: positioner.name, basis: positioner.stateBasis)
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

    /// The estimate of the nodes that heard the device; nil for a scan that a positioner locates.
    private func estimateByNodes(
        _ located: LocatedScan, _ site: SiteKnowledge, _ memory: inout PositionerMemory
    ) -> Estimate? {
        let name = PreparedNodes.memoryName
        guard let nodes = site.nodes else {
            _ = memory.keep(.empty, of: name, basis: 0)
            return nil
        }
        guard nodes.prepared.suits(located.radio) else { return nil }
        var scratch = PositionerScratch()
        let (estimate, state) = nodes.prepared.locate(
            located.radio, state: memory.state(of: name, basis: nodes.basis), seed: 0,
            scratch: &scratch)
        // The result is ignored, because a state of nodes is far below the size limit.
        if located.isMoved { _ = memory.keep(state, of: name, basis: nodes.basis) }
        return estimate
    }

    /// The evidence of the magnetic field, if a positioner uses it.
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
        // The result is ignored, because a matcher's states are far below the size limit.
        if isMoved { _ = memory.keep(state, of: name, basis: routes.basis) }
        return evidence
    }

    /// Finds the zones that the device is in, from the served position.
    private func visit(
        _ scan: ScanRecorded, _ located: inout LocatedScan, in site: SiteKnowledge,
        by rules: DeviceRules
    ) {
        guard let served = located.answers.first?.position else { return }
        // Without this limit, a clock that runs ahead would end every stay.
        let at = min(scan.correctedAt, scan.receivedAt)
        var visits = visits.moved(to: times?.newestScan)
        let changes = visits.evolve(
            at: at, ZoneSighting(served, at: at, site: site.site?.index), rules.visits,
            renamed: Pseudonym(scan.device)?.ends)
        // As for `previousAt`: such times do not go on.
        if scan.correctedAt > at { visits = visits.halted(at: at) }
        if visits != self.visits, !self.visits.serves(visits) { located.zones = visits }
        located.visits = changes.map {
            VisitEvent($0, of: DeviceKey(scan.site, scan.device), rules.digests)
        }
    }

    /// Finds the groups of beacons that the device is in, whether or not it was located.
    private func visitGroups(
        _ scan: ScanRecorded, _ heard: HeardBeacons, _ located: inout LocatedScan,
        by rules: DeviceRules
    ) {
        guard !groups.stays.isEmpty || !heard.groups.isEmpty else { return }
        let at = located.sighting.countable
        var groups = groups.moved(to: times?.newestScan)
        let changes = groups.evolve(at: at, heard.groups, silence: rules.visits.groupSilence)
        if scan.correctedAt > at { groups = groups.halted(at: at) }
        if groups != self.groups, !self.groups.serves(groups) { located.groups = groups }
        located.visits += changes.map {
            VisitEvent($0, of: DeviceKey(scan.site, scan.device), rules.digests)
        }
    }

    // MARK: Time

    /// Ends all visits as soon as no later scan can change them; nil before that.
    ///
    /// - Parameter heard: when the device was heard of, if it was read back and does not know.
    public func decide(
        timePassedTo now: Timestamp, of key: DeviceKey, by rules: DeviceRules,
        heard: DeviceTimes? = nil
    ) -> EndedVisits? {
        let lateAfter = Duration.seconds(Lateness.limitSeconds)
        let renamed = Pseudonym(key.device)?.ends
        let newest = (times ?? heard)?.newestScan
        var (visits, groups) = (visits.moved(to: newest), groups.moved(to: newest))
        let deadline = visits.deadline(rules.visits, lateAfter: lateAfter, renamed: renamed)
        var ended = EndedVisits()
        if let deadline, deadline < now {
            ended.visits = visits.endAll(rules.visits.silence, renamed: renamed).map {
                VisitEvent($0, of: key, rules.digests)
            }
            ended.zones = visits
        }
        let left = groups.leave(
            timePassedTo: now, silence: rules.visits.groupSilence, lateAfter: lateAfter)
        if !left.isEmpty {
            ended.visits += left.map { VisitEvent($0, of: key, rules.digests) }
            ended.groups = groups
        }
        return ended == EndedVisits() ? nil : ended
    }

    /// Applies the decision, and returns the parts that have to be stored.
    public mutating func evolve(_ ended: EndedVisits) -> DeviceChange {
        if let visits = ended.zones { self.visits = visits }
        if let groups = ended.groups { self.groups = groups }
        return DeviceChange(
            memory: false, visits: ended.zones != nil, groups: ended.groups != nil)
    }

    // MARK: Stored parts

    mutating func restore(_ memory: PositionerMemory) { self.memory = memory }
    mutating func restore(_ visits: DeviceVisits) { self.visits = visits }
    mutating func restore(_ groups: DeviceGroups) { self.groups = groups }

    /// Whether nothing is stored of it.
    var isEmpty: Bool { memory.entries.isEmpty && !isVisiting }

    /// Whether it is in a zone or a group, so that passing time may end a visit.
    var isVisiting: Bool { !visits.stays.isEmpty || !groups.stays.isEmpty }
}
