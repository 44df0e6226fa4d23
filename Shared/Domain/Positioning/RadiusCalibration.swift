import Geometry
import Glibc

/// Turns the neighbours' spread into radii that hold the truth as often as they say.
///
/// The error of a place grows with the spread of the neighbours, but by how much differs between
/// sites. So fingerprints of the map are located without their own walk (or, where one walk is most of
/// the map, without their own place), and the quantiles of error / spread are the factors.
struct RadiusCalibration: Sendable {
    /// For two equal normal coordinates: the quantiles of the Rayleigh distribution.
    static let radius68PerDeviation = 1.5096
    static let radius95PerDeviation = 2.4477
    /// Fingerprints located at most; the standard error of the 95 % quantile's level is then 1 %.
    static let trials = 500
    /// With fewer located fingerprints the quantiles say too little.
    static let fewestTrials = 40
    /// A walk with a larger share of the map cannot be left out whole.
    static let largestWalkShare = 0.2

    /// Spread is the root of two variances.
    static let uncalibrated = RadiusCalibration(
        factor68: radius68PerDeviation / 2.0.squareRoot(),
        factor95: radius95PerDeviation / 2.0.squareRoot())

    let factor68: Double
    let factor95: Double

    private init(factor68: Double, factor95: Double) {
        self.factor68 = factor68
        self.factor95 = factor95
    }

    /// - Parameter locate: the mean for a fingerprint when those left out are not used.
    init(
        map: RadioMap,
        locate: (Int, @escaping (Int) -> Bool, inout PositionerScratch) -> NeighbourMean?
    ) {
        let count = map.fingerprints.count
        var walkSizes: [Int32: Int] = [:]
        for fingerprint in map.fingerprints { walkSizes[fingerprint.walk, default: 0] += 1 }
        let largestWalk = walkSizes.values.max() ?? 0
        let leavesOutWalks = Double(largestWalk) <= Self.largestWalkShare * Double(count)
        var scratch = PositionerScratch()
        var ratios: [Double] = []
        let trials = min(Self.trials, count)
        for trial in 0..<trials {
            // Evenly spread over the map: no chance, so that equal maps give equal radii.
            let own = trial * count / trials
            let left = map.fingerprints[own]
            let isLeftOut: (Int) -> Bool = { other in
                map.fingerprints[other].place == left.place
                    || (leavesOutWalks && map.fingerprints[other].walk == left.walk)
            }
            guard let mean = locate(own, isLeftOut, &scratch) else { continue }
            ratios.append(mean.point.distance(to: left.point) / mean.spread)
        }
        guard ratios.count >= Self.fewestTrials else {
            self = .uncalibrated
            return
        }
        ratios.sort()
        factor68 = ratios[Int(0.68 * Double(ratios.count - 1))]
        factor95 = max(factor68, ratios[Int((0.95 * Double(ratios.count - 1)).rounded(.up))])
    }

    /// Metres, each at least half a metre: no fingerprint knows its own place better.
    func radii(spread: Double) -> (radius68: Double, radius95: Double) {
        (max(0.5, factor68 * spread), max(0.5, factor95 * spread))
    }

    /// The covariance at the scale of the radius: its shape is kept.
    func covariance(_ covariance: Estimate.Covariance, radius68: Double) -> Estimate.Covariance {
        let deviation = radius68 / Self.radius68PerDeviation
        let scale = 2 * deviation * deviation / (covariance.xx + covariance.yy)
        return Estimate.Covariance(
            xx: covariance.xx * scale, xy: covariance.xy * scale, yy: covariance.yy * scale)
    }
}
