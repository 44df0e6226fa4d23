import Events
import Geometry
import Glibc
import Site

/// Decides whether a device is outdoors, from what satellites, the level of radio and nearness to
/// doors say together.
///
/// A building's walls make all its transmitters weaker at once. So the level of a scan's strongest
/// readings is compared with surveys behind the doors that lead outdoors. `OutdoorsOdds` adds up
/// the evidence from scan to scan.
struct OutdoorsModel: Sendable {
    /// A way between outdoors and a floor, with the level of radio behind it.
    struct Door: Hashable, Sendable {
        let point: Point
        let level: RadioLevel.Reference?
    }

    /// The nearest door and how near it is, from 0 to 1.
    struct Spot: Hashable, Sendable {
        var nearness = 0.0
        var door: Int?
    }

    let doors: [Door]
    private let settings: TrackSettings
    private let shapes: BuildingShapes
    private let levels: RadioLevel
    /// The level of a site that states no doors.
    private let anywhere: RadioLevel.Reference?
    /// The spot of each of the graph's cells; empty for a site without doors.
    let spots: [Spot]

    init(
        map: RadioMap, site: SiteIndex, graph: WalkableGraph,
        settings: TrackSettings = TrackSettings()
    ) {
        self.settings = settings
        shapes = site.buildingShapes
        let levels = RadioLevel(map)
        self.levels = levels
        var doors: [Door] = []
        var spots: [Spot] = []
        let onFloors =
            site.document.connections.isEmpty
            ? [] : graph.floors.indices.map { levels.reference(on: Int32($0)) }
        for connection in site.document.connections
        where connection.stops.contains(where: { $0.floor == nil }) {
            for stop in connection.stops {
                guard let id = stop.floor, let floor = graph.floors.firstIndex(of: id) else {
                    continue
                }
                if spots.isEmpty { spots = [Spot](repeating: Spot(), count: graph.cells.count) }
                let number = doors.count
                doors.append(
                    Door(
                        point: stop.point,
                        level: levels.reference(at: stop.point, on: Int32(floor))
                            ?? onFloors[floor]))
                let reach = OutdoorsRules.reachMetres + OutdoorsRules.fadingMetres
                graph.forEachCell(within: reach, of: stop.point, on: Int32(floor)) { cell, square in
                    let nearness = OutdoorsRules.nearness(metres: square.squareRoot())
                    if nearness > spots[cell].nearness {
                        spots[cell] = Spot(nearness: nearness, door: number)
                    }
                }
            }
        }
        self.doors = doors
        self.spots = spots
        anywhere = doors.isEmpty ? levels.reference(on: nil) : nil
    }

    // MARK: Deciding

    /// The side after a scan.
    ///
    /// - Parameters:
    ///   - before: the device's track; nil for its first scan.
    ///   - start: the cell of the scan by itself, for a first scan.
    ///   - isPoor: whether radio alone says little about the place.
    func side(
        _ scan: RadioScan, fix: SatelliteEvidence?, after before: TrackState?, start: Int?,
        isPoor: Bool, seconds: Double
    ) -> TrackState.Outdoors {
        var side = before?.outdoors ?? TrackState.Outdoors()
        side.hasFix = side.hasFix || fix != nil
        if side.isOutdoors {
            side.silentSeconds = fix == nil ? side.silentSeconds + Float(seconds) : 0
        }
        let spot = spot(before, start: start, fix: fix, silent: side.silentSeconds)
        let isNear = spot.nearness >= OutdoorsRules.leastNearness
        // Far from all doors nothing changes unless satellites say so, and the state stays.
        guard fix != nil || side.isOutdoors || isNear else { return side }
        let fresh = before == nil ? 1 : min(1, seconds / OutdoorsRules.scanSeconds)
        if before != nil {
            side.odds.pass(
                min(
                    OutdoorsRules.mostPassingShare,
                    OutdoorsRules.passingShare * seconds / OutdoorsRules.scanSeconds)
                    * (OutdoorsRules.passingAnywhere + spot.nearness))
        }
        var evidence = radio(scan, at: spot, fresh: fresh)
        if let fix {
            evidence.other = fresh * satellites(fix, isPoor: isPoor)
            if scan.readings.isEmpty { evidence.other += fresh * OutdoorsRules.noReading }
        }
        let isSilent = side.silentSeconds > OutdoorsRules.longestSilenceSeconds
        if isSilent || doors.isEmpty, !isPoor { evidence.other -= fresh * OutdoorsRules.explained }
        side.odds.weigh(evidence)
        if side.isOutdoors {
            if side.odds.logarithm < OutdoorsRules.entering {
                side = TrackState.Outdoors(hasFix: side.hasFix, odds: side.odds)
            }
        } else if side.odds.logarithm > (before == nil ? 0 : OutdoorsRules.leaving),
            fix != nil || mayLeaveUnseen(before)
        {
            leave(&side, spot, hasFix: fix != nil, isFirst: before == nil)
        }
        return side
    }

    /// Whether a device may leave by a scan without a fix. A weak level may have other reasons than
    /// a wall: a hand, a crowd, a map of few surveys. So a device that has sent no fix yet is not
    /// put outdoors, and neither is one at rest.
    private func mayLeaveUnseen(_ before: TrackState?) -> Bool {
        before.map { $0.outdoors.hasFix && !$0.settling.isSettled(settings) } ?? false
    }

    /// Puts a device outdoors: at its fix, or in front of the door that it was near.
    private func leave(
        _ side: inout TrackState.Outdoors, _ spot: Spot, hasFix: Bool, isFirst: Bool
    ) {
        guard !hasFix else {
            side.isOutdoors = true
            return
        }
        guard !isFirst, let door = spot.door else { return }
        side.isOutdoors = true
        side.point = doors[door].point
        side.accuracyMetres = OutdoorsRules.doorRadiusMetres
    }

    /// The estimate of a device that is outdoors: by its fix, or around its last one; nil after a
    /// long time without.
    ///
    /// - Parameter state: keeps the newest fix.
    func estimate(_ state: inout TrackState.Outdoors, fix: SatelliteEvidence?) -> Estimate? {
        if let fix {
            state.point = fix.point
            state.accuracyMetres = Float(fix.accuracyMetres)
            return fix.estimate
        }
        guard state.accuracyMetres > 0, state.silentSeconds <= OutdoorsRules.longestSilenceSeconds
        else { return nil }
        let last = SatelliteEvidence(
            point: state.point, accuracyMetres: Double(state.accuracyMetres) + reach(state))
        var estimate = last.estimate
        estimate.state = .uncertain
        return estimate
    }

    /// The metres that the device may have gone since its last fix.
    private func reach(_ state: TrackState.Outdoors) -> Double {
        TrackSettings.fastestMetresPerSecond * Double(state.silentSeconds)
    }

    // MARK: Evidence

    private func spot(
        _ before: TrackState?, start: Int?, fix: SatelliteEvidence?, silent: Float
    ) -> Spot {
        guard !doors.isEmpty else { return Spot(nearness: OutdoorsRules.usualNearness) }
        if let before, !before.outdoors.isOutdoors { return spot(of: before.beliefs) }
        var spot = Spot()
        if let fix {
            spot = nearest(fix.point, within: fix.accuracyMetres + OutdoorsRules.slackMetres)
        } else if let before {
            var state = before.outdoors
            state.silentSeconds = silent
            spot = nearest(
                state.point,
                within: Double(state.accuracyMetres) + OutdoorsRules.slackMetres + reach(state))
        } else if let start {
            spot = spots[start]
        }
        if before != nil { spot.nearness = max(spot.nearness, OutdoorsRules.usualNearness) }
        return spot
    }

    /// The mean nearness of a track's beliefs, and the door that most of them are near.
    private func spot(of beliefs: [TrackState.Belief]) -> Spot {
        var (total, near, best) = (0.0, 0.0, 0.0)
        var spot = Spot()
        for belief in beliefs {
            let weight = Double(belief.weight)
            total += weight
            let known = spots[belief.cell]
            guard known.door != nil else { continue }
            near += weight * known.nearness
            if weight * known.nearness > best {
                (best, spot.door) = (weight * known.nearness, known.door)
            }
        }
        spot.nearness = total > 0 ? near / total : 0
        return spot
    }

    private func nearest(_ point: Point, within slack: Double) -> Spot {
        var (best, metres) = (0, Double.infinity)
        for (number, door) in doors.enumerated() where door.point.distance(to: point) < metres {
            (best, metres) = (number, door.point.distance(to: point))
        }
        return Spot(nearness: OutdoorsRules.nearness(metres: max(0, metres - slack)), door: best)
    }

    private func radio(
        _ scan: RadioScan, at spot: Spot, fresh: Double
    ) -> OutdoorsOdds.Evidence {
        var evidence = OutdoorsOdds.Evidence()
        guard levels.tells(scan) else { return evidence }
        let reference = spot.door.map { doors[$0].level } ?? anywhere
        guard let reference, spot.nearness >= OutdoorsRules.leastNearness else { return evidence }
        evidence.level = levels.level(of: scan, count: reference.count) - reference.level
        evidence.deviation = reference.deviation
        evidence.weight = fresh * OutdoorsRules.newShare * spot.nearness
        return evidence
    }

    /// The evidence of a fix for outdoors: its place beside the buildings' outlines, and its
    /// radius.
    private func satellites(_ fix: SatelliteEvidence, isPoor: Bool) -> Double {
        // Without outlines nobody knows on which side of the walls a fix lies. It may have come
        // through a glass roof, so radio that is as on the map decides.
        let known = shapes.signedDistance(from: fix.point)
        guard known != nil || isPoor else { return 0 }
        let metres = known ?? 0
        let ratio = metres / (fix.deviation + OutdoorsRules.slackMetres)
        let most = ratio > 0 ? OutdoorsRules.mostOutside : OutdoorsRules.mostInside
        let (good, plain) = (OutdoorsRules.goodMetres, OutdoorsRules.plainMetres)
        let share = max(0, min(1, (plain - fix.accuracyMetres) / (plain - good)))
        // Telephones state small radii indoors, too, where they find themselves by Wi-Fi. So a
        // small radius says nothing of a fix that is well within the walls.
        let outside = max(0, min(1, 1 + 2 * ratio))
        return most * tanh(ratio / 1.5) + outside * share * OutdoorsRules.goodFix
    }
}
