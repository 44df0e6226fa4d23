/// Memory of `GaussianIndex`. Between calls all but results is zero.
struct GaussianScratch: CandidateMemory {
    /// The log-likelihood of each place.
    var scores: [Float] = []
    /// Places with a score, in the order in which they were met.
    var touched: [Int32] = []
    /// For each place whether it has a score.
    var lastReading: [Int32] = []
    var numberedReadings: [NumberedReading] = []
    var candidates: [Candidate] = []
    /// One for each floor.
    var floorWeights: [Double] = []

    mutating func fit(places: Int) {
        guard scores.count != places else { return }
        scores = [Float](repeating: 0, count: places)
        touched = [Int32](repeating: 0, count: places)
        lastReading = touched
    }
}
