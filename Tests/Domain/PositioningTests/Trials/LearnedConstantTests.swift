import Glibc
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite("The constant radius that a map teaches") struct LearnedConstantTests {
    private static func outcomes(_ random: inout SeededRandom, isNew: Bool) -> [Double] {
        // No multiple of 20, so that no rounding of sums decides which error is the quantile.
        (0..<Int.random(in: 1...4, using: &random) * 20 + 7).map { _ in
            Double.random(in: 0...(isNew ? 20 : 8), using: &random)
        }
    }

    /// The smallest of the errors that at least the share is not above.
    private static func slowQuantile(_ errors: [Double], _ share: Double) -> Double {
        errors.filter { radius in
            Double(errors.count { $0 <= radius }) / Double(errors.count) >= share
        }.min()!
    }

    @Test(
        "It is the mean of new and surveyed places on a scale of logarithms",
        arguments: 0..<20 as Range<UInt64>)
    func twin(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let groups = [true, false].map { ($0, Self.outcomes(&random, isNew: $0)) }
        let outcomes = groups.flatMap { isNew, errors in
            errors.map {
                RadiusModel.Outcome(
                    error: $0, evidence: LearnedConstant.evidence, isNewPlace: isNew)
            }
        }
        let share = RadiusModel.newPlaceShare
        let slow = zip(groups, [share, 1 - share]).reduce(1) { product, group in
            product * pow(Self.slowQuantile(group.0.1, 0.95), group.1)
        }
        let learned = try #require(
            LearnedConstant.radius95(outcomes, knownPlacesUntried: false))
        #expect(abs(learned - slow) < 1e-9 * slow, "\(learned) \(slow)")
        let untried = try #require(LearnedConstant.radius95(outcomes, knownPlacesUntried: true))
        #expect(abs(untried / learned - RadiusModel.untriedFactor) < 1e-9)
        let few = Array(outcomes.prefix(LeaveOutTrials.fewestOutcomes - 1))
        #expect(LearnedConstant.radius95(few, knownPlacesUntried: false) == nil)
    }

    @Test("A map's own trials teach a radius that holds most of their errors", arguments: 0..<3)
    func ofMap(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.orderly(&random, surveysOfPlace: 3...5)
        let neighbours = NearestNeighbours()
        let radius = try #require(
            LearnedConstant.radius95(of: neighbours, on: map, site: SampleSite.index))
        let trials = HeldOutTrials.run(neighbours, on: map, site: SampleSite.index)
        let errors = trials.filter { !$0.isThinned }.compactMap(\.error)
        let inside = Double(errors.count { $0 <= radius }) / Double(errors.count)
        #expect((0.8...1).contains(inside), "\(inside) within \(radius) m")
        #expect(radius < errors.max()! * RadiusModel.untriedFactor + 1e-9)
    }

    @Test("A map with hardly any places teaches none")
    func small() {
        let radius = LearnedConstant.radius95(
            of: NearestNeighbours(), on: .empty, site: SampleSite.index)
        #expect(radius == nil)
    }
}
