import Events
import Site

/// Turns guesses into estimates: decides whether they are certain, and adds radii and rooms.
struct SnapshotJudge: Sendable {
    /// With fewer shared transmitters than this, the best match may be chance.
    static let certainOverlap = 3
    /// With a smaller share of the votes, the floor is uncertain.
    static let certainFloorShare = 0.5

    private let floors: [FloorID]
    private let rooms: RoomPosterior
    let radii: RadiusCalibration
    private let faint: FaintHearing
    private let thin: ThinHearing
    private let few: FewSurveys
    /// Whether each floor has surveys. Only there a scan can be faint.
    private let isSurveyed: [Bool]

    /// - Parameter outcomes: the outcomes of the positioner's self-test.
    init(map: RadioMap, site: SiteIndex, outcomes: [LeaveOutTrials.Outcome]) {
        self.init(map: map, site: site, radii: RadiusCalibration(outcomes))
    }

    init(map: RadioMap, site: SiteIndex, radii: RadiusCalibration) {
        floors = map.floors
        rooms = RoomPosterior(map: map, site: site)
        faint = FaintHearing(map)
        thin = ThinHearing(map)
        few = FewSurveys(map)
        let surveyed = Set(map.fingerprints.map(\.floor))
        isSurveyed = map.floors.indices.map { surveyed.contains(Int32($0)) }
        self.radii = radii
    }

    /// Whether the scan received too few transmitters for a certain place.
    func isThin(_ guess: SnapshotGuess, of scan: RadioScan) -> Bool {
        if guess.overlap < Self.certainOverlap { return true }
        // Beacons that locate by their own places have no surveys to be compared with.
        return !guess.isFresh
            && thin.isThin(scan, overlap: guess.overlap, at: guess.mean.point, floor: guess.floor)
    }

    /// The doubt that few surveys on the place's floor leave. Nil where enough was surveyed, and
    /// for beacons that locate by their own places.
    func finding(_ guess: SnapshotGuess, of scan: RadioScan) -> FewSurveys.Finding? {
        guess.isFresh ? nil : few.finding(scan, floor: guess.floor)
    }

    /// The radii of the map's self-test, and no smaller ones than few surveys allow.
    private func radii(
        _ guess: SnapshotGuess, _ finding: FewSurveys.Finding?
    ) -> (radius68: Double, radius95: Double) {
        let tried = radii.radii(spread: guess.scale)
        guard let finding else { return tried }
        return (max(tried.radius68, finding.radius68), max(tried.radius95, finding.radius95))
    }

    /// - Parameter scan: the scan from which the guess was made.
    func estimate(_ guess: SnapshotGuess, of scan: RadioScan) -> Estimate {
        estimate(guess, of: scan, finding(guess, of: scan))
    }

    /// - Parameter finding: that of `finding`.
    func estimate(
        _ guess: SnapshotGuess, of scan: RadioScan, _ finding: FewSurveys.Finding?
    ) -> Estimate {
        let isBeyond = finding?.isBeyond ?? false
        var (radius68, radius95) = radii(guess, finding)
        let point = guess.mean.point
        let faintRadius95 =
            isSurveyed[Int(guess.floor)] ? faint.radius95(of: scan, about: point) : nil
        let strangeRadius95 =
            guess.strangeness.reachShare > 0
            ? faint.reach(of: scan, from: point).map { guess.strangeness.reachShare * $0 } : nil
        let beyondRadius95 = isBeyond ? faint.surroundings(of: scan, about: point) : nil
        // The scan may be of a floor without surveys.
        let least = max(guess.strangeness.leastRadius95, guess.isDivided ? SurveyGaps.metres : 0)
        let wider = [
            faintRadius95, strangeRadius95, beyondRadius95, least > 0 ? least : nil,
        ]
        for wide in wider.compactMap(\.self) {
            radius95 = max(radius95, wide)
            radius68 = max(
                radius68,
                wide * RadiusCalibration.radius68PerDeviation
                    / RadiusCalibration.radius95PerDeviation)
        }
        let posterior = rooms.posterior(
            votes: guess.mean.roomVotes, point: point, floor: guess.floor,
            deviation: radius68 / RadiusCalibration.radius68PerDeviation)
        let isCertain =
            guess.floorShare >= Self.certainFloorShare && faintRadius95 == nil
            && !guess.strangeness.isDoubtful && !guess.isDivided && !isBeyond
            && !isThin(guess, of: scan)
        let place = Estimate.Place(
            floor: floors[Int(guess.floor)], point: point, room: posterior.room,
            covariance: radii.covariance(guess.mean.covariance, radius68: radius68),
            radius68: radius68, radius95: radius95)
        return Estimate(
            state: isCertain ? .located : .uncertain, place: place, rooms: posterior.rooms)
    }
}
