import Events

/// The radio of one device: its constant offset, and its noise for each access point.
struct SimulatedReceiver: Sendable {
    let offsetDecibels: Double
    private let sigmaDecibels: Double
    private var noises: [FadingNoise?]

    /// - Parameter noiseSigma: the standard deviation of the noise over time, in dB.
    init(noiseSigma: Double, random: inout SimulationRandom) {
        let limit = RadioModel.deviceOffsetDecibels
        offsetDecibels = random.uniform(-limit, limit)
        sigmaDecibels = noiseSigma
        noises = [FadingNoise?](repeating: nil, count: SimulatedBuilding.accessPointCount)
    }

    /// The scan at a place and a time; `seconds` must never go back.
    mutating func scan(
        at place: PlacedDevice, seconds: Double, in building: SimulatedBuilding,
        random: inout SimulationRandom
    ) -> [WiFiReading] {
        var readings: [WiFiReading] = []
        let hopeless = RadioModel.hopelessLevel(noiseSigma: sigmaDecibels)
        for (index, point) in building.accessPoints.enumerated() {
            guard var level = building.level(of: index, at: place, hopeless: hopeless)
            else { continue }
            level -= RadioModel.bodyLoss(from: point, to: place)
            level += offsetDecibels + noise(of: index, at: seconds, &random)
            let whole = min(Int(level.rounded()), 0)
            guard whole >= RadioModel.weakestHeard else { continue }
            readings.append(
                WiFiReading(
                    bssid: point.bssid, ssid: "simulated", rssi: whole,
                    frequency: point.frequency))
        }
        return readings
    }

    private mutating func noise(
        of point: Int, at seconds: Double, _ random: inout SimulationRandom
    ) -> Double {
        if noises[point] == nil {
            noises[point] = FadingNoise(
                sigma: sigmaDecibels, atSeconds: seconds, random: &random)
        }
        return noises[point]?.value(
            sigma: sigmaDecibels, atSeconds: seconds, random: &random) ?? 0
    }
}
