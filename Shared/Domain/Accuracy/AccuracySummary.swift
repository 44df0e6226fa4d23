import Geometry
import Numbers

/// The accuracy of a positioner on a data set. Lengths are metres as the data set reports them.
/// Shares are fractions. Values that the data set lacks are nil.
public struct AccuracySummary: Hashable, Sendable {
    public var queries: Int
    /// The number of queries without an estimate. They count as misses. Their error is the distance
    /// from the truth to the fallback point.
    public var lost: Int
    public var mean: Double?
    public var median: Double?
    public var p75: Double?
    public var p95: Double?
    /// The mean error in metres on the ground.
    public var meanGround: Double?
    public var floorHit: Double?
    public var buildingHit: Double?
    public var roomHit: Double?
    /// The share of queries with a radius whose truth was within it.
    public var within68: Double?
    public var within95: Double?
    /// The mean of radius95 + max(0, error - radius95) / 0.05, in metres. It is the interval score
    /// for an interval from 0 to the radius. Only the true 95 % quantile minimises it (Gneiting and
    /// Raftery 2007, Journal of the American Statistical Association 102, section 6.2).
    public var intervalScore: Double?
    /// The interval score of the best single radius for these errors, found in hindsight. Radii
    /// that recognise good estimates score lower.
    public var constantIntervalScore: Double?
    /// The interval score of `JudgedEstimate.learnedRadius95`, over the same estimates. Nil where
    /// one of them has none.
    public var learnedConstantIntervalScore: Double?
    /// The share of queries whose estimate is certain (`located`).
    public var located: Double?
    /// The share of queries that are located, although the truth is outside of `radius95` or ruled
    /// out (`JudgedEstimate.isLocatedWrongly`).
    public var locatedWrongly: Double?
    /// The share of queries that are lost, or uncertain and right (`JudgedEstimate.isHonest`).
    public var honest: Double?
    /// The median over paths of the path's mean error.
    public var medianOfPaths: Double?
    /// Set by the caller, which measures the time.
    public var microsecondsPerQuery: Double?

    /// - Parameter groundPerReportedMetre: metres on the ground for one metre that the set reports.
    ///   The site's frame is in metres on the ground.
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
        learnedConstantIntervalScore = Self.learnedScore(judged, errors, groundPerReportedMetre)
        located = average(judged.map { $0.isCertain ? 1 : 0 })
        locatedWrongly = average(judged.map { $0.isLocatedWrongly ? 1 : 0 })
        honest = average(judged.map { $0.isHonest ? 1 : 0 })
        medianOfPaths = Self.medianOfPaths(judged, errors)
    }

    private static func score(radius: Double, error: Double) -> Double {
        radius + max(0, error - radius) / 0.05
    }

    /// The interval score of the best constant radius. The score falls with the radius while more
    /// than one error in twenty is larger. So the best radius is the first error for which that no
    /// longer holds.
    private static func scoreOfBestConstant(_ errors: [Double]) -> Double? {
        guard !errors.isEmpty else { return nil }
        let larger = errors.count / 20
        let radius = errors.sorted()[errors.count - 1 - larger]
        return average(errors.map { score(radius: radius, error: $0) })
    }

    private static func learnedScore(
        _ judged: [JudgedEstimate], _ errors: [Double], _ groundPerReportedMetre: Double
    ) -> Double? {
        var scores: [Double] = []
        for (query, error) in zip(judged, errors)
        where query.radius95 != nil && query.estimate != nil {
            guard let radius = query.learnedRadius95 else { return nil }
            scores.append(score(radius: radius / groundPerReportedMetre, error: error))
        }
        return average(scores)
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

/// The share of queries with a known truth whose estimate has the same name.
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
