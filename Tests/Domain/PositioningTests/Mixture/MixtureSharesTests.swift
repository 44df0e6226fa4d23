import Geometry
import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct MixtureSharesTests {
    @Test("The weights are those of the best of all mixtures", arguments: 0..<3)
    func best(seed: Int) {
        var random = SeededRandom(seed: seed)
        let deviations = (0..<3).map { _ in Double.random(in: 1...4, using: &random) }
        let count = 120
        let trials = (0..<count).map { _ in
            let truth = Point(x: Double.random(in: 0...50, using: &random), y: 7)
            func near(_ deviation: Double) -> Point {
                Point(
                    x: truth.x + Double.random(in: -deviation...deviation, using: &random),
                    y: truth.y + Double.random(in: -deviation...deviation, using: &random))
            }
            return MixtureShares.Trial(
                blend: near(deviations[0]), cells: near(deviations[1]),
                gaussian: near(deviations[2]), truth: truth)
        }
        let fitted = MixtureShares(fitting: trials, temper: 0.5)
        #expect(fitted.temper == 0.5)
        var best = (cost: Double.infinity, cells: 0.0, gaussian: 0.0)
        for cells in stride(from: 0.001, to: 0.999, by: 0.02) {
            for gaussian in stride(from: 0.001, to: 0.999 - cells, by: 0.02) {
                let cost = Self.cost(trials, [1 - cells - gaussian, cells, gaussian])
                if cost < best.cost { best = (cost, cells, gaussian) }
            }
        }
        // A weight under 0.05 is left out, and the others share it.
        #expect(abs(fitted.cells - best.cells) < 0.07)
        #expect(abs(fitted.gaussian - best.gaussian) < 0.07)
    }

    /// The error in units of the best part's, and the divergence from the weights before, which is
    /// worth sixty trials.
    private static func cost(_ trials: [MixtureShares.Trial], _ weights: [Double]) -> Double {
        func error(_ weights: [Double]) -> Double {
            trials.reduce(0) { sum, trial in
                let points = [trial.blend, trial.cells, trial.gaussian]
                let x = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.x }
                let y = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.y }
                return sum + hypot(x - trial.truth.x, y - trial.truth.y)
            }
        }
        let unit = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]].map(error).min()!
        let divergence = zip(weights, [0.8, 0.1, 0.1]).reduce(0) { $0 + $1.0 * log($1.0 / $1.1) }
        return error(weights) / unit + 60 / Double(trials.count) * divergence
    }

    @Test("Without trials the blend is alone")
    func untried() {
        #expect(MixtureShares(fitting: [], temper: 1).isBlendAlone)
    }

    @Test("A part on another floor than most of the weight is left out of the place")
    func otherFloor() throws {
        let shares = MixtureShares(cells: 0.25, gaussian: 0.25)
        let all = try #require(
            shares.mix([
                (shares.blend, 1, Point(x: 0, y: 0)), (shares.cells, 1, Point(x: 4, y: 8)),
                (shares.gaussian, 1, Point(x: 8, y: 4)),
            ]))
        #expect(all.floor == 1 && all.point == Point(x: 3, y: 3))
        let some = try #require(
            shares.mix([
                (0.4, 1, Point(x: 0, y: 0)), (0.3, 2, Point(x: 4, y: 8)),
                (0.3, 2, Point(x: 8, y: 4)),
            ]))
        #expect(some.floor == 2 && some.point == Point(x: 6, y: 6))
        let tie = try #require(
            shares.mix([(0.5, 1, Point(x: 0, y: 0)), (0.5, 2, Point(x: 4, y: 8))]))
        #expect(tie.floor == 1 && tie.point == Point(x: 0, y: 0))
        #expect(shares.mix([(share: 0, floor: 1, point: Point(x: 0, y: 0))]) == nil)
    }
}
