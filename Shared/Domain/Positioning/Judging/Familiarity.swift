import Glibc
import Site

/// How strange a scan is to a radio map: how badly even the most similar survey explains it.
///
/// A scan from a building that nobody surveyed shares some transmitters with the map, and fits some
/// survey by them. But its levels do not fit well, and the survey's strong ones are missing.
///
/// Transmitters that the map does not know count for little: they may be new. In later months half
/// of a library's were, and places were as good as before (docs/accuracy.md, section Strange
/// scans).
///
/// Only Wi-Fi tells it, and beacons beside it: other Bluetooth addresses are people's, and change.
struct Familiarity: Sendable {
    /// The exponent that weighs strong readings more than weak ones. It is the literature's
    /// (`NearestNeighbours`).
    private static let exponent = M_E
    /// dBm; a reading this weak has no weight.
    private static let weakest = -105.0
    /// The share of a map's own held-out scans that are no stranger than its limit.
    static let usualShare = 0.98
    /// With fewer parts that were left out, none of them can be told from the usual.
    static let fewestParts = 3
    /// How much an unknown transmitter counts as missing: 1 would count it in full, 0 not at all.
    static let unknownPower = 0.25
    /// Scans of other days and phones are seldom beyond this, where half of the transmitters are
    /// new. Scans of other buildings are nearly always (docs/accuracy.md, section Strange scans).
    static let farMisfit = 0.6
    /// A scan with this misfit may have been made anywhere near the transmitters that it shares.
    static let fullMisfit = 0.8
    /// The limit of a map that has none. A Sorensen distance is at most 1.
    static let noLimit = 1.0

    private let hasBeacons: Bool
    private let rules: AccessPointRules

    /// Nil for a map of which nothing tells it.
    ///
    /// - Parameter rules: the site's rules of which access points may be used.
    init?(_ transmitters: [Transmitter], rules: AccessPointRules = AccessPointRules()) {
        var (hasWiFi, hasBeacons) = (false, false)
        for transmitter in transmitters {
            switch transmitter {
            case .wifi: hasWiFi = true
            case .beacon: hasBeacons = true
            case .bluetooth, .node: return nil
            }
        }
        guard hasWiFi else { return nil }
        self.hasBeacons = hasBeacons
        self.rules = rules
    }

    /// The share of known transmitters in the weight of a scan. Nil for a scan that lacks a kind of
    /// transmitters that the map has, as of a telephone without Bluetooth: it resembles no survey.
    ///
    /// - Parameter heard: a reading's transmitter, whether the map has it, and its strength in dBm.
    func knownShare<Reading>(
        of readings: [Reading],
        _ heard: (Reading) -> (transmitter: Transmitter, isKnown: Bool, rssi: Double)
    ) -> Double? {
        var (known, unknown) = (0.0, 0.0)
        var (hasWiFi, hasBeacons) = (false, false)
        for reading in readings {
            let (transmitter, isKnown, rssi) = heard(reading)
            switch transmitter {
            case .wifi: hasWiFi = true
            case .beacon: hasBeacons = hasBeacons || isKnown
            case .bluetooth, .node: break
            }
            guard isKnown || couldBeKnown(transmitter) else { continue }
            let strength = max(0, (rssi - Self.weakest) / -Self.weakest)
            let weight = pow(strength, Self.exponent)
            if isKnown { known += weight } else { unknown += weight }
        }
        guard hasWiFi, hasBeacons || !self.hasBeacons else { return nil }
        return known + unknown > 0 ? known / (known + unknown) : nil
    }

    /// Whether a survey there would have brought the transmitter into the map. Where rules name the
    /// site's own networks, others are in no map, and a scan may hold them or not.
    private func couldBeKnown(_ transmitter: Transmitter) -> Bool {
        guard case .wifi(let address) = transmitter else { return false }
        return rules.allow.isEmpty && !rules.deny.contains { $0.fits(address) }
    }

    /// The Sorensen distance to a survey, as if the scan's unknown transmitters were missing in it,
    /// in part. Scan and survey are taken to be equally strong. If `unknownPower` is 1, it is the
    /// distance by all transmitters.
    ///
    /// - Parameters:
    ///   - distance: the distance by known transmitters alone, from 0 to 1.
    ///   - knownShare: the share of known transmitters in the scan's weight.
    static func misfit(
        distance: Double, knownShare: Double, unknownPower: Double = unknownPower
    ) -> Double {
        1 - (1 - distance) * pow(2 * knownShare / (1 + knownShare), unknownPower)
    }

    /// The limit for these misfits of held-out scans, by the part that was left out; `noLimit` for
    /// too few. One scan is always beyond it, since it may be of a survey at a wrong place.
    ///
    /// A phone may be the only one that surveyed a wing. When it is left out, its scans are as
    /// strange as those of another building. So it is the median of the parts' own limits, where
    /// that is smaller.
    static func limit(_ misfits: [[Double]]) -> Double {
        let all = misfits.flatMap(\.self)
        guard all.count >= LeaveOutTrials.fewestOutcomes else { return noLimit }
        let parts = misfits.filter { $0.count >= LeaveOutTrials.fewestOutcomes }
        guard parts.count >= fewestParts else { return usual(all) }
        return min(usual(all), parts.map(usual).sorted()[parts.count / 2])
    }

    /// The misfit that the usual share of these does not exceed.
    private static func usual(_ misfits: [Double]) -> Double {
        let index = Int((usualShare * Double(misfits.count - 1)).rounded(.up))
        return min(noLimit, misfits.sorted()[min(index, misfits.count - 2)])
    }
}
