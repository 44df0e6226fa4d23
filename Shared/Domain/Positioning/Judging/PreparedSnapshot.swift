/// A positioner of single scans with its radio map, open to what combines several sources of
/// evidence.
///
/// The weighted candidates are the currency of evidence: places with what the scan believes of
/// each. Whatever can be said as such, of Wi-Fi or of anything else, can enter a track.
protocol PreparedSnapshot: PreparedPositioner {
    /// Makes estimates of its guesses.
    var judge: SnapshotJudge { get }

    /// The memory that it reuses from scan to scan.
    associatedtype Memory: CandidateMemory

    /// What the scan says. Leaves the places that it may have been made at in `scratch.candidates`;
    /// their weights need not sum to one. Nil, and no candidates, when the scan says nothing.
    func guess(_ scan: RadioScan, scratch: inout Memory) -> SnapshotGuess?

    /// The same for a caller that does not know the memory: exchanges the candidates for
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
