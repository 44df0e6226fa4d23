import Events
import Glibc

/// The doubt in a route: whether the field of a walk still is the one that was recorded.
///
/// Steel that was moved changes the field along some metres. So the two fields are compared in each
/// window of the route. The differences at a place count in relation to how much the recorded field
/// changes there, because nobody walks a line exactly. A few great ones, from steel close to the
/// line, count less by the root. A walk beside the line raises all windows a little. So the score
/// is the worst window's difference, less a part of the lower quartile's.
///
/// Scores of successive walks add up, each less an allowance, and the sum stays above zero. A sum
/// over the limit means that the route no longer fits. It is the cumulative sum of E. S. Page,
/// "Continuous inspection schemes", Biometrika 41, 1954. The constants were chosen on simulated
/// routes of seeds 1 to 800 (docs/accuracy.md, "Magnetic routes").
///
/// A walk in another corridor fits nowhere, while moved steel leaves most windows as they were. So
/// a walk counts only if its lower quartile fits. On a route of one window or few, none can tell.
enum RouteDoubt {
    static let limit = 1.8
    /// Makes the limit that of the release before, whose stored sums go on.
    private static let scale = 18.0 / 7
    private static let allowance = 0.55 * scale
    /// The worst window counts less this part of the lower quartile.
    private static let usualShare = 0.75
    /// A walk whose lower quartile is above this, as a logarithm, was not on the route.
    private static let mostUsual = 0.4
    private static let windowMetres = 8.0
    /// A walk's places along the route may be wrong by this many metres.
    private static let reachMetres = 2.0
    /// The deviation from a line that counts for nothing, in metres.
    private static let besideMetres = 0.3
    /// The share of a window's cells that must be compared.
    private static let leastShare = 0.6

    /// The doubt after a walk.
    ///
    /// - Parameter before: the doubt before it; 0 for a new recording.
    static func after(
        _ before: Double, _ profile: MagneticProfile, _ walk: CheckedWalk,
        _ direction: MagneticDirection
    ) -> Double {
        guard let score = score(profile, walk, direction) else { return before }
        return max(0, before + score - allowance)
    }

    /// The score of a walk; nil if no window can be compared, or if most of them don't fit.
    static func score(
        _ profile: MagneticProfile, _ walk: CheckedWalk, _ direction: MagneticDirection
    ) -> Double? {
        let felt = felt(profile, walk, direction)
        let cells = profile.features.count
        let window = min(cells, Int(windowMetres / MagneticProfile.cellMetres))
        let reach = Int(reachMetres / MagneticProfile.cellMetres)
        // The last window ends with the route.
        let starts =
            Array(stride(from: 0, to: cells - window, by: max(1, window / 4))) + [cells - window]
        let differences = starts.compactMap { start -> Double? in
            let squares = (-reach...reach).compactMap { shift in
                square(felt, profile.features, start..<(start + window), shift)
            }
            return squares.min().map { log(max($0, 1e-9)) / 2 }
        }.sorted()
        guard let worst = differences.last else { return nil }
        let usual = differences[(differences.count - 1) / 4]
        guard usual <= mostUsual else { return nil }
        return scale * (worst - usualShare * usual)
    }

    /// The mean feature of the walk in each cell of the route; nil where there is none.
    private static func felt(
        _ profile: MagneticProfile, _ walk: CheckedWalk, _ direction: MagneticDirection
    ) -> [FieldFeature?] {
        let last = profile.features.count - 1
        let length = profile.path.lengthMetres
        var sums = [(count: Double, magnitude: Double, down: Double)](
            repeating: (0, 0, 0), count: last + 1)
        let hasGravity = walk.places.allSatisfy { $0.feature.down != nil }
        for place in walk.places {
            let walked = place.walkedMetres
            let arc = direction == .forward ? walked : length - walked
            let cell = min(last, max(0, Int((arc / MagneticProfile.cellMetres).rounded())))
            sums[cell].count += 1
            sums[cell].magnitude += place.feature.magnitude
            sums[cell].down += place.feature.down ?? 0
        }
        return sums.map { sum in
            guard sum.count > 0 else { return nil }
            return FieldFeature(
                magnitude: sum.magnitude / sum.count, down: hasGravity ? sum.down / sum.count : nil)
        }
    }

    /// The square of a window's typical difference, as if the walk had been some cells ahead. The
    /// median difference is the phone's own offset, and does not count.
    private static func square(
        _ felt: [FieldFeature?], _ features: [FieldFeature], _ window: Range<Int>, _ shift: Int
    ) -> Double? {
        var (first, second, scales) = ([Double](), [Double](), [Double]())
        for cell in window where features.indices.contains(cell + shift) {
            guard let felt = felt[cell] else { continue }
            let near = max(0, cell + shift - 1)...min(features.count - 1, cell + shift + 1)
            let (from, to) = (features[near.lowerBound], features[near.upperBound])
            let (difference, change) = (
                parts(felt, features[cell + shift]), parts(to, from, like: felt)
            )
            first.append(difference.0)
            second.append(difference.1)
            let metres = Double(near.count - 1) * MagneticProfile.cellMetres
            let slope = (change.0 * change.0 + change.1 * change.1) / (metres * metres)
            scales.append((1 + besideMetres * besideMetres * slope).squareRoot())
        }
        guard Double(first.count) >= leastShare * Double(window.count) else { return nil }
        return typical(first, scales) + typical(second, scales)
    }

    /// The differences of the two parts; of the strength alone where gravity is missing in either.
    private static func parts(
        _ one: FieldFeature, _ other: FieldFeature, like third: FieldFeature? = nil
    ) -> (Double, Double) {
        let isLike = third.map { $0.down != nil } ?? true
        guard isLike, let level = one.level, let down = one.down, let otherLevel = other.level,
            let otherDown = other.down
        else {
            let difference = one.magnitude - other.magnitude
            return (difference, difference)
        }
        return (level - otherLevel, down - otherDown)
    }

    private static func typical(_ values: [Double], _ scales: [Double]) -> Double {
        let median = values.sorted()[values.count / 2]
        let roots = zip(values, scales).map { (abs($0 - median) / $1).squareRoot() }
        let mean = roots.reduce(0, +) / Double(roots.count)
        return mean * mean * mean * mean
    }
}
