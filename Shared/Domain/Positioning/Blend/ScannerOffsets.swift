import Geometry

/// How much stronger or weaker each scanner of a survey hears than the others, found where several
/// of them heard the same transmitter, so that a map of many telephones reads like one of a single
/// one.
struct ScannerOffsets: Sendable {
    /// Metres; the side of the cells in which scanners are compared.
    static let cellMetres = 6.0
    /// Readings of one scanner and transmitter in a cell that count; more are one place still.
    static let mostReadings = 5.0
    /// Draws the offset of a scanner of which little is known towards 0, as so many readings.
    static let ridge = 20.0
    static let rounds = 30
    /// dB from the mean of all fingerprints, by the map's number; 0 for scanners that met no other.
    private let offsets: [Int32: Double]

    /// - Parameter fingerprints: of the map; only they are looked at.
    init(_ map: RadioMap, of fingerprints: [Int32]) {
        let meetings = Self.meetings(map, fingerprints)
        var offsets: [Int32: Double] = [:]
        var counts: [Int32: Double] = [:]
        for number in fingerprints {
            let scanner = map.fingerprints[Int(number)].scanner
            offsets[scanner] = 0
            counts[scanner, default: 0] += 1
        }
        for _ in 0..<(meetings.isEmpty ? 0 : Self.rounds) {
            var sums: [Int32: (sum: Double, weight: Double)] = [:]
            for meeting in meetings {
                var (total, weight) = (0.0, 0.0)
                for member in meeting {
                    total += member.weight * (member.mean - offsets[member.scanner]!)
                    weight += member.weight
                }
                let common = total / weight
                for member in meeting {
                    sums[member.scanner, default: (0, 0)].sum +=
                        member.weight * (member.mean - common)
                    sums[member.scanner]!.weight += member.weight
                }
            }
            for (scanner, sum) in sums { offsets[scanner] = sum.sum / (sum.weight + Self.ridge) }
        }
        // In one order, so that equal maps give equal sums.
        let scanners = offsets.keys.sorted()
        let mean =
            scanners.reduce(0) { $0 + offsets[$1]! * counts[$1]! }
            / Double(max(1, fingerprints.count))
        self.offsets = meetings.isEmpty ? [:] : offsets.mapValues { $0 - mean }
    }

    /// The reading as the mean of all scanners would have heard it, dBm.
    func corrected(_ rssi: Int8, scanner: Int32) -> Float {
        guard let offset = offsets[scanner] else { return Float(rssi) }
        return Float(min(max(Double(rssi) - offset, -110), -1))
    }

    private struct Member {
        let scanner: Int32
        /// dBm.
        let mean: Double
        let weight: Double
    }

    /// Where several scanners heard one transmitter in one cell.
    private static func meetings(_ map: RadioMap, _ fingerprints: [Int32]) -> [[Member]] {
        struct Key: Hashable {
            let floor: Int32
            let x: Int64
            let y: Int64
            let transmitter: Int32
            let scanner: Int32
        }
        var sums: [Key: (sum: Double, count: Double)] = [:]
        for number in fingerprints {
            let fingerprint = map.fingerprints[Int(number)]
            for position in map.readings(of: Int(number)) {
                let key = Key(
                    floor: fingerprint.floor,
                    x: Int64((fingerprint.point.x / cellMetres).rounded(.down)),
                    y: Int64((fingerprint.point.y / cellMetres).rounded(.down)),
                    transmitter: map.readingTransmitter[position], scanner: fingerprint.scanner)
                sums[key, default: (0, 0)].sum += Double(map.readingRSSI[position])
                sums[key]!.count += 1
            }
        }
        let sorted = sums.sorted { left, right in
            let (a, b) = (left.key, right.key)
            return (a.floor, a.x, a.y, a.transmitter, a.scanner)
                < (b.floor, b.x, b.y, b.transmitter, b.scanner)
        }
        var meetings: [[Member]] = []
        var last: Key?
        for (key, sum) in sorted {
            let member = Member(
                scanner: key.scanner, mean: sum.sum / sum.count,
                weight: min(sum.count, mostReadings))
            if let last, last.floor == key.floor, last.x == key.x, last.y == key.y,
                last.transmitter == key.transmitter
            {
                meetings[meetings.count - 1].append(member)
            } else {
                meetings.append([member])
            }
            last = key
        }
        return meetings.filter { $0.count > 1 }
    }
}
