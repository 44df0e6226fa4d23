import Events
public import Positioning

/// Finds addresses that belong to one radio. An access point that serves several networks has an
/// address for each; they differ in the last digit or in the first byte.
///
/// The surveys decide: addresses of one radio are received together and about equally strong. An
/// access point's radios for 2.4 and 5 GHz have similar addresses too, but are not received like
/// that.
public enum VirtualAccessPoints {
    /// dBm; weaker addresses are missed by chance.
    static let strongLevel = -80
    /// The smallest share of the surveys with one address strong in which the other is received.
    static let togetherShare = 0.9
    /// The largest mean difference of strengths received together, in dB.
    static let largestDifference = 4.0
    static let fewestTogether = 10

    /// The groups by their first member. Each has at least two members, ascending.
    public static func groups(in map: RadioMap) -> [[Transmitter]] {
        var families: [UInt64: [Int]] = [:]
        for (number, transmitter) in map.transmitters.enumerated() {
            guard case .wifi(let address) = transmitter else { continue }
            // The first byte has the bit of local administration, so it is left out, and so is the
            // last digit.
            families[address.value & 0x00FF_FFFF_FFF0, default: []].append(number)
        }
        let readings = readingsByTransmitter(of: map)
        var groups: [[Int]] = []
        for family in families.values where family.count > 1 {
            var open: [[Int]] = []
            for member in family {
                // A member of several groups joins them into one.
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

    /// For each transmitter, its strength in each fingerprint.
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
        // Surveys in which both addresses are strong are counted twice, once for each.
        return together >= 2 * fewestTogether
            && Double(together) >= togetherShare * Double(strong)
            && Double(difference) <= largestDifference * Double(together)
    }
}
