import Geometry

/// The parts of a mixture besides the blend, over one radio map. A part without a share is not
/// made.
struct MixtureParts: Sendable {
    private let cells: CellSearch?
    private let gaussian: GaussianSearch?
    /// It elects no floor: it is asked on the blend's, and begins at the blend's place.
    let trilateration: FloorTrilateration?

    init(_ map: RadioMap, _ shares: MixtureShares) {
        cells = shares.cells > 0 ? CellSearch(map) : nil
        gaussian =
            shares.gaussian > 0
            ? GaussianSearch(
                GaussianIndex(map), temper: shares.temper, floors: map.floors.count) : nil
        trilateration = shares.trilateration > 0 ? FloorTrilateration(map) : nil
    }

    /// Memory that is reused from scan to scan. It keeps the candidates of each part.
    struct Scratch: Sendable {
        var cells = CellScratch()
        var gaussian = GaussianScratch()
        var trilaterated: [Candidate] = []
    }

    /// The guess of each part that elects a floor; nil for a part that is not made, or has no
    /// candidates.
    func guess(
        _ scan: RadioScan, scratch: inout Scratch
    ) -> (cells: SnapshotGuess?, gaussian: SnapshotGuess?) {
        (
            cells?.guess(scan, scratch: &scratch.cells, isLeftOut: nil),
            gaussian?.guess(scan, scratch: &scratch.gaussian)
        )
    }
}
