import Numbers

/// Changes a fingerprint into what another telephone might have received on another day.
///
/// The figures are estimates of the changes between two sessions. The telephone's offset changes,
/// transmitters and obstacles move, and a scan misses some transmitters by chance.
struct Disturbance {
    /// dB; the deviation of the one offset of all readings.
    static let offsetDeviation: Float = 2
    /// dB; the deviation of each transmitter's offset.
    static let transmitterDeviation: Float = 4
    /// The share of readings that are dropped.
    static let lostShare = 0.1
    /// dB; the deviation of each reading when the scan is a copy of a survey.
    static let copyDeviation: Float = 4

    private let offset: Float
    private let transmitterOffsets: [Float]

    /// Draws the disturbance of all scans of a fold: they are of one session.
    init(transmitters: Int, random: inout SplitMix64) {
        offset = Self.offsetDeviation * random.normal()
        transmitterOffsets = (0..<transmitters).map { _ in
            Self.transmitterDeviation * random.normal()
        }
    }

    func apply(
        to readings: inout [NumberedReading], isCopy: Bool, random: inout SplitMix64
    ) {
        readings.removeAll { _ in random.share() < Self.lostShare }
        for index in readings.indices {
            var rssi = readings[index].rssi + offset
            rssi += transmitterOffsets[Int(readings[index].transmitter)]
            if isCopy { rssi += Self.copyDeviation * random.normal() }
            readings[index].rssi = min(max(rssi.rounded(), -120), -1)
        }
    }
}

extension SplitMix64 {
    /// A uniform random number from 0 up to 1.
    mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A normal random number with mean 0 and deviation 1 (`NormalNumbers`).
    mutating func normal() -> Float { NormalNumbers.normal(share(), share()) }
}
