import Events

/// Each beacon's level through a Kalman filter of its own (Flair 4.5.2).
///
/// The level is filtered, not the distance: noise is nearly Gaussian in decibels, as the filter
/// supposes, and skewed in metres. The distance follows from the level.
public struct KalmanSmoother: BeaconTransformer {
    public static let usualForgetAfter = Duration.seconds(30)

    /// How much one reading is off, squared decibels.
    public let readingVariance: Double
    /// How much more unsure a level gets in a second, squared decibels: someone walks.
    public let driftVariancePerSecond: Double
    public let pathLoss: PathLoss
    var memory: BeaconMemory<BeaconIdentity, ScalarKalmanFilter>

    /// Usual figures: readings of a phone at rest vary by some 6 dB, and a step at one or two
    /// metres from a beacon changes its level by about 3 dB.
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
            // A reading that comes late brings no time with it.
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
