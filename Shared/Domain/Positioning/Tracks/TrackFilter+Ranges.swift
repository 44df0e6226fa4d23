import Geometry
import Glibc

extension TrackFilter {
    /// The least factor of one scan's distances. Signals that go around corners measure too far,
    /// all of them together at times, so no scan may move a track away.
    private static let leastFactor = 0.02

    /// Multiplies the belief by the likelihood of measured distances.
    ///
    /// - Parameter ranges: the distances as seen from each of the graph's floors.
    /// - Returns: whether there were any.
    func weigh(_ ranges: [[AnchoredRange]], _ scratch: inout TrackScratch) -> Bool {
        guard ranges.contains(where: { !$0.isEmpty }) else { return false }
        // A floor from where some access point is out of reach is unlikely for that.
        let most = ranges.map(\.count).max() ?? 0
        var costs: [Double] = []
        costs.reserveCapacity(scratch.active.count)
        for cell in scratch.active.lazy.map(Int.init) {
            let known = graph.cells[cell]
            // A cell is as wide as the distances' own deviations, or wider.
            let slack = graph.pitch * graph.pitch / 12
            let seen = ranges[Int(known.floor)]
            costs.append(
                seen.reduce(Double(most - seen.count) * Trilateration.strangerCost) { sum, range in
                    var range = range
                    range.deviation = (range.deviation * range.deviation + slack).squareRoot()
                    return sum + range.cost(at: known.point)
                })
        }
        let least = costs.min() ?? 0
        for (cell, cost) in zip(scratch.active.lazy.map(Int.init), costs) {
            let factor = Float(max(Self.leastFactor, exp(-(cost - least) / 2)))
            scratch.multiply(cell, by: factor)
        }
        normalise(&scratch)
        return true
    }
}
