/// A positioner of single scans with its radio map. It also gives its candidates, for callers that
/// combine several sources of evidence.
///
/// Candidates are weighted places where the scan may have been made. Any evidence that can be
/// expressed as candidates, of Wi-Fi or of something else, can enter a track.
protocol PreparedSnapshot: PreparedPositioner {
    /// Turns guesses into estimates.
    var judge: SnapshotJudge { get }

    /// The type of memory that is reused from scan to scan.
    associatedtype Memory: CandidateMemory

    /// The floor and place that the scan suggests. It leaves all places where the scan may have
    /// been made in `scratch.candidates`; their weights need not sum up to one. Nil, with no
    /// candidates, when the scan has no usable reading.
    func guess(_ scan: RadioScan, scratch: inout Memory) -> SnapshotGuess?

    /// The same for a caller that does not know the memory's type. The candidates are swapped into
    /// `candidates`.
    func guess(
        _ scan: RadioScan, _ candidates: inout [Candidate], scratch: inout PositionerScratch
    ) -> SnapshotGuess?
}

extension PreparedSnapshot {
    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        let found = scratch.use(Memory()) { memory in guess(scan, scratch: &memory) }
        guard let guess = found else { return (.lost, .empty) }
        return (judge.estimate(guess, of: scan), .empty)
    }

    func guess(
        _ scan: RadioScan, _ candidates: inout [Candidate], scratch: inout PositionerScratch
    ) -> SnapshotGuess? {
        scratch.use(Memory()) { memory in
            let found = guess(scan, scratch: &memory)
            swap(&candidates, &memory.candidates)
            return found
        }
    }
}
