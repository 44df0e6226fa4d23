/// Between calls all but results is zero.
struct CellScratch: CandidateMemory {
    var search = NeighbourScratch()
    /// One for each cell of `CellGrid`, and those with a sum.
    var cellSums: [Float] = []
    var touchedCells: [Int32] = []
    var candidates: [Candidate] = []
    /// One for each floor.
    var floorWeights: [Double] = []

    mutating func fit(cells: Int) {
        guard cellSums.count != cells else { return }
        cellSums = [Float](repeating: 0, count: cells)
        touchedCells = []
    }
}
