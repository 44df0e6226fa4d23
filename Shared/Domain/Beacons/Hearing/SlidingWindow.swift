/// Replaces each beacon's distance by the mean of its last distances (Flair 4.5.1).
public struct SlidingWindow: BeaconTransformer {
    /// The default number of readings (Flair 4.5.1).
    public static let usualReadings = 5
    /// After this time without a reading, a beacon's distances belong to another place.
    public static let usualForgetAfter = Duration.seconds(30)

    public let readings: Int
    var memory: BeaconMemory<BeaconIdentity, [Double]>

    /// - Parameter readings: the size of the window, 1 to `BeaconLimits.windowReadings`.
    public init(
        readings: Int = usualReadings, forgetAfter: Duration = usualForgetAfter
    ) {
        precondition((1...BeaconLimits.windowReadings).contains(readings))
        self.readings = readings
        memory = BeaconMemory(forgetAfter: forgetAfter)
    }

    /// Replaces the distance by the mean of the readings so far, up to a full window.
    public mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        var window = memory.value(of: beacon.identity, now: beacon.at) ?? []
        if window.count == readings { window.removeFirst() }
        window.append(beacon.distanceMetres)
        memory.keep(window, of: beacon.identity, at: beacon.at)
        var beacon = beacon
        // The sum is computed again each time, because a running sum would collect rounding errors.
        beacon.distanceMetres = window.reduce(0, +) / Double(window.count)
        return beacon
    }
}
