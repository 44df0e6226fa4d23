import Events
import Site

/// Makes estimates of guesses: how sure they are, their radii and their rooms.
struct SnapshotJudge: Sendable {
    /// With fewer shared transmitters than this the best match may be chance.
    static let certainOverlap = 3
    /// With a smaller share of the votes the floor is a guess.
    static let certainFloorShare = 0.5

    private let floors: [FloorID]
    private let rooms: RoomPosterior
    private let radii: RadiusCalibration

    /// - Parameter outcomes: of the positioner's self-test.
    init(map: RadioMap, site: SiteIndex, outcomes: [SelfTest.Outcome]) {
        self.init(map: map, site: site, radii: RadiusCalibration(outcomes))
    }

    init(map: RadioMap, site: SiteIndex, radii: RadiusCalibration) {
        floors = map.floors
        rooms = RoomPosterior(map: map, site: site)
        self.radii = radii
    }

    func estimate(_ guess: SnapshotGuess) -> Estimate {
        let (radius68, radius95) = radii.radii(spread: guess.scale)
        let point = guess.mean.point
        let posterior = rooms.posterior(
            votes: guess.mean.roomVotes, point: point, floor: guess.floor,
            deviation: radius68 / RadiusCalibration.radius68PerDeviation)
        let isCertain =
            guess.overlap >= Self.certainOverlap && guess.floorShare >= Self.certainFloorShare
        let place = Estimate.Place(
            floor: floors[Int(guess.floor)], point: point, room: posterior.room,
            covariance: radii.covariance(guess.mean.covariance, radius68: radius68),
            radius68: radius68, radius95: radius95)
        return Estimate(
            state: isCertain ? .located : .uncertain, place: place, rooms: posterior.rooms)
    }
}
