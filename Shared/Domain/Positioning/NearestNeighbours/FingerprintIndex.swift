import Glibc

/// A fingerprint that is similar to the scan.
struct Neighbour: Hashable, Sendable {
    let fingerprint: Int32
    /// The distance to the scan; 0 for equal readings.
    let distance: Float

    /// Whether this neighbour comes before the other: by distance, then by number.
    func isNearer(than other: Neighbour) -> Bool {
        (distance, fingerprint) < (other.distance, other.fingerprint)
    }
}

/// Finds the fingerprints nearest to a scan. It only looks at those that share a transmitter with
/// the scan.
///
/// Each `SignalDistance` is a function of sums over one fingerprint, known in advance, and of one
/// sum over the shared transmitters. An inverted index computes that sum. Strengths are counted
/// from silence, so that a transmitter received by only one side adds nothing: min(a, b) = a b = 0.
/// For strengths a and b above silence, |a - b| = a + b - 2 min(a, b) and (a - b)^2 = a^2 + b^2 - 2
/// a b. The value of silence itself enters the sums over all transmitters of the map as a constant.
struct FingerprintIndex: Sendable {
    let distance: SignalDistance
    let transmitters: TransmitterNumbers
    /// The strength above silence of each RSSI from -128 to 0 dBm, at index rssi + 128.
    private let strengthByRSSI: [Float]
    /// For each fingerprint, the sum of its strengths.
    private let totals: [Float]
    /// For each fingerprint, the sum of its squared strengths.
    private let squares: [Float]
    private let start: [Int32]
    private let fingerprints: [Int32]
    private let strengths: [Float]
    /// The value of silence in the signal representation.
    private let silence: Double

    init(_ map: RadioMap, representation: SignalRepresentation, distance: SignalDistance) {
        let minimum = Double(map.readingRSSI.min() ?? -100) - 1
        let silence = representation.silence(minimum: minimum)
        let strengthByRSSI: [Float] = (-128...0).map { rssi in
            Float(representation.value(rssi: Double(rssi), minimum: minimum) - silence)
        }
        let start = map.readingStartByTransmitter
        var next = start
        var fingerprints = [Int32](repeating: 0, count: map.readingTransmitter.count)
        var strengths = [Float](repeating: 0, count: map.readingTransmitter.count)
        var totals = [Float](repeating: 0, count: map.fingerprints.count)
        var squares = [Float](repeating: 0, count: map.fingerprints.count)
        for fingerprint in map.fingerprints.indices {
            for position in map.readings(of: fingerprint) {
                let transmitter = Int(map.readingTransmitter[position])
                let strength = strengthByRSSI[Int(map.readingRSSI[position]) + 128]
                fingerprints[Int(next[transmitter])] = Int32(fingerprint)
                strengths[Int(next[transmitter])] = strength
                next[transmitter] += 1
                totals[fingerprint] += strength
                squares[fingerprint] += strength * strength
            }
        }
        self.distance = distance
        self.strengthByRSSI = strengthByRSSI
        self.start = start
        self.fingerprints = fingerprints
        self.strengths = strengths
        self.totals = totals
        self.squares = squares
        self.silence = silence
        transmitters = TransmitterNumbers(map)
    }

    /// Puts the `count` nearest fingerprints into `scratch.neighbours`, nearest first. The scan's
    /// strengths are left in `scratch.strengths`; call `forget` to clear them. Transmitters that
    /// are not in the map are ignored.
    ///
    /// - Parameter isLeftOut: whether a fingerprint must not be used.
    func findNearest(
        _ count: Int, to scan: RadioScan, scratch: inout NeighbourScratch,
        isLeftOut: ((Int) -> Bool)? = nil
    ) {
        let (sums, touched) = score(scan, &scratch)
        for position in 0..<touched {
            let neighbour = neighbour(at: position, sums, &scratch)
            if scratch.neighbours.count == count,
                !neighbour.isNearer(than: scratch.neighbours[count - 1])
            {
                continue
            }
            if let isLeftOut, isLeftOut(Int(neighbour.fingerprint)) { continue }
            insert(neighbour, keeping: count, into: &scratch.neighbours)
        }
    }

    /// Puts all fingerprints that share a transmitter with the scan into `scratch.neighbours`, in
    /// no order.
    ///
    /// - Returns: the number of readings whose transmitter is in the map.
    func findDistances(to scan: RadioScan, scratch: inout NeighbourScratch) -> Int {
        let (sums, touched) = score(scan, &scratch)
        for position in 0..<touched {
            scratch.neighbours.append(neighbour(at: position, sums, &scratch))
        }
        forget(&scratch)
        return scan.readings.count { transmitters[$0.transmitter] != nil }
    }

    /// Sums up the strengths that fingerprints share with the scan; also returns how many share
    /// any.
    private func score(
        _ scan: RadioScan, _ scratch: inout NeighbourScratch
    ) -> (sums: Sums, touched: Int) {
        scratch.fit(fingerprints: totals.count, transmitters: start.count - 1)
        scratch.neighbours.removeAll(keepingCapacity: true)
        scratch.heard.removeAll(keepingCapacity: true)
        scratch.heard.reserveCapacity(scan.readings.count)
        var total: Float = 0
        var square: Float = 0
        var touched = 0
        for reading in scan.readings {
            guard let number = transmitters[reading.transmitter] else { continue }
            let strength = strengthByRSSI[Int(reading.rssi) + 128]
            // A strength of 0, where rounding lost the rest, shares nothing.
            guard strength > 0 else { continue }
            scratch.strengths[Int(number)] = strength
            scratch.heard.append(number)
            total += strength
            square += strength * strength
            let range = Int(start[Int(number)])..<Int(start[Int(number) + 1])
            touched =
                distance.sharesMinimum
                ? addScores(range, touched, &scratch) { min(strength, $0) }
                : addScores(range, touched, &scratch) { strength * $0 }
        }
        return (Sums(total: total, square: square), touched)
    }

    /// The fingerprint at a position of the touched list as a neighbour; clears its score.
    private func neighbour(
        at position: Int, _ sums: Sums, _ scratch: inout NeighbourScratch
    ) -> Neighbour {
        let fingerprint = scratch.touched[position]
        let shared = scratch.scores[Int(fingerprint)]
        scratch.scores[Int(fingerprint)] = 0
        return Neighbour(
            fingerprint: fingerprint,
            distance: distance(of: Int(fingerprint), from: sums, shared: shared))
    }

    /// Clears the scan's strengths.
    func forget(_ scratch: inout NeighbourScratch) {
        for number in scratch.heard { scratch.strengths[Int(number)] = 0 }
    }

    /// Sums of a scan, over the transmitters that are in the map.
    private struct Sums {
        var total: Float
        var square: Float
    }

    /// The distance of the fingerprint. When every reading is as strong as possible, some divisors
    /// are 0. Scan and fingerprint count as equal then.
    @inline(__always)
    private func distance(of fingerprint: Int, from scan: Sums, shared: Float) -> Float {
        let total = scan.total + totals[fingerprint]
        switch distance {
        case .sorensen where silence == 0:
            return max(0, 1 - 2 * shared / total)
        case .sorensen:
            let apart = Double(total - 2 * shared)
            let all = abs(Double(total) + 2 * silence * transmitterCount)
            return all > 0 ? Float(max(0, apart) / all) : 0
        case .manhattan: return max(0, total - 2 * shared)
        case .euclidean:
            return max(0, scan.square + squares[fingerprint] - 2 * shared).squareRoot()
        case .cosine:
            let base = silence * silence * transmitterCount
            let product = Double(shared) + silence * Double(total) + base
            let scanLength = Double(scan.square) + 2 * silence * Double(scan.total) + base
            let ownTotal = Double(totals[fingerprint])
            let ownLength = Double(squares[fingerprint]) + 2 * silence * ownTotal + base
            let lengths = scanLength * ownLength
            return lengths > 0 ? Float(max(0, 1 - product / lengths.squareRoot())) : 0
        }
    }

    private var transmitterCount: Double { Double(start.count - 1) }

    /// Adds the shared strength of one transmitter to the score of every fingerprint that received
    /// it. Returns the number of fingerprints that have a score now.
    @inline(__always)
    private func addScores(
        _ range: Range<Int>, _ touchedSoFar: Int, _ scratch: inout NeighbourScratch,
        shared: (Float) -> Float
    ) -> Int {
        var touchedCount = touchedSoFar
        fingerprints.withUnsafeBufferPointer { fingerprints in
            strengths.withUnsafeBufferPointer { strengths in
                scratch.touched.withUnsafeMutableBufferPointer { touched in
                    scratch.scores.withUnsafeMutableBufferPointer { scores in
                        for position in range {
                            let fingerprint = Int(fingerprints[position])
                            let score = scores[fingerprint]
                            // The fingerprint is always written but counted only if new, so there
                            // is no branch to mispredict. The list is as long as the map, so a full
                            // list has no new fingerprint to come.
                            if touchedCount < touched.count {
                                touched[touchedCount] = Int32(truncatingIfNeeded: fingerprint)
                            }
                            touchedCount += score == 0 ? 1 : 0
                            scores[fingerprint] = score + shared(strengths[position])
                        }
                    }
                }
            }
        }
        return touchedCount
    }

    private func insert(
        _ neighbour: Neighbour, keeping count: Int, into neighbours: inout [Neighbour]
    ) {
        if neighbours.count == count { neighbours.removeLast() }
        var position = neighbours.count
        while position > 0, neighbour.isNearer(than: neighbours[position - 1]) { position -= 1 }
        neighbours.insert(neighbour, at: position)
    }
}
