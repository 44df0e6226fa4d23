import Events
import Geometry
import Site

/// Weighted nearest neighbours over one radio map.
struct PreparedNearestNeighbours: PreparedPositioner {
    let map: RadioMap
    let site: SiteIndex
    private let index: SorensenIndex
    private let rooms: RoomPosterior
    private let radii: RadiusCalibration
    /// The exponent that the map chose.
    let exponent: Double

    init(map: RadioMap, site: SiteIndex, exponents: [Double]) {
        self.map = map
        self.site = site
        rooms = RoomPosterior(map: map, site: site)
        var best = Self.trial(exponents[0], map)
        for exponent in exponents.dropFirst() {
            guard let known = SelfTest.cost(best.outcomes) else { break }
            let other = Self.trial(exponent, map)
            if let cost = SelfTest.cost(other.outcomes), cost < known { best = other }
        }
        exponent = best.exponent
        index = best.index
        radii = RadiusCalibration(best.outcomes)
    }

    private struct Trial {
        let exponent: Double
        let index: SorensenIndex
        let outcomes: [SelfTest.Outcome]
    }

    /// How well the map's own fingerprints are located with an exponent.
    private static func trial(_ exponent: Double, _ map: RadioMap) -> Trial {
        let index = SorensenIndex(map, exponent: exponent)
        var scratch = PositionerScratch()
        let outcomes = SelfTest(map: map).outcomes { fingerprint, isLeftOut in
            let truth = map.fingerprints[fingerprint]
            let scan = map.scan(of: fingerprint)
            guard
                let guess = guess(scan, index, map, scratch: &scratch, isLeftOut: isLeftOut)
            else { return nil }
            return SelfTest.Outcome(
                error: guess.mean.point.distance(to: truth.point), spread: guess.mean.spread,
                isRightFloor: guess.floor == truth.floor)
        }
        return Trial(exponent: exponent, index: index, outcomes: outcomes)
    }

    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        guard let guess = Self.guess(scan, index, map, scratch: &scratch, isLeftOut: nil) else {
            return (.lost, .empty)
        }
        let (radius68, radius95) = radii.radii(spread: guess.mean.spread)
        let point = guess.mean.point
        let posterior = rooms.posterior(
            votes: guess.mean.roomVotes, point: point, floor: guess.floor,
            deviation: radius68 / RadiusCalibration.radius68PerDeviation)
        let isCertain =
            guess.overlap >= NearestNeighbours.certainOverlap
            && guess.floorShare >= NearestNeighbours.certainFloorShare
        let place = Estimate.Place(
            floor: map.floors[Int(guess.floor)], point: point, room: posterior.room,
            covariance: radii.covariance(guess.mean.covariance, radius68: radius68),
            radius68: radius68, radius95: radius95)
        let estimate = Estimate(
            state: isCertain ? .located : .uncertain, place: place, rooms: posterior.rooms)
        return (estimate, .empty)
    }

    private struct Guess {
        /// Into the map's floors.
        let floor: Int32
        let floorShare: Double
        let mean: NeighbourMean
        /// How many transmitters the scan shares with its nearest neighbour.
        let overlap: Int
    }

    private static func guess(
        _ scan: RadioScan, _ index: SorensenIndex, _ map: RadioMap,
        scratch: inout PositionerScratch, isLeftOut: ((Int) -> Bool)?
    ) -> Guess? {
        index.findNearest(
            NearestNeighbours.neighbourCount, to: scan, scratch: &scratch, isLeftOut: isLeftOut)
        defer { index.forget(scan, scratch: &scratch) }
        guard let nearest = scratch.neighbours.first else { return nil }
        let (floor, share) = electFloor(scratch.neighbours, map)
        let mean = NeighbourMean(scratch.neighbours, on: floor, map: map)
        let overlap = map.readings(of: Int(nearest.fingerprint)).count { position in
            scratch.strengths[Int(map.readingTransmitter[position])] > 0
        }
        return Guess(floor: floor, floorShare: share, mean: mean, overlap: overlap)
    }

    /// The floor with the most weight and its share of all; of two equal ones that of the nearer
    /// neighbour.
    private static func electFloor(_ neighbours: [Neighbour], _ map: RadioMap) -> (
        floor: Int32, share: Double
    ) {
        var best: (floor: Int32, weight: Double) = (0, -1)
        var total = 0.0
        for candidate in neighbours {
            let floor = map.fingerprints[Int(candidate.fingerprint)].floor
            var weight = 0.0
            for voter in neighbours
            where map.fingerprints[Int(voter.fingerprint)].floor == floor {
                weight += voter.weight
            }
            if weight > best.weight { best = (floor, weight) }
            total += candidate.weight
        }
        return (best.floor, best.weight / total)
    }
}

extension Neighbour {
    var weight: Double { 1 / max(Double(distance), NearestNeighbours.smallestDistance) }
}

extension RadioMap {
    /// A fingerprint as a scan.
    func scan(of fingerprint: Int) -> RadioScan {
        let readings = readings(of: fingerprint).map { position in
            RadioReading(
                transmitter: transmitters[Int(readingTransmitter[position])],
                rssi: readingRSSI[position])
        }
        return RadioScan(readings: readings, at: Timestamp(microseconds: 0))
    }
}
