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
    /// The strengths of each half dBm from -128 to 0, at 2 x (rssi + 128).
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
        /// 2 x (rssi + 128)
        let level: UInt16
    }

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        var weakest: Float = 0
        var readings: [NumberedReading] = []
        for row in anchors.rows {
            surveys.readings(of: row, into: &readings)
            for reading in readings { weakest = min(weakest, reading.rssi) }
        }
        let minimum = Double(weakest < 0 ? weakest : -100) - 1
        let strengths = (0...256).map { level in
            var lanes = Lanes()
            for (lane, exponent) in Self.exponents.enumerated() {
                let powed = SignalRepresentation.powed(exponent: exponent)
                lanes[lane] = Float(
                    powed.value(rssi: Double(level) / 2 - 128, minimum: minimum))
            }
            return lanes
        }
        let transmitterCount = surveys.map.transmitters.count
        var lists = [[Posting]](repeating: [], count: transmitterCount)
        var heardLists = [[Int32]](repeating: [], count: transmitterCount)
        var totals = [Lanes](repeating: Lanes(), count: anchors.rows.count)
        for anchor in 0..<anchors.count {
            for row in anchors.rows(of: anchor) {
                surveys.readings(of: anchors.rows[row], into: &readings)
                for reading in readings {
                    let transmitter = Int(reading.transmitter)
                    let level = UInt16(((reading.rssi + 128) * 2).rounded())
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

    /// Puts the anchors that share a transmitter with the readings into `scratch.touchedAnchors`.
    func touch(_ readings: [NumberedReading], scratch: inout PositionerScratch) {
        scratch.fit(rows: anchors.rows.count, anchors: anchors.count)
        scratch.touchedAnchors.removeAll(keepingCapacity: true)
        for reading in readings {
            let transmitter = Int(reading.transmitter)
            for position in Int(heardStart[transmitter])..<Int(heardStart[transmitter + 1]) {
                let anchor = Int(heard[position])
                guard !scratch.isTouched[anchor] else { continue }
                scratch.isTouched[anchor] = true
                scratch.touchedAnchors.append(Int32(anchor))
            }
        }
        for anchor in scratch.touchedAnchors { scratch.isTouched[Int(anchor)] = false }
    }

    /// Puts the distances of the touched anchors into `scratch.anchorDistances`, and the rows nearest by
    /// each of `lanes` into `scratch.nearestRows`; all other anchors are at distance 1.
    ///
    /// - Parameters:
    ///   - readings: of the same transmitters as those that touched the anchors.
    ///   - keepsRows: whether `scratch.rowDistances` gets the distance of each row, by the exponent of
    ///     `KernelRidge`.
    func find(
        _ readings: [NumberedReading], lanes: Range<Int>, keepsRows: Bool = false,
        scratch: inout PositionerScratch
    ) {
        if keepsRows {
            let count = anchors.rows.count
            scratch.rowDistances.removeAll(keepingCapacity: true)
            scratch.rowDistances.append(contentsOf: repeatElement(1, count: count))
        }
        var total = Lanes()
        for reading in readings {
            let strength = strength(reading.rssi)
            total += strength
            let transmitter = Int(reading.transmitter)
            let range = Int(postingStart[transmitter])..<Int(postingStart[transmitter + 1])
            add(strength, range, &scratch.rowScores)
        }
        if scratch.nearestRows.count != Lanes.scalarCount {
            scratch.nearestRows = [NearestRows](repeating: NearestRows(), count: Lanes.scalarCount)
        }
        for lane in lanes { scratch.nearestRows[lane].removeAll() }
        for anchor in scratch.touchedAnchors {
            scratch.anchorDistances[Int(anchor)] = distances(
                Int(anchor), total, lanes, keepsRows, &scratch)
        }
    }

    /// Interpolated between half dBm: corrected readings are anything.
    private func strength(_ rssi: Float) -> Lanes {
        let level = min(max((rssi + 128) * 2, 0), 256)
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
    private func distances(
        _ anchor: Int, _ total: Lanes, _ lanes: Range<Int>, _ keepsRows: Bool,
        _ scratch: inout PositionerScratch
    ) -> Lanes {
        let range = anchors.rows(of: anchor)
        // Silent rows are at distance 1, so an anchor begins with as many of these as count.
        let one = Lanes(repeating: 1)
        var (first, second, third, fourth, fifth) = (one, one, one, one, one)
        scratch.rowScores.withUnsafeMutableBufferPointer { scores in
            totals.withUnsafeBufferPointer { totals in
                for row in range {
                    let shared = scores[row]
                    guard shared[0] > 0 else { continue }
                    scores[row] = Lanes()
                    var distance = larger(one - 2 * shared / (total + totals[row]), Lanes())
                    if keepsRows { scratch.rowDistances[row] = distance[KernelRidge.exponent] }
                    for lane in lanes where distance[lane] < scratch.nearestRows[lane].limit {
                        scratch.nearestRows[lane].insert(row, distance[lane])
                    }
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

/// The few rows nearest to a scan, nearest first.
struct NearestRows: Sendable {
    /// As many as `NearestNeighbours` takes.
    static let most = NearestNeighbours.neighbourCount

    private(set) var rows: [(row: Int32, distance: Float)] = []
    /// Only nearer rows have a place in the list.
    private(set) var limit = Float.infinity

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        limit = .infinity
    }

    mutating func insert(_ row: Int, _ distance: Float) {
        if rows.count == Self.most { rows.removeLast() }
        var position = rows.count
        while position > 0, distance < rows[position - 1].distance { position -= 1 }
        rows.insert((Int32(row), distance), at: position)
        if rows.count == Self.most { limit = rows[Self.most - 1].distance }
    }
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
