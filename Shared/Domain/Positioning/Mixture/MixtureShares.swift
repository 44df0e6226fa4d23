import Geometry
import Glibc

/// The weights of the parts of a mixture: the blend, `cells`, `gaussian` and trilateration. They
/// sum up to 1.
struct MixtureShares: Hashable, Sendable {
    static let blendAlone = MixtureShares()

    var cells = 0.0
    var gaussian = 0.0
    /// The weight for scans of places that nobody surveyed.
    var trilateration = 0.0
    /// The temper of `gaussian`, which the map chose for it.
    var temper = GaussianLikelihood.tempers[0]
    /// From this smallest distance to an anchor on, trilateration has its complete weight. Half of
    /// the scans from places that were left out are farther from the map.
    var newDistance = 1.0
    /// Metres from the blend's place; a place of trilateration that lies farther counts as one at
    /// this distance. One of ten scans from places that were left out has such a place.
    var reach = Self.noReach

    /// A reach that limits nothing.
    static let noReach = 1_000.0

    var blend: Double { 1 - cells - gaussian - trilateration }
    var isBlendAlone: Bool { cells == 0 && gaussian == 0 && trilateration == 0 }

    /// The weights for a scan with this smallest distance to an anchor.
    ///
    /// A scan that fits a survey well was made where somebody surveyed, and comparing fingerprints
    /// is best there. The blend gets what trilateration loses. It has nothing up to
    /// half of `newDistance`.
    func shares(at distance: Double) -> MixtureShares {
        var shares = self
        shares.trilateration *= Self.newness(distance, newDistance)
        return shares
    }

    /// The place of trilateration, not farther from the blend's than `reach`.
    ///
    /// Where path losses are wrong, as where walls are near, they may lead far away. The weights
    /// allow for most such places, and radii for hardly any.
    func reached(_ place: Point, from blend: Point) -> Point {
        let distance = blend.distance(to: place)
        guard distance > reach else { return place }
        let share = reach / distance
        return Point(
            x: blend.x + share * (place.x - blend.x), y: blend.y + share * (place.y - blend.y))
    }

    private static func newness(_ distance: Double, _ newDistance: Double) -> Double {
        min(max(2 * distance / newDistance - 1, 0), 1)
    }
}

extension MixtureShares {
    /// The place of one held-out scan by each part, and the true one. The scan's place must be left
    /// out, too. The part that remembers single surveys explains a repeat of the session best, and
    /// no visitor repeats a session.
    struct Trial {
        var blend: Point
        var cells: Point
        var gaussian: Point
        /// Nil where too few transmitters have a path loss; the blend's place is used then.
        var trilateration: Point?
        /// The smallest distance to an anchor.
        var distance: Double
        var truth: Point

        /// The places that the weights are for.
        fileprivate func places(_ newDistance: Double) -> [Point] {
            let newness = MixtureShares.newness(distance, newDistance)
            let fourth = Point.mean([trilateration ?? blend, blend], [newness, 1 - newness])
            return [blend, cells, gaussian, fourth]
        }
    }

    /// The weights before any trial. The blend has most, because it is fitted to the map already.
    private static let prior = [0.5, 0.1, 0.1, 0.3]
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
        let distances = trials.map(\.distance).sorted()
        newDistance = max(distances[distances.count / 2], 1e-3)
        reach = Self.reach(trials)
        let places = trials.map { $0.places(newDistance) }
        let sums = Self.prior.indices.map { part in
            zip(trials, places).reduce(0) { $0 + $1.1[part].distance(to: $1.0.truth) }
        }
        let unit = 1 / max(sums.min()!, 1e-6)
        let strength = Self.priorTrials / Double(trials.count)
        var weights = Self.prior
        for step in 0..<Self.steps {
            var slopes = [Double](repeating: 0, count: weights.count)
            for (trial, points) in zip(trials, places) {
                let mean = Point.mean(points, weights)
                let (dx, dy) = (mean.x - trial.truth.x, mean.y - trial.truth.y)
                let factor = unit / max((dx * dx + dy * dy).squareRoot(), 1e-6)
                for part in weights.indices {
                    slopes[part] += factor * (dx * points[part].x + dy * points[part].y)
                }
            }
            for part in weights.indices {
                slopes[part] += strength * log(max(weights[part], 1e-9) / Self.prior[part])
            }
            let mean = zip(weights, slopes).reduce(0) { $0 + $1.0 * $1.1 }
            let rate = Self.firstRate / (1 + 0.01 * Double(step))
            for part in weights.indices {
                weights[part] *= exp(-min(max(rate * (slopes[part] - mean), -1), 1))
            }
            let sum = weights.reduce(0, +)
            for part in weights.indices { weights[part] /= sum }
        }
        let kept = weights.map { $0 < Self.leastShare ? 0 : $0 }
        let sum = kept.reduce(0, +)
        cells = kept[1] / sum
        gaussian = kept[2] / sum
        trilateration = kept[3] / sum
    }

    /// Nine tenths of the trials have a place of trilateration that is nearer to the blend's.
    private static func reach(_ trials: [Trial]) -> Double {
        let distances = trials.compactMap { trial in
            trial.trilateration.map { trial.blend.distance(to: $0) }
        }.sorted()
        guard !distances.isEmpty else { return noReach }
        return min(max(distances[distances.count * 9 / 10], 1e-3), noReach)
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
