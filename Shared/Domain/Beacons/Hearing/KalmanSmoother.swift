import Events

/// Smooths each beacon's level with a Kalman filter of its own (Flair 4.5.2).
///
/// The filter works on the level and not on the distance. Noise is nearly Gaussian in decibels, as
/// the filter assumes, but skewed in metres. The distance is computed from the level.
public struct KalmanSmoother: BeaconTransformer {
    public static let usualForgetAfter = Duration.seconds(30)

    /// The variance of one reading, in squared decibels.
    public let readingVariance: Double
    /// The growth of a level's variance in a second, in squared decibels, because people walk.
    public let driftVariancePerSecond: Double
    public let pathLoss: PathLoss
    var memory: BeaconMemory<BeaconIdentity, ScalarKalmanFilter>

    /// The defaults are usual figures. Readings of a phone at rest vary by some 6 dB. A step at one
    /// or two metres from a beacon changes its level by about 3 dB.
    public init(
        pathLoss: PathLoss, readingVariance: Double = 36, driftVariancePerSecond: Double = 9,
        forgetAfter: Duration = usualForgetAfter
    ) {
        precondition(readingVariance > 0 && driftVariancePerSecond >= 0)
        self.pathLoss = pathLoss
        self.readingVariance = readingVariance
        self.driftVariancePerSecond = driftVariancePerSecond
        memory = BeaconMemory(forgetAfter: forgetAfter)
    }

    public mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        var filter: ScalarKalmanFilter
        if var known = memory.value(of: beacon.identity, now: beacon.at),
            let heard = memory.heard(beacon.identity)
        {
            // A reading that arrives late does not advance the time.
            let seconds = max(0, Double(beacon.at - heard) / 1e6)
            known.move(by: 0, variance: driftVariancePerSecond * seconds)
            known.measure(beacon.rssi, variance: readingVariance)
            filter = known
        } else {
            filter = ScalarKalmanFilter(mean: beacon.rssi, variance: readingVariance)
        }
        memory.keep(filter, of: beacon.identity, at: beacon.at)
        var beacon = beacon
        beacon.rssi = filter.mean
        beacon.distanceMetres = pathLoss.distanceMetres(
            attenuationDecibels: beacon.attenuationDecibels)
        return beacon
    }
}
