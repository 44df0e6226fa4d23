/// Reused memory of a track, from scan to scan.
struct TrackMemory: CandidateMemory {
    /// The candidates of the scan alone, and the memory of the positioner that weighs them.
    var candidates: [Candidate] = []
    var snapshot = PositionerScratch()
    var track = TrackScratch()
}

/// Reused memory of the track filter; between calls everything except the lists is zero.
struct TrackScratch: Sendable {
    /// The walking beliefs of a cell: one lane for each direction of `WalkableGraph.Edge`.
    typealias Walking = SIMD8<Float>

    /// The belief in each cell that the person stays there.
    var staying: [Float] = []
    var walking: [Walking] = []
    var nextStaying: [Float] = []
    var nextWalking: [Walking] = []
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
        staying = [Float](repeating: 0, count: cells)
        walking = [Walking](repeating: .zero, count: cells)
        nextStaying = staying
        nextWalking = walking
        evidence = staying
        isActive = [Bool](repeating: false, count: cells)
        active = []
        evident = []
    }

    /// The belief in a cell, summed over its modes.
    func belief(in cell: Int) -> Float { staying[cell] + walking[cell].sum() }

    @inline(__always)
    mutating func multiply(_ cell: Int, by factor: Float) {
        staying[cell] *= factor
        walking[cell] *= factor
    }

    mutating func activate(_ cell: Int) {
        guard !isActive[cell] else { return }
        isActive[cell] = true
        active.append(Int32(cell))
    }

    mutating func clear() {
        for cell in active.lazy.map(Int.init) {
            staying[cell] = 0
            walking[cell] = .zero
            nextStaying[cell] = 0
            nextWalking[cell] = .zero
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
