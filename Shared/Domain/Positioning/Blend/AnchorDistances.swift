import Glibc

/// A reading of a transmitter that the map knows.
struct NumberedReading: Hashable, Sendable {
    /// Into the map's transmitters.
    var transmitter: Int32
    /// dBm.
    var rssi: Float
}

/// How unlike a scan is to each anchor: the mean Sorensen distance to the few fingerprints of the anchor
/// that are most like it, for four ways at once of counting strong readings more than weak ones.
///
/// A strength is ((rssi - minimum) / -minimum)^exponent, silence 0, with the minimum one below the
/// weakest reading of the map (`SignalRepresentation.powed`).
struct AnchorDistances: Sendable {
    /// One distance for each of `exponents`.
    typealias Lanes = SIMD4<Float>

    /// What the literature recommends for UJIIndoorLoc last (Torres-Sospedra et al. 2015, table 4).
    static let exponents: [Double] = [1, 1.5, 2, M_E]
    /// Fingerprints of an anchor that count. Found on the training part of UJIIndoorLoc.
    static let nearest = 5

    private let anchors: Anchors
    /// The strengths of each whole dBm from -128 to 0, at rssi + 128.
    private let strengths: [Lanes]
    /// For each row of the anchors the sum of its strengths.
    private let totals: [Lanes]
    /// The rows that heard each transmitter, one list after another.
    private let postingStart: [Int32]
    private let postings: [Posting]
    /// The anchors with such rows.
    private let heardStart: [Int32]
    private let heard: [Int32]

    private struct Posting {
        /// A position in the anchors' rows.
        let row: Int32
        /// rssi + 128
        let level: UInt8
    }

    init(_ map: RadioMap, _ anchors: Anchors) {
        var weakest = Int8.max
        for row in anchors.rows {
            for position in map.readings(of: Int(row)) {
                weakest = min(weakest, map.readingRSSI[position])
            }
        }
        let minimum = Double(weakest == Int8.max ? -100 : weakest) - 1
        let strengths = (-128...0).map { rssi in
            var lanes = Lanes()
            for (lane, exponent) in Self.exponents.enumerated() {
                let powed = SignalRepresentation.powed(exponent: exponent)
                lanes[lane] = Float(powed.value(rssi: Double(rssi), minimum: minimum))
            }
            return lanes
        }
        var lists = [[Posting]](repeating: [], count: map.transmitters.count)
        var heardLists = [[Int32]](repeating: [], count: map.transmitters.count)
        var totals = [Lanes](repeating: Lanes(), count: anchors.rows.count)
        for anchor in 0..<anchors.count {
            for row in anchors.rows(of: anchor) {
                for position in map.readings(of: Int(anchors.rows[row])) {
                    let transmitter = Int(map.readingTransmitter[position])
                    let level = UInt8(Int(map.readingRSSI[position]) + 128)
                    lists[transmitter].append(Posting(row: Int32(row), level: level))
                    totals[row] += strengths[Int(level)]
                    if heardLists[transmitter].last != Int32(anchor) {
                        heardLists[transmitter].append(Int32(anchor))
                    }
                }
            }
        }
        self.anchors = anchors
        self.strengths = strengths
        self.totals = totals
        postingStart = starts(of: lists)
        postings = lists.flatMap { $0 }
        heardStart = starts(of: heardLists)
        heard = heardLists.flatMap { $0 }
    }

    /// Whether any row heard the transmitter.
    func knows(_ transmitter: Int32) -> Bool {
        postingStart[Int(transmitter)] < postingStart[Int(transmitter) + 1]
    }

    /// Puts the anchors that share a transmitter with the readings into `scratch.touchedAnchors` and
    /// their distances into `scratch.anchorDistances`; all other anchors are at distance 1.
    func find(_ readings: [NumberedReading], scratch: inout PositionerScratch) {
        scratch.fit(rows: anchors.rows.count, anchors: anchors.count)
        scratch.touchedAnchors.removeAll(keepingCapacity: true)
        var total = Lanes()
        for reading in readings {
            let strength = strength(reading.rssi)
            total += strength
            let transmitter = Int(reading.transmitter)
            let range = Int(postingStart[transmitter])..<Int(postingStart[transmitter + 1])
            add(strength, range, &scratch.rowScores)
            for position in Int(heardStart[transmitter])..<Int(heardStart[transmitter + 1]) {
                let anchor = Int(heard[position])
                guard !scratch.isTouched[anchor] else { continue }
                scratch.isTouched[anchor] = true
                scratch.touchedAnchors.append(Int32(anchor))
            }
        }
        for anchor in scratch.touchedAnchors {
            scratch.isTouched[Int(anchor)] = false
            scratch.anchorDistances[Int(anchor)] = distances(
                Int(anchor), total, &scratch.rowScores)
        }
    }

    /// Interpolated between whole dBm: disturbed readings are not whole.
    private func strength(_ rssi: Float) -> Lanes {
        let level = min(max(rssi + 128, 0), 128)
        let below = Int(level)
        let share = level - Float(below)
        guard share > 0 else { return strengths[below] }
        return strengths[below] * (1 - share) + strengths[below + 1] * share
    }

    private func add(_ strength: Lanes, _ range: Range<Int>, _ scores: inout [Lanes]) {
        postings.withUnsafeBufferPointer { postings in
            strengths.withUnsafeBufferPointer { strengths in
                scores.withUnsafeMutableBufferPointer { scores in
                    for position in range {
                        let posting = postings[position]
                        let other = strengths[Int(posting.level)]
                        scores[Int(posting.row)] += smaller(strength, other)
                    }
                }
            }
        }
    }

    /// Of one anchor; its scores are cleared.
    private func distances(_ anchor: Int, _ total: Lanes, _ scores: inout [Lanes]) -> Lanes {
        let range = anchors.rows(of: anchor)
        // Silent rows are at distance 1, so an anchor begins with as many of these as count.
        let one = Lanes(repeating: 1)
        var (first, second, third, fourth, fifth) = (one, one, one, one, one)
        scores.withUnsafeMutableBufferPointer { scores in
            totals.withUnsafeBufferPointer { totals in
                for row in range {
                    let shared = scores[row]
                    guard shared[0] > 0 else { continue }
                    scores[row] = Lanes()
                    var distance = larger(one - 2 * shared / (total + totals[row]), Lanes())
                    guard any(distance .< fifth) else { continue }
                    (first, distance) = sorted(first, distance)
                    (second, distance) = sorted(second, distance)
                    (third, distance) = sorted(third, distance)
                    (fourth, distance) = sorted(fourth, distance)
                    fifth = smaller(fifth, distance)
                }
            }
        }
        switch range.count {
        case 1: return first
        case 2: return (first + second) / 2
        case 3: return (first + second + third) / 3
        case 4: return (first + second + third + fourth) / 4
        default: return (first + second + third + fourth + fifth) / Float(Self.nearest)
        }
    }
}

@inline(__always)
private func sorted(
    _ left: SIMD4<Float>, _ right: SIMD4<Float>
) -> (smaller: SIMD4<Float>, larger: SIMD4<Float>) {
    (smaller(left, right), larger(left, right))
}

// pointwiseMin and pointwiseMax of the standard library go lane by lane.
@inline(__always)
private func smaller(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .< left)
}

@inline(__always)
private func larger(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .> left)
}

/// Where each list begins when all are put one after another; one more for the end.
func starts<Element>(of lists: [[Element]]) -> [Int32] {
    lists.reduce(into: [0]) { $0.append($0.last! + Int32($1.count)) }
}
