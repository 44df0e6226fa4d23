/// Reused memory of `BestMatchIndex`. Between calls everything except the results is zero.
struct BestMatchScratch: CandidateMemory {
    /// The marks of each place.
    var scores: [Float] = []
    /// Places with a mark, in the order in which they were met.
    var touched: [Int32] = []
    /// For each place the last of the scan's readings that gave it a mark, counted from 1.
    var lastReading: [Int32] = []
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
