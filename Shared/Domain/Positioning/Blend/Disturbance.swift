import Glibc
import Numbers

/// Makes of a fingerprint what another telephone might have heard on another day.
///
/// The figures are a guess at what changes between two sessions: the telephone's offset, where
/// transmitters stand and what stands before them, and which of them a scan happens to miss.
struct Disturbance {
    /// dB; one offset for all readings.
    static let offsetDeviation: Float = 2
    /// dB; one for each transmitter.
    static let transmitterDeviation: Float = 4
    /// The share of readings that is lost.
    static let lostShare = 0.1
    /// dB; one for each reading of a copied survey.
    static let copyDeviation: Float = 4

    private let offset: Float
    private let transmitterOffsets: [Float]

    /// One for all scans of a fold: they are of one session.
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
    /// 0 up to 1.
    mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Mean 0, deviation 1 (Box and Muller 1958).
    mutating func normal() -> Float {
        let radius = (-2 * log(1 - share())).squareRoot()
        return Float(radius * cos(2 * .pi * share()))
    }
}
