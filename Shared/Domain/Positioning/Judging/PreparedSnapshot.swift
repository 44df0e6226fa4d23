/// A positioner of single scans with its radio map, open to what combines several sources of evidence.
///
/// The weighted candidates are the currency of evidence: places with what the scan believes of each.
/// Whatever can be said as such, of Wi-Fi or of anything else, can enter a track.
protocol PreparedSnapshot: PreparedPositioner {
    /// Makes estimates of its guesses.
    var judge: SnapshotJudge { get }

    /// What the scan says. Leaves the places that it may have been made at in `scratch.candidates`;
    /// their weights need not sum to one. Nil, and no candidates, when the scan says nothing.
    func guess(_ scan: RadioScan, scratch: inout PositionerScratch) -> SnapshotGuess?
}

extension PreparedSnapshot {
    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        guard let guess = guess(scan, scratch: &scratch) else { return (.lost, .empty) }
        return (judge.estimate(guess, of: scan), .empty)
    }
}
