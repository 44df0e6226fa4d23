import Events
import Geometry
import Positioning
import RadioMapCare
import SeededRandomness
import Simulation
import Site
import Testing

@Suite("SurveyCoach") struct SurveyCoachTests {
    static let floor = SimulatedBuilding.floor(1)
    static let floorIndex = SimulatedMap.site.floorIndex(floor)!
    static let positioner = NearestNeighbours(exponent: 1.5)

    static func coach(_ surveys: [SurveyRecorded]) throws -> SurveyCoach {
        let map = SimulatedMap.map(surveys)
        let quality = MapQuality(map, site: SimulatedMap.site, positioner: positioner)
        return SurveyCoach(map, site: SimulatedMap.site, model: try #require(quality.model))
    }

    @Test(
        "The coach recommends the part of the building without surveys first",
        arguments: [Point(x: 10, y: 8), Point(x: 40, y: 8), Point(x: 12, y: 46)])
    func missingPart(centre: Point) throws {
        let left = SimulatedMap.surveys { floor, point in
            SimulatedMap.isOnCoarseGrid(point)
                && (floor != Self.floor || point.distance(to: centre) > 8)
        }
        let advice = try Self.coach(left).advice(count: 3)
        let first = try #require(advice.first)
        #expect(first.floor == Self.floor)
        #expect(first.point.distance(to: centre) < 8)
        // The first advice has the largest gain, and its gain is positive.
        #expect(first.gain > 0 && first.gainHere > 0 && first.gainHere < first.expectedError)
        #expect(zip(advice, advice.dropFirst()).allSatisfy { $0.worth >= $1.worth })
    }

    /// A random quarter of the places, with none in the east of the middle storey.
    static func sparse(_ random: inout SeededRandom) -> Set<Point> {
        Set(
            SimulatedMap.surveys.compactMap { survey -> Point? in
                guard case .metres(let floor, let x, let y) = survey.place, floor == Self.floor,
                    x < 34
                else { return nil }
                return Point(x: x, y: y)
            }.filter { _ in Int.random(in: 0..<12, using: &random) == 0 })
    }

    @Test(
        "The coach's places lower visitors' errors more than as many random places",
        arguments: 0..<3)
    func helps(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let kept = Self.sparse(&random)
        func surveys(_ points: Set<Point>) -> [SurveyRecorded] {
            SimulatedMap.surveys { floor, point in
                floor != Self.floor
                    ? SimulatedMap.isOnCoarseGrid(point) : points.contains(point)
            }
        }
        let all = Set(
            SimulatedMap.surveys { floor, _ in floor == Self.floor }.compactMap { survey in
                guard case .metres(_, let x, let y) = survey.place else { return Point?.none }
                return Point(x: x, y: y)
            })
        let advice = try Self.coach(surveys(kept)).advice(on: Self.floorIndex, count: 10)
        #expect(advice.count == 10)
        // Surveys are made at the grid points nearest to the recommended ones.
        let asked = Set(
            advice.map { advice in
                all.min { $0.distance(to: advice.point) < $1.distance(to: advice.point) }!
            })
        let drawn = Set(
            all.subtracting(kept).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
                .shuffled(using: &random).prefix(10))
        let visits = SimulatedMap.visits(seed: UInt64(seed) + 50, devices: 8, minutes: 4)
        func error(_ points: Set<Point>) -> Double {
            SimulatedMap.error(
                of: Self.positioner, SimulatedMap.map(surveys(points)), visits: visits
            ) { $0.floor == Self.floor }
        }
        let before = error(kept)
        let coached = error(kept.union(asked))
        let chance = error(kept.union(drawn))
        #expect(coached < before)
        #expect(coached < chance)
    }

    @Test("Advice does not cluster, and the gain falls from place to place")
    func spread() throws {
        let west = SimulatedMap.surveys { floor, point in
            SimulatedMap.isOnCoarseGrid(point) && (floor != Self.floor || point.x < 20)
        }
        let advice = try Self.coach(west).advice(on: Self.floorIndex, count: 8)
        #expect(advice.count == 8)
        for (first, one) in advice.enumerated() {
            for other in advice.dropFirst(first + 1) {
                #expect(one.point.distance(to: other.point) > 2)
            }
        }
        #expect(zip(advice, advice.dropFirst()).allSatisfy { $0.gain >= $1.gain })
        // Advice for fewer places is the beginning of the advice for more.
        #expect(
            try Self.coach(west).advice(on: Self.floorIndex, count: 3) == Array(advice.prefix(3)))
    }

    @Test("A floor without surveys gets advice too, unless it has no rooms either")
    func otherFloors() throws {
        let none = SimulatedMap.surveys { floor, point in
            SimulatedMap.isOnCoarseGrid(point) && floor != Self.floor
        }
        let advice = try Self.coach(none).advice(count: 1)
        #expect(advice.first?.floor == Self.floor)
        var document = SimulatedMap.building.document
        document.rooms.removeAll { $0.floor == Self.floor }
        document.connections = []
        document.locations = []
        let site = try SiteIndex(document)
        let map = RadioMapBuilder.build(none, site: site).map
        let quality = MapQuality(map, site: site, positioner: Self.positioner)
        let coach = SurveyCoach(map, site: site, model: try #require(quality.model))
        #expect(coach.advice(on: try #require(site.floorIndex(Self.floor)), count: 5).isEmpty)
    }
}
