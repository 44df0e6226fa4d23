import Geometry
import Numbers

/// How good a positioner was on a data set. Lengths are metres as the data set reports them, hits
/// and withins are fractions, and nil is what the set lacks.
public struct AccuracySummary: Hashable, Sendable {
    public var queries: Int
    /// Queries without an estimate. They count as misses, and their error is the distance from the
    /// truth to the fallback point.
    public var lost: Int
    public var mean: Double?
    public var median: Double?
    public var p75: Double?
    public var p95: Double?
    /// The mean in metres on the ground.
    public var meanGround: Double?
    public var floorHit: Double?
    public var buildingHit: Double?
    public var roomHit: Double?
    /// How often the truth was within the radius; of queries that have one.
    public var within68: Double?
    public var within95: Double?
    /// Mean of radius95 + max(0, error - radius95) / 0.05: the interval score for an interval from
    /// 0 to the radius, which only the true 95 % quantile minimises (Gneiting and Raftery 2007,
    /// Journal of the American Statistical Association 102, section 6.2).
    public var intervalScore: Double?
    /// The interval score of the one radius that suits these errors best, found in hindsight: radii
    /// that know which estimates are good score less.
    public var constantIntervalScore: Double?
    /// The median over paths of the path's mean error.
    public var medianOfPaths: Double?
    /// Set by the one who holds the clock.
    public var microsecondsPerQuery: Double?

    /// - Parameter groundPerReportedMetre: metres on the ground for one that the set reports. The
    ///   frame is in metres on the ground.
    public init(_ judged: [JudgedEstimate], groundPerReportedMetre: Double = 1) {
        let errors = judged.map { $0.distance / groundPerReportedMetre }
        let sorted = errors.sorted()
        queries = judged.count
        lost = judged.count { $0.estimate == nil }
        mean = average(errors)
        median = quantile(sorted, 0.5)
        p75 = quantile(sorted, 0.75)
        p95 = quantile(sorted, 0.95)
        meanGround = mean.map { $0 * groundPerReportedMetre }
        floorHit = hits(judged, \.floor)
        buildingHit = hits(judged, \.building)
        roomHit = hits(judged, \.room)
        within68 = Self.within(judged, \.radius68)
        within95 = Self.within(judged, \.radius95)
        let intervals: [(radius: Double, error: Double)] = zip(judged, errors).compactMap {
            query, error in
            guard let radius = query.radius95, query.estimate != nil else { return nil }
            return (radius / groundPerReportedMetre, error)
        }
        intervalScore = average(intervals.map(Self.score))
        constantIntervalScore = Self.scoreOfBestConstant(intervals.map(\.error))
        medianOfPaths = Self.medianOfPaths(judged, errors)
    }

    private static func score(radius: Double, error: Double) -> Double {
        radius + max(0, error - radius) / 0.05
    }

    /// The score falls with the radius while more than one error in twenty is larger, so the best
    /// radius is the first error of which that is no longer true.
    private static func scoreOfBestConstant(_ errors: [Double]) -> Double? {
        guard !errors.isEmpty else { return nil }
        let larger = errors.count / 20
        let radius = errors.sorted()[errors.count - 1 - larger]
        return average(errors.map { score(radius: radius, error: $0) })
    }

    private static func within(
        _ judged: [JudgedEstimate], _ radius: KeyPath<JudgedEstimate, Double?>
    ) -> Double? {
        average(
            judged.compactMap { query in
                guard let estimate = query.estimate, let radius = query[keyPath: radius] else {
                    return nil
                }
                return estimate.point.distance(to: query.truth.point) <= radius ? 1 : 0
            })
    }

    private static func medianOfPaths(_ judged: [JudgedEstimate], _ errors: [Double]) -> Double? {
        var byPath: [String: [Double]] = [:]
        for (query, error) in zip(judged, errors) {
            if let path = query.path { byPath[path, default: []].append(error) }
        }
        return quantile(byPath.values.compactMap { average($0) }.sorted(), 0.5)
    }
}

/// The share of queries with a known truth whose estimate names the same.
private func hits(
    _ judged: [JudgedEstimate], _ name: KeyPath<JudgedEstimate.Place, String?>
) -> Double? {
    average(
        judged.compactMap { query in
            guard let truth = query.truth[keyPath: name] else { return nil }
            return query.estimate?[keyPath: name] == truth ? 1 : 0
        })
}

private func average(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}
