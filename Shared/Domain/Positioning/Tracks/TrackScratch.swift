/// Reused memory of a track, from scan to scan.
struct TrackMemory: CandidateMemory {
    /// The candidates of the scan alone, and the memory of the positioner that weighs them.
    var candidates: [Candidate] = []
    var snapshot = PositionerScratch()
    var track = TrackScratch()
}

/// Reused memory of the track filter; between calls everything except the lists is zero.
struct TrackScratch: Sendable {
    /// Ordered by cell, then by mode (`TrackState.Belief`).
    var beliefs: [Float] = []
    var next: [Float] = []
    /// The scan's evidence in each cell.
    var evidence: [Float] = []
    /// Whether each cell is in `active`.
    var isActive: [Bool] = []
    /// Cells with a belief, in the order in which they were reached.
    var active: [Int32] = []
    /// Cells with evidence.
    var evident: [Int32] = []

    mutating func fit(cells: Int) {
        guard evidence.count != cells else { return }
        beliefs = [Float](repeating: 0, count: cells * TrackState.Belief.modes)
        next = beliefs
        evidence = [Float](repeating: 0, count: cells)
        isActive = [Bool](repeating: false, count: cells)
        active = []
        evident = []
    }

    /// The range of a cell's beliefs.
    func modes(of cell: Int) -> Range<Int> {
        cell * TrackState.Belief.modes..<(cell + 1) * TrackState.Belief.modes
    }

    /// The belief in a cell, summed over its modes.
    func belief(in cell: Int) -> Float {
        var sum: Float = 0
        for position in modes(of: cell) { sum += beliefs[position] }
        return sum
    }

    mutating func activate(_ cell: Int) {
        guard !isActive[cell] else { return }
        isActive[cell] = true
        active.append(Int32(cell))
    }

    mutating func clear() {
        for cell in active.lazy.map(Int.init) {
            for position in modes(of: cell) {
                beliefs[position] = 0
                next[position] = 0
            }
            isActive[cell] = false
        }
        active.removeAll(keepingCapacity: true)
        clearEvidence()
    }

    mutating func clearEvidence() {
        for cell in evident { evidence[Int(cell)] = 0 }
        evident.removeAll(keepingCapacity: true)
    }
}
