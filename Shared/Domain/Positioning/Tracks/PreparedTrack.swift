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
    private let anchors: RangeAnchors
    private let heights: FloorHeights

    init(map: RadioMap, site: SiteIndex, over: any PreparedSnapshot, settings: TrackSettings) {
        self.site = site
        self.over = over
        self.settings = settings
        anchors = RangeAnchors(site)
        graph = WalkableGraphBuilder.build(map: map, site: site)
        heights = FloorHeights(graph.floors, site: site)
        filter = TrackFilter(graph: graph, settings: settings)
        evidence = TrackEvidence(
            graph: graph, settings: settings,
            rooms: map.rooms.map { Int32(site.roomIndex($0)?.value ?? -1) })
        judge = TrackJudge(graph: graph, rooms: site.rooms.map(\.id), settings: settings)
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
        let guess = over.guess(scan, &scratch.candidates, scratch: &scratch.snapshot)
        let heard = Heard(
            guess: guess, alone: guess.map { over.judge.estimate($0, of: scan) },
            fix: SatelliteEvidence(scan.gnss, site: site))
        guard let before = TrackState(state.bytes, graph: graph) else {
            return start(scan, heard, &scratch)
        }
        let seconds = (Double(scan.at.microseconds) - Double(before.at)) / 1e6
        // A scan that arrives out of order is located alone. The track goes on from its newest
        // scan.
        guard seconds >= 0 else { return (heard.alone ?? .lost, state) }
        guard seconds <= TrackSettings.longestGapSeconds,
            heard.guess.map({ isWalkable($0.floor) }) ?? true
        else { return start(scan, heard, &scratch) }
        let outdoors = decideOutdoors(heard, after: before, seconds: seconds)
        guard !outdoors.isOutdoors, !before.outdoors.isOutdoors else {
            return start(scan, heard, outdoors, &scratch)
        }
        return go(scan, heard, before, outdoors, seconds: seconds, &scratch)
    }

    /// A floor may lack cells, since neither rooms nor surveys show where people walk.
    private func isWalkable(_ floor: Int32) -> Bool { graph.floors.indices.contains(Int(floor)) }

    /// The evidence of one scan alone.
    private struct Heard {
        let guess: SnapshotGuess?
        let alone: Estimate?
        let fix: SatelliteEvidence?

        /// Whether the scan shares nothing with the map, or is not explained by it.
        var isStrange: Bool { guess?.isStrange ?? true }
        /// Whether satellites know more than the scan.
        var isPoor: Bool { isStrange || (guess?.overlap ?? 0) < SnapshotJudge.certainOverlap }
    }

    private func decideOutdoors(
        _ heard: Heard, after before: TrackState?, seconds: Double
    ) -> TrackState.Outdoors {
        var building: BuildingID?
        if let before, !before.outdoors.isOutdoors, graph.floors.indices.contains(Int(before.floor))
        {
            building = site.floor(graph.floors[Int(before.floor)])?.building
        }
        return Outdoors.decide(
            before?.outdoors, isRadioPoor: heard.isPoor, fix: heard.fix,
            isFixInBuilding: heard.fix?.isInBuilding(before: building, site: site) ?? false,
            seconds: seconds)
    }

    // MARK: Starting

    private func start(
        _ scan: RadioScan, _ heard: Heard, _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        start(scan, heard, decideOutdoors(heard, after: nil, seconds: 0), &scratch)
    }

    /// Starts a track from the scan alone, and returns its estimate.
    private func start(
        _ scan: RadioScan, _ heard: Heard, _ outdoors: TrackState.Outdoors,
        _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        let at = scan.at.microseconds
        if outdoors.isOutdoors {
            var outdoors = outdoors
            guard let estimate = Outdoors.estimate(&outdoors, fix: heard.fix) else {
                return (.lost, .empty)
            }
            let state = TrackState(
                at: at, heardAt: at, floor: -1, room: -1, scanRadius68: 0, scanRadius95: 0,
                outdoors: outdoors, beliefs: [])
            return (estimate, PositionerState(bytes: state.bytes(graph: graph)))
        }
        guard let guess = heard.guess, let alone = heard.alone, let place = alone.place else {
            return (.lost, .empty)
        }
        guard isWalkable(guess.floor) else { return (alone, .empty) }
        spread(scratch.candidates, guess, place, &scratch.track)
        addOtherFloors(guess, &scratch.track)
        filter.begin(&scratch.track)
        var state = TrackState(
            at: at, heardAt: at, floor: guess.floor,
            room: place.room.flatMap { site.roomIndex($0) }.map { Int32($0.value) } ?? -1,
            scanRadius68: Float(place.radius68), scanRadius95: Float(place.radius95),
            outdoors: outdoors, beliefs: filter.kept(scratch.track))
        scratch.track.clear()
        if let now = PressureHeight(scan) {
            state.pressure = PressureClimb(now)
                .after(state.beliefs, graph: graph, heights)
        }
        return (alone, PositionerState(bytes: state.bytes(graph: graph)))
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

    private func go(
        _ scan: RadioScan, _ heard: Heard, _ before: TrackState, _ outdoors: TrackState.Outdoors,
        seconds: Double, _ scratch: inout TrackMemory
    ) -> (estimate: Estimate, state: PositionerState) {
        var after = before
        after.at = scan.at.microseconds
        after.outdoors = outdoors
        let motion = TrackMotion(
            seconds: seconds, scan: scan, pitch: graph.pitch,
            bearing: site.frame.bearingDegrees, settings)
        let climb = filter.predict(
            motion, before, pressure: PressureHeight(scan), heights, &scratch.track)
        let isTold = weigh(scan, heard, &after, seconds: seconds, &scratch)
        guard Double(after.doubtSeconds) <= settings.doubtSeconds else {
            scratch.track.clear()
            return start(scan, heard, &scratch)
        }
        after.silentScans = isTold ? 0 : min(before.silentScans, .max - 1) + 1
        after.beliefs = filter.kept(scratch.track)
        if let climb { after.pressure = climb.after(after.beliefs, graph: graph, heights) }
        scratch.track.clear()
        let silence = (Double(after.at) - Double(after.heardAt)) / 1e6
        guard silence <= TrackSettings.lostSeconds, !after.beliefs.isEmpty else {
            return (.lost, .empty)
        }
        // The belief goes on, so that the track does too when something is heard again.
        guard after.silentScans < TrackSettings.lostScans else {
            return (.lost, PositionerState(bytes: after.bytes(graph: graph)))
        }
        var estimate = judge.estimate(&after, seconds: seconds)
        if heard.isStrange || after.doubtSeconds > 0 { estimate.state = .uncertain }
        if heard.isStrange, let own = heard.alone?.place {
            estimate.place?.widen(to: own)
        }
        // The noise of fresh scans averages out, so none of them is better than the track.
        if !heard.isStrange, !after.settling.isSettled(settings), scan.evidence.isEmpty,
            heard.guess?.isFresh == false, let own = heard.alone?.place
        {
            mix(own, into: &estimate)
        }
        return (estimate, PositionerState(bytes: after.bytes(graph: graph)))
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
        if let guess = heard.guess, let place = heard.alone?.place {
            spread(scratch.candidates, guess, place, &scratch.track)
            after.heardAt = after.at
            after.scanRadius68 = Float(place.radius68)
            after.scanRadius95 = Float(place.radius95)
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
                stray: evidence.stray, new: isFresh ? 1 : settings.new(seconds: seconds),
                old: isFresh ? 1 : settings.old(seconds: seconds), &scratch.track)
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
