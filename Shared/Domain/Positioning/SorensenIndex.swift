import Glibc

/// A fingerprint that is like the scan.
struct Neighbour: Hashable, Sendable {
    let fingerprint: Int32
    /// 0 for equal, 1 for nothing in common.
    let distance: Float

    /// Nearer first; of two equally near the one with the lower number.
    func isNearer(than other: Neighbour) -> Bool {
        (distance, fingerprint) < (other.distance, other.fingerprint)
    }
}

/// Finds the fingerprints nearest to a scan by the Sorensen distance of powed strengths, looking only
/// at those that share a transmitter with it.
///
/// Strength is ((rssi - minimum) / -minimum)^exponent, and the distance of a and b is sum |a - b| / sum
/// (a + b) (Torres-Sospedra et al. 2015, Expert Systems with Applications 42, sections 3 and 4). Since
/// |a - b| = a + b - 2 min(a, b), it is 1 - 2 sum min(a, b) / (sum a + sum b): only transmitters that
/// both have heard count beside the two sums, which is what an inverted index gives.
struct SorensenIndex: Sendable {
    /// The strength of each RSSI from -128 to 0 dBm, at rssi + 128.
    let strengthByRSSI: [Float]
    /// For each fingerprint, the sum of its strengths.
    let totals: [Float]
    private let numberByTransmitter: [Transmitter: Int32]
    private let start: [Int32]
    private let fingerprints: [Int32]
    private let strengths: [Float]

    init(_ map: RadioMap, exponent: Double) {
        // One below the weakest, so that what was barely heard still differs from silence.
        let minimum = Double(map.readingRSSI.min() ?? -100) - 1
        let strengthByRSSI: [Float] = (-128...0).map { rssi in
            Float(pow(max(0, (Double(rssi) - minimum) / -minimum), exponent))
        }
        self.strengthByRSSI = strengthByRSSI
        var start = [Int32](repeating: 0, count: map.transmitters.count + 1)
        for transmitter in map.readingTransmitter { start[Int(transmitter) + 1] += 1 }
        for index in map.transmitters.indices { start[index + 1] += start[index] }
        var next = start
        var fingerprints = [Int32](repeating: 0, count: map.readingTransmitter.count)
        var strengths = [Float](repeating: 0, count: map.readingTransmitter.count)
        var totals = [Float](repeating: 0, count: map.fingerprints.count)
        for fingerprint in map.fingerprints.indices {
            for position in map.readings(of: fingerprint) {
                let transmitter = Int(map.readingTransmitter[position])
                let strength = strengthByRSSI[Int(map.readingRSSI[position]) + 128]
                fingerprints[Int(next[transmitter])] = Int32(fingerprint)
                strengths[Int(next[transmitter])] = strength
                next[transmitter] += 1
                totals[fingerprint] += strength
            }
        }
        self.start = start
        self.fingerprints = fingerprints
        self.strengths = strengths
        self.totals = totals
        numberByTransmitter = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map {
                ($0.element, Int32($0.offset))
            })
    }

    /// Puts the `count` nearest fingerprints into `scratch.neighbours`, nearest first, and the scan's
    /// strengths into `scratch.strengths`, which `forget` clears. Transmitters that the map does not
    /// know are passed over: a stranger's telephone says nothing of the place.
    ///
    /// - Parameter isLeftOut: fingerprints that must not be used.
    func findNearest(
        _ count: Int, to scan: RadioScan, scratch: inout PositionerScratch,
        isLeftOut: ((Int) -> Bool)? = nil
    ) {
        scratch.fit(fingerprints: totals.count, transmitters: start.count - 1)
        scratch.neighbours.removeAll(keepingCapacity: true)
        var total: Float = 0
        var touched = 0
        for reading in scan.readings {
            guard let number = numberByTransmitter[reading.transmitter] else { continue }
            let strength = strengthByRSSI[Int(reading.rssi) + 128]
            guard strength > 0 else { continue }
            scratch.strengths[Int(number)] = strength
            total += strength
            touched = addScores(Int(number), strength, touched, &scratch)
        }
        for position in 0..<touched {
            let fingerprint = scratch.touched[position]
            let shared = scratch.scores[Int(fingerprint)]
            scratch.scores[Int(fingerprint)] = 0
            let distance = max(0, 1 - 2 * shared / (total + totals[Int(fingerprint)]))
            let neighbour = Neighbour(fingerprint: fingerprint, distance: distance)
            if scratch.neighbours.count == count,
                !neighbour.isNearer(than: scratch.neighbours[count - 1])
            {
                continue
            }
            if let isLeftOut, isLeftOut(Int(fingerprint)) { continue }
            insert(neighbour, keeping: count, into: &scratch.neighbours)
        }
    }

    /// Clears the scan's strengths.
    func forget(_ scan: RadioScan, scratch: inout PositionerScratch) {
        for reading in scan.readings {
            if let number = numberByTransmitter[reading.transmitter] {
                scratch.strengths[Int(number)] = 0
            }
        }
    }

    /// Adds min(a, b) to the score of every fingerprint that heard the transmitter; returns how many
    /// fingerprints have a score by now.
    private func addScores(
        _ transmitter: Int, _ strength: Float, _ touchedSoFar: Int,
        _ scratch: inout PositionerScratch
    ) -> Int {
        let range = Int(start[transmitter])..<Int(start[transmitter + 1])
        var touchedCount = touchedSoFar
        fingerprints.withUnsafeBufferPointer { fingerprints in
            strengths.withUnsafeBufferPointer { strengths in
                scratch.touched.withUnsafeMutableBufferPointer { touched in
                    scratch.scores.withUnsafeMutableBufferPointer { scores in
                        for position in range {
                            let fingerprint = Int(fingerprints[position])
                            let score = scores[fingerprint]
                            // Written always and counted only if new: no branch to mispredict. The
                            // list is as long as the map, and a full one has nothing new to come.
                            if touchedCount < touched.count {
                                touched[touchedCount] = Int32(truncatingIfNeeded: fingerprint)
                            }
                            touchedCount += score == 0 ? 1 : 0
                            scores[fingerprint] = score + min(strength, strengths[position])
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
