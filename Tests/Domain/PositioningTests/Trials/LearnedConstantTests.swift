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
        func radius95(_ outcomes: [RadiusModel.Outcome], untried: Bool = false) -> Double? {
            LearnedConstant.radius95(
                outcomes, knownPlacesUntried: untried, isDisturbed: false)
        }
        let learned = try #require(radius95(outcomes))
        #expect(abs(learned - slow) < 1e-9 * slow, "\(learned) \(slow)")
        let untried = try #require(radius95(outcomes, untried: true))
        #expect(abs(untried / learned - RadiusModel.untriedFactor) < 1e-9)
        let few = Array(outcomes.prefix(LeaveOutTrials.fewestOutcomes - 1))
        #expect(radius95(few) == nil)
    }

    @Test(
        "On a map of one session it holds 95 % of the errors, new and surveyed places together",
        arguments: 0..<20 as Range<UInt64>)
    func pooledTwin(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (new, known) = (
            Self.outcomes(&random, isNew: true), Self.outcomes(&random, isNew: false)
        )
        let outcomes = [(true, new), (false, known)].flatMap { isNew, errors in
            errors.map {
                RadiusModel.Outcome(
                    error: $0, evidence: LearnedConstant.evidence, isNewPlace: isNew)
            }
        }
        func inside(_ errors: [Double], _ radius: Double) -> Double {
            Double(errors.count { $0 <= radius }) / Double(errors.count)
        }
        let share = RadiusModel.newPlaceShare
        let slow = (new + known).filter { radius in
            share * inside(new, radius) + (1 - share) * inside(known, radius) >= 0.95
        }.min()!
        func radius95(untried: Bool) -> Double? {
            LearnedConstant.radius95(outcomes, knownPlacesUntried: untried, isDisturbed: true)
        }
        let learned = try #require(radius95(untried: false))
        #expect(abs(learned - slow) < 1e-9 * slow, "\(learned) \(slow)")
        let untried = try #require(radius95(untried: true))
        #expect(abs(untried / learned - RadiusModel.untriedFactor) < 1e-9)
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
