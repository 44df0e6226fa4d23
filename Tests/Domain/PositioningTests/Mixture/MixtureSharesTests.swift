import Geometry
import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct MixtureSharesTests {
    @Test("The weights are those of the best of all mixtures", arguments: 0..<3)
    func best(seed: Int) {
        var random = SeededRandom(seed: seed)
        let deviations = (0..<4).map { _ in Double.random(in: 1...4, using: &random) }
        let trials = (0..<120).map { number in
            let truth = Point(x: Double.random(in: 0...50, using: &random), y: 7)
            func near(_ deviation: Double) -> Point {
                Point(
                    x: truth.x + Double.random(in: -deviation...deviation, using: &random),
                    y: truth.y + Double.random(in: -deviation...deviation, using: &random))
            }
            return MixtureShares.Trial(
                blend: near(deviations[0]), cells: near(deviations[1]),
                gaussian: near(deviations[2]),
                trilateration: number % 20 == 0 ? nil : near(deviations[3]),
                distance: Double.random(in: 0.1...0.5, using: &random), truth: truth)
        }
        let fitted = MixtureShares(fitting: trials, temper: 0.5)
        #expect(fitted.temper == 0.5)
        // Six of the trials have no place of trilateration; that of 102 others is the nearer one.
        let apart = trials.compactMap { trial in
            trial.trilateration.map { hypot($0.x - trial.blend.x, $0.y - trial.blend.y) }
        }
        #expect(apart.count { $0 < fitted.reach - 1e-9 } == 102)
        #expect(fitted.newDistance == trials.map(\.distance).sorted()[60])
        let places = trials.map { Self.places($0, fitted.newDistance) }
        let unit = Self.unit(trials, places)
        var best = (cost: Double.infinity, weights: [0.0])
        let values = Array(stride(from: 0.001, to: 0.999, by: 0.04))
        for cells in values {
            for gaussian in values where cells + gaussian < 0.999 {
                for trilateration in values where cells + gaussian + trilateration < 0.999 {
                    let weights = [
                        1 - cells - gaussian - trilateration, cells, gaussian, trilateration,
                    ]
                    let cost = Self.cost(trials, places, weights, unit)
                    if cost < best.cost { best = (cost, weights) }
                }
            }
        }
        // A weight under 0.05 is left out, and the others share it.
        #expect(abs(fitted.cells - best.weights[1]) < 0.08)
        #expect(abs(fitted.gaussian - best.weights[2]) < 0.08)
        #expect(abs(fitted.trilateration - best.weights[3]) < 0.08)
    }

    /// The places by the four parts. Trilateration has nothing up to half of the distance, and all
    /// from the distance on; between them it rises in proportion.
    private static func places(_ trial: MixtureShares.Trial, _ newDistance: Double) -> [Point] {
        let half = newDistance / 2
        var share = 0.0
        if trial.distance >= newDistance {
            share = 1
        } else if trial.distance > half {
            share = (trial.distance - half) / half
        }
        let other = trial.trilateration ?? trial.blend
        let fourth = Point(
            x: share * other.x + (1 - share) * trial.blend.x,
            y: share * other.y + (1 - share) * trial.blend.y)
        return [trial.blend, trial.cells, trial.gaussian, fourth]
    }

    private static func error(
        _ trials: [MixtureShares.Trial], _ places: [[Point]], _ weights: [Double]
    ) -> Double {
        var sum = 0.0
        for (trial, own) in zip(trials, places) {
            var (x, y) = (-trial.truth.x, -trial.truth.y)
            for part in 0..<4 {
                x += weights[part] * own[part].x
                y += weights[part] * own[part].y
            }
            sum += hypot(x, y)
        }
        return sum
    }

    /// The error of the best part alone.
    private static func unit(_ trials: [MixtureShares.Trial], _ places: [[Point]]) -> Double {
        let alone: [[Double]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        return alone.map { error(trials, places, $0) }.min()!
    }

    /// The error in units of the best part's, and the divergence from the weights before, which is
    /// worth sixty trials.
    private static func cost(
        _ trials: [MixtureShares.Trial], _ places: [[Point]], _ weights: [Double], _ unit: Double
    ) -> Double {
        let divergence = zip(weights, [0.5, 0.1, 0.1, 0.3]).reduce(0) {
            $0 + $1.0 * log($1.0 / $1.1)
        }
        return error(trials, places, weights) / unit + 60 / Double(trials.count) * divergence
    }

    @Test("The blend gets what trilateration loses where a scan fits a survey")
    func known() {
        let shares = MixtureShares(
            cells: 0.125, gaussian: 0.125, trilateration: 0.5, newDistance: 0.25)
        for (distance, weight) in [(0.0, 0.0), (0.125, 0), (0.1875, 0.25), (0.25, 0.5), (0.9, 0.5)]
        {
            let own = shares.shares(at: distance)
            #expect(own.trilateration == weight)
            #expect(own.blend == 0.75 - weight)
            #expect(own.cells == 0.125 && own.gaussian == 0.125)
        }
    }

    @Test("A place beyond the reach is drawn to it, and a nearer one stays")
    func reach() {
        let shares = MixtureShares(trilateration: 0.5, reach: 5)
        let blend = Point(x: 1, y: 2)
        let far = shares.reached(Point(x: 7, y: 10), from: blend)
        #expect(far.distance(to: Point(x: 4, y: 6)) < 1e-9)
        #expect(shares.reached(Point(x: 4, y: 5), from: blend) == Point(x: 4, y: 5))
        #expect(shares.reached(blend, from: blend) == blend)
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
