import Events
public import Positioning

/// Finds addresses that are one radio: an access point that serves several networks has an address
/// for each, which differ in the last digit or in the first byte.
///
/// What counts is what surveys heard: members are heard together and about equally strong. The
/// radios of one access point for 2.4 and 5 GHz have addresses as near and are told apart by that.
public enum VirtualAccessPoints {
    /// dBm; one that is weaker is missed by chance.
    static let strongLevel = -80
    /// Of the surveys in which one is strong, the other is heard in at least this share.
    static let togetherShare = 0.9
    /// dB: the mean difference of strengths heard together, at most.
    static let largestDifference = 4.0
    static let fewestTogether = 10

    /// By the first member; members ascending, at least two.
    public static func groups(in map: RadioMap) -> [[Transmitter]] {
        var families: [UInt64: [Int]] = [:]
        for (number, transmitter) in map.transmitters.enumerated() {
            guard case .wifi(let address) = transmitter else { continue }
            // Without the first byte, which holds the bit of local administration, and the last
            // digit.
            families[address.value & 0x00FF_FFFF_FFF0, default: []].append(number)
        }
        let readings = readingsByTransmitter(of: map)
        var groups: [[Int]] = []
        for family in families.values where family.count > 1 {
            var open: [[Int]] = []
            for member in family {
                // A member of several groups joins them.
                let own = open.filter { group in
                    group.contains { areOneRadio(readings[$0], readings[member]) }
                }
                open.removeAll { own.contains($0) }
                open.append((own.flatMap { $0 } + [member]).sorted())
            }
            groups += open.filter { $0.count > 1 }
        }
        return groups.sorted { $0[0] < $1[0] }.map { group in
            group.map { map.transmitters[$0] }
        }
    }

    /// For each transmitter, what each fingerprint heard of it.
    private static func readingsByTransmitter(of map: RadioMap) -> [[Int32: Int]] {
        var readings = [[Int32: Int]](repeating: [:], count: map.transmitters.count)
        for fingerprint in map.fingerprints.indices {
            for position in map.readings(of: fingerprint) {
                readings[Int(map.readingTransmitter[position])][Int32(fingerprint)] =
                    Int(map.readingRSSI[position])
            }
        }
        return readings
    }

    private static func areOneRadio(_ one: [Int32: Int], _ other: [Int32: Int]) -> Bool {
        var strong = 0
        var together = 0
        var difference = 0
        for (heard, partner) in [(one, other), (other, one)] {
            for (fingerprint, rssi) in heard where rssi >= strongLevel {
                strong += 1
                guard let partnerRSSI = partner[fingerprint] else { continue }
                together += 1
                difference += abs(rssi - partnerRSSI)
            }
        }
        // Surveys in which both are strong are counted from both sides.
        return together >= 2 * fewestTogether
            && Double(together) >= togetherShare * Double(strong)
            && Double(difference) <= largestDifference * Double(together)
    }
}
