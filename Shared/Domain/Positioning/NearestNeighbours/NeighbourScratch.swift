/// Reused memory of `FingerprintIndex`. Between calls everything except the results is zero.
struct NeighbourScratch: CandidateMemory {
    /// One score for each fingerprint.
    var scores: [Float] = []
    /// Fingerprints with a score, in the order in which they were met.
    var touched: [Int32] = []
    /// The scan's strength of each transmitter of the map.
    var strengths: [Float] = []
    /// The transmitters with a strength.
    var heard: [Int32] = []
    var neighbours: [Neighbour] = []
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []

    mutating func fit(fingerprints: Int, transmitters: Int) {
        if scores.count != fingerprints {
            scores = [Float](repeating: 0, count: fingerprints)
            touched = [Int32](repeating: 0, count: fingerprints)
        }
        if strengths.count != transmitters {
            strengths = [Float](repeating: 0, count: transmitters)
        }
    }
}
