/// The mean of each beacon's last distances (Flair 4.5.1).
public struct SlidingWindow: BeaconTransformer {
    /// Flair 4.5.1.
    public static let usualReadings = 5
    /// Distances of a beacon that was not heard for so long belong to another place.
    public static let usualForgetAfter = Duration.seconds(30)

    public let readings: Int
    var memory: BeaconMemory<BeaconIdentity, [Double]>

    /// - Parameter readings: how many to take the mean of, 1 to `BeaconLimits.windowReadings`.
    public init(
        readings: Int = usualReadings, forgetAfter: Duration = usualForgetAfter
    ) {
        precondition((1...BeaconLimits.windowReadings).contains(readings))
        self.readings = readings
        memory = BeaconMemory(forgetAfter: forgetAfter)
    }

    /// Of fewer than a window's readings, the mean of those that there are.
    public mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        var window = memory.value(of: beacon.identity, now: beacon.at) ?? []
        if window.count == readings { window.removeFirst() }
        window.append(beacon.distanceMetres)
        memory.keep(window, of: beacon.identity, at: beacon.at)
        var beacon = beacon
        // Summed anew each time: a running sum would gather rounding errors.
        beacon.distanceMetres = window.reduce(0, +) / Double(window.count)
        return beacon
    }
}
