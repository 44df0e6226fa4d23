import Geometry
import Glibc

/// The weights of the parts of a mixture: the blend, `cells` and `gaussian`. They sum up to 1.
struct MixtureShares: Hashable, Sendable {
    static let blendAlone = MixtureShares()

    var cells = 0.0
    var gaussian = 0.0
    /// The temper of `gaussian`, which the map chose for it.
    var temper = GaussianLikelihood.tempers[0]

    var blend: Double { 1 - cells - gaussian }
    var isBlendAlone: Bool { cells == 0 && gaussian == 0 }
}

extension MixtureShares {
    /// The place of one held-out scan by each part, and the true one. The scan's place must be left
    /// out, too. The part that remembers single surveys explains a repeat of the session best, and
    /// no visitor repeats a session.
    struct Trial {
        var blend: Point
        var cells: Point
        var gaussian: Point
        var truth: Point

        fileprivate var places: [Point] { [blend, cells, gaussian] }
    }

    /// The weights before any trial. The blend has most, because it is fitted to the map already.
    private static let prior = [0.8, 0.1, 0.1]
    /// The strength of the prior, in trials. The figures were found with training parts alone
    /// (docs/accuracy.md, section Mixture).
    private static let priorTrials = 60.0
    /// A part with a smaller weight is left out: it takes time and changes hardly anything.
    private static let leastShare = 0.05
    private static let steps = 400
    private static let firstRate = 0.7

    /// The weights with the smallest mean error of the weighted mean of the places, in units of the
    /// best part's error. A penalty keeps the weights near the prior: the Kullback-Leibler
    /// divergence. The method is exponentiated gradient descent (Kivinen and Warmuth 1997).
    init(fitting trials: [Trial], temper: Double) {
        self.temper = temper
        guard !trials.isEmpty else { return }
        let sums = Self.prior.indices.map { part in
            trials.reduce(0) { $0 + $1.places[part].distance(to: $1.truth) }
        }
        let unit = 1 / max(sums.min()!, 1e-6)
        let strength = Self.priorTrials / Double(trials.count)
        var weights = Self.prior
        for step in 0..<Self.steps {
            var slopes = [0.0, 0, 0]
            for trial in trials {
                let points = trial.places
                let mean = Point.mean(points, weights)
                let (dx, dy) = (mean.x - trial.truth.x, mean.y - trial.truth.y)
                let factor = unit / max((dx * dx + dy * dy).squareRoot(), 1e-6)
                for part in 0..<3 {
                    slopes[part] += factor * (dx * points[part].x + dy * points[part].y)
                }
            }
            for part in 0..<3 {
                slopes[part] += strength * log(max(weights[part], 1e-9) / Self.prior[part])
            }
            let mean = zip(weights, slopes).reduce(0) { $0 + $1.0 * $1.1 }
            let rate = Self.firstRate / (1 + 0.01 * Double(step))
            for part in 0..<3 {
                weights[part] *= exp(-min(max(rate * (slopes[part] - mean), -1), 1))
            }
            let sum = weights.reduce(0, +)
            for part in 0..<3 { weights[part] /= sum }
        }
        let kept = weights.map { $0 < Self.leastShare ? 0 : $0 }
        let sum = kept.reduce(0, +)
        cells = kept[1] / sum
        gaussian = kept[2] / sum
    }

    /// The weighted mean of the places of those parts that are on the floor with the most weight.
    /// If two floors are equal, it picks that of the earlier part.
    func mix<Floor: Hashable>(
        _ parts: [(share: Double, floor: Floor, point: Point)]
    ) -> (floor: Floor, point: Point)? {
        var best: (floor: Floor, share: Double)?
        for part in parts where part.share > 0 {
            let share = parts.reduce(0) { $0 + ($1.floor == part.floor ? $1.share : 0) }
            if share > best?.share ?? 0 { best = (part.floor, share) }
        }
        guard let best else { return nil }
        let own = parts.filter { $0.floor == best.floor }
        let mean = Point.mean(own.map(\.point), own.map { $0.share / best.share })
        return (best.floor, mean)
    }
}

extension Point {
    /// The sum of the points, each multiplied by its weight.
    fileprivate static func mean(_ points: [Point], _ weights: [Double]) -> Point {
        var mean = Point(x: 0, y: 0)
        for (point, weight) in zip(points, weights) {
            mean.x += weight * point.x
            mean.y += weight * point.y
        }
        return mean
    }
}
