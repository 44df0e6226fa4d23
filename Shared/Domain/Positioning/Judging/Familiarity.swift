import Glibc

/// How strange a scan is to a radio map: how badly even the most similar survey explains it.
///
/// A scan from a building that nobody surveyed shares a few faint transmitters with the map, and
/// fits some survey by them. But most of its strength comes from transmitters that the map does not
/// know, and the survey's strong ones are missing.
enum Familiarity {
    /// The exponent that weighs strong readings more than weak ones. It is the literature's
    /// (`NearestNeighbours`).
    private static let exponent = M_E
    /// dBm; a reading this weak has no weight.
    private static let weakest = -105.0
    /// The share of a map's own held-out scans that are no stranger than its limit.
    static let usualShare = 0.98
    /// Scans of other days and phones are seldom beyond this, where half of the transmitters are
    /// new. Scans of other buildings are nearly always (docs/accuracy.md, section Strange scans).
    static let farMisfit = 0.65
    /// A scan with this misfit may have been made anywhere near the transmitters that it shares.
    static let fullMisfit = 0.8
    /// The limit of a map that has none. A Sorensen distance is at most 1.
    static let noLimit = 1.0

    /// The share of known transmitters in the weight of a scan.
    ///
    /// - Parameters:
    ///   - rssi: the strength of a reading, in dBm.
    ///   - isKnown: whether the map has the reading's transmitter.
    static func knownShare<Reading>(
        of readings: [Reading], rssi: (Reading) -> Double, isKnown: (Reading) -> Bool
    ) -> Double {
        var (known, all) = (0.0, 0.0)
        for reading in readings {
            let weight = pow(max(0, (rssi(reading) - weakest) / -weakest), exponent)
            all += weight
            if isKnown(reading) { known += weight }
        }
        return all > 0 ? known / all : 1
    }

    /// The Sorensen distance to a survey, as if the scan's unknown transmitters counted as missing
    /// in it. Scan and survey are taken to be equally strong.
    ///
    /// - Parameters:
    ///   - distance: the distance by known transmitters alone, from 0 to 1.
    ///   - knownShare: the share of known transmitters in the scan's weight.
    static func misfit(distance: Double, knownShare: Double) -> Double {
        1 - (1 - distance) * 2 * knownShare / (1 + knownShare)
    }

    /// The limit for these misfits of held-out scans; `noLimit` for too few.
    static func limit(_ misfits: [Double]) -> Double {
        guard misfits.count >= LeaveOutTrials.fewestOutcomes else { return noLimit }
        let sorted = misfits.sorted()
        return min(noLimit, sorted[Int((usualShare * Double(sorted.count - 1)).rounded(.up))])
    }

    /// From 0, up to `farMisfit`, to 1, from `fullMisfit` on.
    static func strangeness(_ misfit: Double) -> Double {
        min(max(0, (misfit - farMisfit) / (fullMisfit - farMisfit)), 1)
    }
}
