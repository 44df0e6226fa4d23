import Events
import Geometry
import Site

/// The track filter over one radio map.
struct PreparedTrack: PreparedPositioner {
    let graph: WalkableGraph
    let settings: TrackSettings
    private let site: SiteIndex
    private let over: any PreparedSnapshot
    private let filter: TrackFilter
    private let evidence: TrackEvidence
    private let judge: TrackJudge
    private let outdoors: OutdoorsModel
    private let anchors: RangeAnchors
    /// The map's Bluetooth addresses. Others are people's, and change while Wi-Fi is repeated.
    private let addresses: Set<Transmitter>
    private let heights: FloorHeights

    init(map: RadioMap, site: SiteIndex, over: any PreparedSnapshot, settings: TrackSettings) {
        self.site = site
        self.over = over
        self.settings = settings
        anchors = RangeAnchors(site)
        addresses = Set(map.transmitters.filter(\.isAddress))
        graph = WalkableGraphBuilder.build(map: map, site: site)
        heights = FloorHeights(graph.floors, site: site)
        filter = TrackFilter(graph: graph, settings: settings)
        evidence = TrackEvidence(
            graph: graph, settings: settings,
            rooms: map.rooms.map { Int32(site.roomIndex($0)?.value ?? -1) })
        judge = TrackJudge(graph: graph, rooms: site.rooms.map(\.id), settings: settings)
        outdoors = OutdoorsModel(map: map, site: site, graph: graph, settings: settings)
    }

    /// A state names the floors' graphs that it was made for.
    var stateBasis: String? { "track" }

    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        scratch.use(TrackMemory()) { locate(scan, state, &$0) }
    }

    private func locate(
        _ scan: RadioScan, _ state: PositionerState, _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        let known = TrackState(state.bytes, graph: graph)
        let heard = heard(scan, after: known, &scratch)
        guard let before = known else { return start(scan, heard, &scratch) }
        let passed = TrackTimes(scan, after: before, settings)
        // A scan that arrives out of order is located alone. The track goes on from its newest
        // scan.
        guard passed.sinceScan >= 0 else { return (heard.alone ?? .lost, state) }
        guard passed.sinceScan <= TrackSettings.longestGapSeconds,
            heard.guess.map({ isWalkable($0.floor) }) ?? true
        else { return start(scan, heard, &scratch) }
        let side = side(of: scan, heard, after: before, seconds: passed.sinceScan)
        guard !side.isOutdoors, !before.outdoors.isOutdoors else {
            return start(scan, heard, side, &scratch)
        }
        var after = before
        after.at = scan.at.microseconds
        after.heardAt = passed.heardAt
        after.outdoors = side
        after.readings = heard.readings
        guard let estimate = go(scan, heard, before, &after, passed, &scratch) else {
            return start(scan, heard, side, &scratch)
        }
        guard estimate.state != .lost || !after.beliefs.isEmpty else { return (.lost, .empty) }
        // The mean of a state that serves is not mixed with the scan's own place.
        if let mean = estimate.place?.point, before.unfittingScans == after.unfittingScans,
            before.serves(scan, after: after, mean: mean, graph: graph, settings)
        {
            return (estimate, state)
        }
        return (estimate, PositionerState(bytes: after.bytes(graph: graph)))
    }

    /// A floor may lack cells, since neither rooms nor surveys show where people walk.
    private func isWalkable(_ floor: Int32) -> Bool { graph.floors.indices.contains(Int(floor)) }

    /// The evidence of one scan alone.
    private struct Heard {
        let guess: SnapshotGuess?
        let alone: Estimate?
        let fix: SatelliteEvidence?
        /// Whether the scan has too few of the map's transmitters for a certain place.
        let isThin: Bool
        /// The doubt that few surveys on the floor leave; nil where there are enough.
        let few: FewSurveys.Finding?
        /// The checksum of the readings, but for people's Bluetooth; 0 for few.
        let readings: UInt32
        /// The time at which the readings were new, in microseconds UTC; nil for new ones, and for
        /// those that the map doesn't know. A telephone that is asked too often repeats its last
        /// results with a new time.
        let repeatedOf: Int64?
        /// The time since then, in seconds.
        let age: Double

        /// Whether the scan shares nothing with the map, or is not explained by it.
        var isStrange: Bool { guess?.strangeness.isStrange ?? true }
        /// Whether satellites know more than the scan.
        var isPoor: Bool {
            isStrange || (guess?.overlap ?? 0) < SnapshotJudge.certainOverlap
                || age > Double(RadioScan.oldestReadingMilliseconds) / 1_000
        }
    }

    private func heard(
        _ scan: RadioScan, after before: TrackState?, _ scratch: inout TrackMemory
    ) -> Heard {
        let guess = over.guess(scan, &scratch.candidates, scratch: &scratch.snapshot)
        let readings =
            TrackChecksum.of(
                scan.readings.lazy.filter {
                    !$0.transmitter.isAddress || addresses.contains($0.transmitter)
                }) ?? 0
        var repeatedOf: Int64?
        if let before, guess != nil, readings != 0, readings == before.readings,
            scan.at.microseconds > before.at
        {
            repeatedOf = before.heardAt
        }
        let few = guess.flatMap { over.judge.finding($0, of: scan) }
        return Heard(
            guess: guess, alone: guess.map { over.judge.estimate($0, of: scan, few) },
            fix: SatelliteEvidence(scan.gnss, site: site),
            isThin: guess.map { !$0.isFresh && over.judge.isThin($0, of: scan) } ?? false,
            few: few,
            readings: readings, repeatedOf: repeatedOf,
            age: repeatedOf.map { (Double(scan.at.microseconds) - Double($0)) / 1e6 } ?? 0)
    }

    private func side(
        of scan: RadioScan, _ heard: Heard, after before: TrackState?, seconds: Double
    ) -> TrackState.Outdoors {
        outdoors.side(
            scan, fix: heard.fix, after: before,
            start: heard.guess.flatMap { graph.cell(at: $0.mean.point, on: $0.floor) },
            isPoor: heard.isPoor, seconds: seconds)
    }

    // MARK: Starting

    private func start(
        _ scan: RadioScan, _ heard: Heard, _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        start(scan, heard, side(of: scan, heard, after: nil, seconds: 0), &scratch)
    }

    /// Starts a track from the scan alone, and returns its estimate.
    private func start(
        _ scan: RadioScan, _ heard: Heard, _ side: TrackState.Outdoors,
        _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        let at = scan.at.microseconds
        if side.isOutdoors {
            var side = side
            let estimate = outdoors.estimate(&side, fix: heard.fix)
            var state = TrackState(
                at: at, heardAt: heard.repeatedOf ?? at, floor: -1, room: -1, scanRadius68: 0,
                scanRadius95: 0, outdoors: side, beliefs: [])
            state.readings = heard.readings
            return (estimate ?? .lost, PositionerState(bytes: state.bytes(graph: graph)))
        }
        guard let guess = heard.guess, let alone = heard.alone, let place = alone.place else {
            return (.lost, .empty)
        }
        guard isWalkable(guess.floor) else { return (alone, .empty) }
        spread(scratch.candidates, guess, place, &scratch.track)
        addOtherFloors(guess, &scratch.track)
        filter.begin(&scratch.track)
        var state = TrackState(
            at: at, heardAt: heard.repeatedOf ?? at, floor: guess.floor,
            room: place.room.flatMap { site.roomIndex($0) }.map { Int32($0.value) } ?? -1,
            scanRadius68: Float(place.radius68), scanRadius95: Float(place.radius95),
            outdoors: side, beliefs: filter.kept(scratch.track))
        state.readings = heard.readings
        // No scan before it has fitted.
        state.unfittingScans = guess.isUnfitting ? TrackSettings.mostUnfitting : 0
        scratch.track.clear()
        if let now = PressureHeight(scan) {
            state.pressure = PressureClimb(now)
                .after(state.beliefs, graph: graph, heights)
        }
        let estimate = alone.aged(heard.age, settings)
        return (estimate, PositionerState(bytes: state.bytes(graph: graph)))
    }

    /// Adds some belief on all other floors. The first scan may be wrong about the floor, and later
    /// a track can change floors only at stairs and lifts.
    private func addOtherFloors(_ guess: SnapshotGuess, _ scratch: inout TrackScratch) {
        for floor in graph.floors.indices where floor != Int(guess.floor) {
            evidence.add(
                TrackSettings.otherFloorShare, guess.mean.point, Int32(floor),
                deviation: settings.kernelMetres, room: nil, &scratch)
        }
    }

    private func spread(
        _ candidates: [Candidate], _ guess: SnapshotGuess, _ place: Estimate.Place,
        _ scratch: inout TrackScratch
    ) {
        evidence.spread(
            candidates, guess: guess,
            deviation: min(place.radius68, TrackSettings.widestMetres)
                / RadiusCalibration.radius68PerDeviation, &scratch)
    }

    // MARK: Going on

    /// The estimate, and the state after the scan; nil where the scans have contradicted the track
    /// for so long that it starts again. The state of a track that has ended has no beliefs.
    private func go(
        _ scan: RadioScan, _ heard: Heard, _ before: TrackState, _ after: inout TrackState,
        _ passed: TrackTimes, _ scratch: inout TrackMemory
    ) -> Estimate? {
        let motion = TrackMotion(
            seconds: passed.sinceState, movingSeconds: passed.sinceScan, scan: scan,
            pitch: graph.pitch,
            bearing: site.frame.bearingDegrees, settings)
        let climb = filter.predict(
            motion, before, pressure: PressureHeight(scan), heights, &scratch.track)
        let isTold = weigh(scan, heard, &after, seconds: passed.sinceScan, &scratch)
        defer { scratch.track.clear() }
        guard Double(after.doubtSeconds) <= settings.doubtSeconds else { return nil }
        after.silentScans = isTold ? 0 : min(before.silentScans, .max - 1) + 1
        after.beliefs = filter.kept(scratch.track)
        if let climb { after.pressure = climb.after(after.beliefs, graph: graph, heights) }
        let silence = (Double(after.at) - Double(after.heardAt)) / 1e6
        guard silence <= TrackSettings.lostSeconds || heard.repeatedOf != nil else {
            after.beliefs = []
            return .lost
        }
        // The belief goes on, so that the track does too when something is heard again.
        guard after.silentScans < TrackSettings.lostScans, !after.beliefs.isEmpty else {
            return .lost
        }
        var estimate = judge.estimate(
            &after, seconds: passed.sinceState,
            awaySeconds: motion.tellsWay ? nil : passed.sinceScan)
        // The belief knows the map's floors alone, so it may follow a person on another one.
        let isUnfitting = after.unfittingScans >= TrackSettings.mostUnfitting
        let isBeyond = heard.few?.isBeyond ?? false
        if heard.isStrange || heard.isThin || isBeyond || isUnfitting || after.doubtSeconds > 0 {
            estimate.state = .uncertain
        }
        // The errors of few surveys are the same in each scan, so a track makes them no smaller.
        if heard.isStrange || heard.few != nil || isUnfitting, let own = heard.alone?.place {
            estimate.place?.widen(to: own)
        }
        // The noise of fresh scans averages out, so none of them is better than the track.
        if !heard.isStrange, !after.settling.isSettled(settings), scan.evidence.isEmpty,
            heard.guess?.isFresh == false, heard.repeatedOf == nil, let own = heard.alone?.place
        {
            mix(own, into: &estimate)
        }
        return estimate.aged(heard.age, settings)
    }

    /// Multiplies the belief by all that the scan says about its place.
    ///
    /// - Returns: whether it says something, also by steps or a speed alone where it has no
    ///   readings.
    private func weigh(
        _ scan: RadioScan, _ heard: Heard, _ after: inout TrackState, seconds: Double,
        _ scratch: inout TrackMemory
    ) -> Bool {
        // Steps lead on from where the map was heard last, but not to a place where only other
        // transmitters are heard. The map does not cover it.
        var isTold =
            scan.readings.isEmpty && (scan.steps != nil || scan.speedMetresPerSecond != nil)
        let sinceNew = max(seconds, (Double(after.at) - Double(after.heardAt)) / 1e6)
        if heard.repeatedOf != nil {
            // They have been weighed.
            isTold = true
        } else if let guess = heard.guess, let place = heard.alone?.place {
            spread(scratch.candidates, guess, place, &scratch.track)
            after.heardAt = after.at
            after.scanRadius68 = Float(place.radius68)
            after.scanRadius95 = Float(place.radius95)
            after.unfittingScans =
                guess.isUnfitting
                ? min(after.unfittingScans + 1, TrackSettings.mostUnfitting) : 0
        }
        if let fix = heard.fix, heard.isPoor {
            for floor in graph.floors.indices {
                evidence.add(
                    1, fix.point, Int32(floor), deviation: fix.deviation, room: nil, &scratch.track)
            }
        }
        if !scratch.track.evident.isEmpty {
            isTold = true
            let isFresh = heard.guess?.isFresh ?? false
            let met = filter.update(
                stray: evidence.stray, new: isFresh ? 1 : settings.new(seconds: sinceNew),
                old: isFresh ? 1 : settings.old(seconds: sinceNew), &scratch.track)
            let isDoubtful = Double(met) < settings.doubtRatio
            after.doubtSeconds = isDoubtful ? after.doubtSeconds + Float(seconds) : 0
            guard Double(after.doubtSeconds) <= settings.doubtSeconds else { return true }
        }
        if !scan.evidence.isEmpty {
            isTold = true
            evidence.weigh(scan.evidence, filter, seconds: seconds, &scratch.track)
        }
        if !scan.ranges.isEmpty {
            let ranges = graph.floors.map { anchors.ranges(scan, on: $0) }
            if filter.weigh(ranges, &scratch.track) {
                after.heardAt = after.at
                isTold = true
            }
        }
        return isTold
    }

    /// Moves the estimate towards the scan's own place, if both are on the same floor.
    private func mix(_ own: Estimate.Place, into estimate: inout Estimate) {
        guard let point = estimate.place?.point, estimate.place?.floor == own.floor else { return }
        let share = settings.scanPlaceShare
        estimate.place?.point = Point(
            x: (1 - share) * point.x + share * own.point.x,
            y: (1 - share) * point.y + share * own.point.y)
    }
}

extension Transmitter {
    /// Whether it is a Bluetooth address.
    fileprivate var isAddress: Bool {
        if case .bluetooth = self { true } else { false }
    }
}

extension Estimate {
    /// The estimate by readings of so many seconds ago: its radii hold a device that has walked on
    /// since. It is uncertain if a scan would leave out readings as old.
    fileprivate func aged(_ seconds: Double, _ settings: TrackSettings) -> Estimate {
        guard seconds > 0, let place else { return self }
        var aged = self
        let walked = min(
            settings.paceMetresPerSecond * seconds, TrackSettings.widestMetres)
        var wide = place
        // Few people walk straight away from where they seemed to be.
        wide.radius68 += walked / 2
        wide.radius95 += walked
        aged.place?.widen(to: wide)
        if seconds * 1_000 > Double(RadioScan.oldestReadingMilliseconds) {
            aged.state = .uncertain
        }
        return aged
    }
}

extension Estimate.Place {
    /// Makes the radii no smaller than the other place's.
    fileprivate mutating func widen(to other: Estimate.Place) {
        let factor = other.radius68 / radius68
        if factor > 1 {
            covariance = Estimate.Covariance(
                xx: covariance.xx * factor * factor, xy: covariance.xy * factor * factor,
                yy: covariance.yy * factor * factor)
        }
        radius68 = max(radius68, other.radius68)
        radius95 = max(radius95, other.radius95)
    }
}
