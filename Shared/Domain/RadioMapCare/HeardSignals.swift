import Positioning

/// One scan's readings for comparison, by the number of their transmitters in a map, ascending.
/// Transmitters that are not in the map have numbers of their own beyond it.
struct HeardSignals {
    /// dBm; a transmitter that is weaker in both scans is received or missed by chance.
    static let strongLevel = -85.0
    /// dBm; the level that stands for a missing reading.
    static let unheardLevel = -95.0
    /// dB; larger differences count as this.
    static let mostDifference = 30.0
    /// dB; the largest offset between two telephones that is removed.
    private static let mostOffset = 8.0
    private static let fewestShared = 3

    private var readings: [(transmitter: Int64, rssi: Double)] = []

    init(_ scan: RadioScan, _ numbers: [Transmitter: Int32]) {
        for reading in scan.readings {
            // A transmitter outside of the map has the same number in every scan.
            let number =
                numbers[reading.transmitter].map(Int64.init)
                ?? Self.firstUnknown | Int64(reading.transmitter.hashValue & 0xFF_FFFF_FFFF)
            readings.append((number, Double(reading.rssi)))
        }
        readings.sort { $0.transmitter < $1.transmitter }
    }

    init(_ map: RadioMap, _ fingerprint: Int) {
        let range = map.readings(of: fingerprint)
        readings.reserveCapacity(range.count)
        for position in range {
            readings.append(
                (Int64(map.readingTransmitter[position]), Double(map.readingRSSI[position])))
        }
    }

    var isEmpty: Bool { readings.isEmpty }

    /// Only the readings of transmitters in the map. A transmitter that is newer than the map
    /// supports no place.
    var known: HeardSignals {
        var signals = self
        signals.readings.removeAll { $0.transmitter >= Self.firstUnknown }
        return signals
    }

    private static let firstUnknown: Int64 = 1 << 40

    /// The strongest transmitter that is in the map.
    var strongest: Int32? {
        readings.lazy.filter { $0.transmitter < Self.firstUnknown }.max { $0.rssi < $1.rssi }
            .map { Int32($0.transmitter) }
    }

    /// The mean difference in dB over transmitters that are strong in either scan. Each difference
    /// is at most 30, after removing the offset between the two telephones.
    func distance(to other: HeardSignals) -> Double {
        let offset = offset(to: other)
        var (sum, count) = (0.0, 0)
        forEachPair(other) { own, theirs in
            guard max(own ?? -200, theirs ?? -200) >= Self.strongLevel else { return }
            let difference =
                own == nil || theirs == nil
                ? abs((own ?? theirs ?? 0) - Self.unheardLevel)
                : abs((own ?? 0) - (theirs ?? 0) - offset)
            sum += min(difference, Self.mostDifference)
            count += 1
        }
        return count == 0 ? 0 : sum / Double(count)
    }

    private func offset(to other: HeardSignals) -> Double {
        var (sum, count) = (0.0, 0)
        forEachPair(other) { own, theirs in
            guard let own, let theirs, max(own, theirs) >= Self.strongLevel else { return }
            sum += own - theirs
            count += 1
        }
        guard count >= Self.fewestShared else { return 0 }
        return min(max(sum / Double(count), -Self.mostOffset), Self.mostOffset)
    }

    private func forEachPair(_ other: HeardSignals, _ body: (Double?, Double?) -> Void) {
        var (left, right) = (0, 0)
        while left < readings.count || right < other.readings.count {
            let own = left < readings.count ? readings[left].transmitter : .max
            let theirs = right < other.readings.count ? other.readings[right].transmitter : .max
            body(
                own <= theirs ? readings[left].rssi : nil,
                theirs <= own ? other.readings[right].rssi : nil)
            if own <= theirs { left += 1 }
            if theirs <= own { right += 1 }
        }
    }
}
