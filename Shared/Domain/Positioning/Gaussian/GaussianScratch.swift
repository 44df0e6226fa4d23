/// Reused memory of `GaussianIndex`. Between calls everything except the results is zero.
struct GaussianScratch: CandidateMemory {
    /// The log-likelihood of each place.
    var scores: [Float] = []
    /// Places with a score, in the order in which they were met.
    var touched: [Int32] = []
    /// Whether each place has a score.
    var lastReading: [Int32] = []
    var numberedReadings: [NumberedReading] = []
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []

    mutating func fit(places: Int) {
        guard scores.count != places else { return }
        scores = [Float](repeating: 0, count: places)
        touched = [Int32](repeating: 0, count: places)
        lastReading = touched
    }
}
