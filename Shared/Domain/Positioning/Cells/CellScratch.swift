/// Reused memory of `CellSearch`. Between calls everything except the results is zero.
struct CellScratch: CandidateMemory {
    var search = NeighbourScratch()
    /// A sum for each cell of `CellGrid`, and the cells whose sum is not zero.
    var cellSums: [Float] = []
    var touchedCells: [Int32] = []
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []

    mutating func fit(cells: Int) {
        guard cellSums.count != cells else { return }
        cellSums = [Float](repeating: 0, count: cells)
        touchedCells = []
    }
}
