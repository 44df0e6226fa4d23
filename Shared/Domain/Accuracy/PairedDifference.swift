import Numbers

/// The difference of two positioners' errors over the same queries, and its certainty. It is the
/// mean of the paired differences, with its 95 % percentile bootstrap interval (Efron and
/// Tibshirani 1993, "An Introduction to the Bootstrap", section 13.3).
///
/// Scans of one path share their walls, bodies and phone. So the bootstrap draws complete paths;
/// single scans would look like more evidence than there is.
public struct PairedDifference: Hashable, Sendable {
    /// The number of bootstrap samples.
    public static let resamples = 2_000

    public var queries: Int
    /// The number of paths drawn from. Nil where no query has a path and queries are drawn singly.
    /// In a mixture, a query without a path counts as a path.
    public var paths: Int?
    /// The second error minus the first, in metres. Below 0 the second positioner is nearer to the
    /// truth.
    public var mean: Double
    public var lower95: Double
    public var upper95: Double

    /// A path, or a query without one: the bootstrap draws it as one.
    private struct Unit {
        var sum = 0.0
        var count = 0
    }

    /// - Parameters:
    ///   - differences: one for each query, in metres.
    ///   - paths: the path of each query.
    ///   - seed: the seed of the resampling.
    /// - Returns: nil when there are no queries.
    public init?(_ differences: [Double], paths: [String?], seed: UInt64) {
        precondition(differences.count == paths.count, "paths must have one element for each query")
        guard !differences.isEmpty else { return nil }
        let units = Self.units(differences, paths)
        queries = differences.count
        self.paths = paths.contains { $0 != nil } ? units.count : nil
        mean = differences.reduce(0, +) / Double(differences.count)
        var random = SplitMix64(seed: seed)
        var means: [Double] = []
        means.reserveCapacity(Self.resamples)
        for _ in 0..<Self.resamples {
            var drawn = Unit()
            for _ in units.indices {
                let unit = units[random.below(units.count)]
                drawn.sum += unit.sum
                drawn.count += unit.count
            }
            means.append(drawn.sum / Double(drawn.count))
        }
        means.sort()
        lower95 = quantile(means, 0.025) ?? mean
        upper95 = quantile(means, 0.975) ?? mean
    }

    /// Compares the errors of two positioners. The error of a lost device is the distance to its
    /// fallback.
    ///
    /// - Parameters:
    ///   - first: in the order of the data set, like `second`.
    ///   - groundPerReportedMetre: metres on the ground for one metre that the set reports.
    /// - Returns: nil when there are no queries.
    public init?(
        from first: [JudgedEstimate], to second: [JudgedEstimate],
        groundPerReportedMetre: Double = 1, seed: UInt64
    ) {
        precondition(
            first.count == second.count, "both positioners must have located the same queries")
        self.init(
            zip(first, second).map { ($1.distance - $0.distance) / groundPerReportedMetre },
            paths: first.map(\.path), seed: seed)
    }

    /// Units in the order of their first query, so that equal arguments give equal results.
    private static func units(_ differences: [Double], _ paths: [String?]) -> [Unit] {
        var units: [Unit] = []
        var ofPath: [String: Int] = [:]
        for (difference, path) in zip(differences, paths) {
            let index = path.flatMap { ofPath[$0] } ?? units.count
            if index == units.count {
                units.append(Unit())
                if let path { ofPath[path] = index }
            }
            units[index].sum += difference
            units[index].count += 1
        }
        return units
    }
}
