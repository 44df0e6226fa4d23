import Geometry
import SeededRandomness
import Site
import Testing

@testable import RadioMapCare

@Suite("ExpectedErrors") struct ExpectedErrorsTests {
    @Test("They are lower where surveys are, and the mean is that of the floor's quality")
    func errors() throws {
        let surveys = SimulatedMap.surveys { floor, point in
            SimulatedMap.isOnCoarseGrid(point) && (floor != SurveyCoachTests.floor || point.x < 20)
        }
        let coach = try SurveyCoachTests.coach(surveys)
        let expected = try #require(coach.expectedErrors(on: SurveyCoachTests.floorIndex))
        #expect(expected.floor == SurveyCoachTests.floor && expected.stepMetres >= 2)
        func mean(_ spots: [ExpectedErrors.Spot]) -> Double {
            spots.reduce(0) { $0 + $1.error } / Double(spots.count)
        }
        let (west, east) = (
            expected.spots.filter { $0.point.x < 18 }, expected.spots.filter { $0.point.x > 30 }
        )
        #expect(west.count > 20 && east.count > 20)
        #expect(mean(west) * 1.5 < mean(east))
        let quality = MapQuality(
            SimulatedMap.map(surveys), site: SimulatedMap.site,
            positioner: SurveyCoachTests.positioner)
        let floor = try #require(quality.floors.first { $0.floor == SurveyCoachTests.floor })
        let stated = try #require(floor.expectedError)
        #expect(abs(mean(expected.spots) - stated) < 0.001)
        // Beacons help most where the errors are largest.
        #expect(!expected.beacons.isEmpty && expected.beacons.count <= BeaconChoice.count)
        #expect(expected.beacons.allSatisfy { $0.point.x > 18 && $0.gain > 0 })
        #expect(
            zip(expected.beacons, expected.beacons.dropFirst()).allSatisfy { $0.gain >= $1.gain })
    }

    @Test(
        "The places for beacons are the best, compared with each place by itself", arguments: 0..<20
    )
    func beacons(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let spots = (0..<60).map { _ in
            ExpectedErrors.Spot(
                point: Point(
                    x: Double.random(in: 0...40, using: &random),
                    y: Double.random(in: 0...10, using: &random)),
                error: Double.random(in: 0.5...9, using: &random))
        }
        var choice = BeaconChoice(spots)
        var errors = spots.map(\.error)
        func limited(_ errors: [Double], by beacon: Point) -> [Double] {
            zip(spots, errors).map { spot, error in
                let distance = spot.point.distance(to: beacon)
                return distance > BeaconChoice.reachMetres
                    ? error : min(error, max(BeaconChoice.leastMetres, distance))
            }
        }
        for _ in 0..<BeaconChoice.count {
            let best = choice.next()
            let (place, gain) = try #require(best)
            let sums = spots.map { limited(errors, by: $0.point).reduce(0, +) }
            let least = try #require(sums.min())
            #expect(abs(sums[place] - least) < 1e-9)
            let mean = (errors.reduce(0, +) - least) / Double(spots.count)
            #expect(abs(mean - gain) < 1e-9)
            errors = limited(errors, by: spots[place].point)
        }
    }

    @Test("No beacon is advised where errors are small anyway")
    func small() {
        let spots = (0..<30).map {
            ExpectedErrors.Spot(point: Point(x: Double($0), y: 0), error: 1)
        }
        var choice = BeaconChoice(spots)
        let best = choice.next()
        #expect(best?.spot == nil)
    }
}
