import Positioning

/// What was heard once, for comparing: transmitters by their number in a map, ascending. Those that
/// the map doesn't know have numbers of their own, beyond it.
struct HeardSignals {
    /// dBm: what is weaker in both is heard or not by chance.
    private static let strongLevel = -85.0
    /// dBm: in place of what was not heard.
    private static let unheardLevel = -95.0
    /// dB: a difference that is larger says no more.
    private static let mostDifference = 30.0
    /// dB: telephones hear all stronger or weaker than others by so much.
    private static let mostOffset = 8.0
    private static let fewestShared = 3

    private var readings: [(transmitter: Int64, rssi: Double)] = []

    init(_ scan: RadioScan, _ numbers: [Transmitter: Int32]) {
        for reading in scan.readings {
            // A transmitter that no map knows is the same one in two scans.
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

    /// What the map knows of it: of a transmitter that is new since, it says nothing for any place.
    var known: HeardSignals {
        var signals = self
        signals.readings.removeAll { $0.transmitter >= Self.firstUnknown }
        return signals
    }

    private static let firstUnknown: Int64 = 1 << 40

    /// The strongest that the map knows.
    var strongest: Int32? {
        readings.lazy.filter { $0.transmitter < Self.firstUnknown }.max { $0.rssi < $1.rssi }
            .map { Int32($0.transmitter) }
    }

    /// dB: the mean difference over what is strong in either, each at most 30, once the offset of
    /// the two telephones is taken away.
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
