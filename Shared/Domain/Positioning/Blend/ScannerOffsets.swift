import Geometry

/// How much stronger or weaker each scanner of a survey receives than the others. It is measured
/// where several of them received the same transmitter. With the offsets removed, a map of many
/// telephones looks like one of a single telephone.
struct ScannerOffsets: Sendable {
    /// The side of the cells in which scanners are compared, in metres.
    static let cellMetres = 6.0
    /// The most readings of one scanner and transmitter in a cell that count. More of them are
    /// still of one place.
    static let mostReadings = 5.0
    /// The number of readings of offset 0 that each scanner is given. They draw the offset of a
    /// scanner with little data towards 0.
    static let ridge = 20.0
    static let rounds = 30
    /// dB from the mean of all fingerprints, by scanner number; 0 for scanners that met no other.
    private let offsets: [Int32: Double]

    /// - Parameter fingerprints: the indices of the map's fingerprints that are used.
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
        // The order is fixed, so that equal maps give equal sums.
        let scanners = offsets.keys.sorted()
        let mean =
            scanners.reduce(0) { $0 + offsets[$1]! * counts[$1]! }
            / Double(max(1, fingerprints.count))
        self.offsets = meetings.isEmpty ? [:] : offsets.mapValues { $0 - mean }
    }

    /// The reading that an average scanner would have made, in dBm.
    func corrected(_ rssi: Int8, scanner: Int32) -> Float {
        guard let offset = offsets[scanner] else { return Float(rssi) }
        return Float(min(max(Double(rssi) - offset, -110), -1))
    }

    private struct Member {
        let scanner: Int32
        /// The mean reading, in dBm.
        let mean: Double
        let weight: Double
    }

    /// Groups of scanners that received one transmitter in one cell.
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
