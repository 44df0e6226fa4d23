import Geometry
import Glibc

/// Spreads what a scan believes over the cells of a graph.
///
/// The belief is a mixture, half of which lies about the scan's mean as wide as its calibrated
/// error, the other about its candidates; and it may be wrong altogether.
struct TrackEvidence: Sendable {
    /// Candidates with a smaller share of the largest weight are passed over.
    private static let leastShare = 0.003
    /// Kernels end at so many deviations.
    private static let reach = 2.5

    let graph: WalkableGraph
    let settings: TrackSettings
    /// Of the map's rooms: the site's.
    let rooms: [Int32]

    /// The belief in each cell that has none of its own.
    var stray: Float {
        let radius = TrackSettings.strayMetres
        let cells = Double.pi * radius * radius / (graph.pitch * graph.pitch)
        return Float(settings.strayShare / cells)
    }

    /// Adds the belief in `candidates` to the evidence.
    ///
    /// - Parameter deviation: metres, of each coordinate of the guess's mean.
    func spread(
        _ candidates: [Candidate], guess: SnapshotGuess, deviation: Double,
        _ scratch: inout TrackScratch
    ) {
        var total = 0.0
        var largest = 0.0
        for candidate in candidates {
            total += candidate.weight
            largest = max(largest, candidate.weight)
        }
        guard total > 0 else { return }
        for candidate in candidates
        where candidate.weight >= Self.leastShare * largest
            && graph.floors.indices.contains(Int(candidate.floor))
        {
            let isOnFloor = candidate.floor == guess.floor
            let share = candidate.weight / total * (isOnFloor ? 1 - settings.meanShare : 1)
            let room = candidate.room < 0 ? -1 : rooms[Int(candidate.room)]
            add(
                share, candidate.point, candidate.floor, deviation: settings.kernelMetres,
                room: room, &scratch)
        }
        add(
            settings.meanShare * guess.floorShare, guess.mean.point, guess.floor,
            deviation: deviation, room: nil, &scratch)
    }

    /// A normal distribution of one mass about a point.
    ///
    /// - Parameter room: nil where the point itself is not known to be in one.
    func add(
        _ mass: Double, _ point: Point, _ floor: Int32, deviation: Double, room: Int32?,
        _ scratch: inout TrackScratch
    ) {
        scratch.fit(cells: graph.cells.count)
        let variance = deviation * deviation + graph.pitch * graph.pitch / 12
        let peak = Float(mass * graph.pitch * graph.pitch / (2 * .pi * variance))
        guard peak > 0 else { return }
        let reach = Self.reach * variance.squareRoot()
        let exponent = Float(-0.5 / variance)
        let limit = reach * reach
        graph.forEachCell(within: reach, of: point, on: floor) { cell, square in
            guard square <= limit else { return }
            if scratch.evidence[cell] == 0 { scratch.evident.append(Int32(cell)) }
            let isOther = room.map { $0 != graph.cells[cell].room } ?? false
            scratch.evidence[cell] +=
                peak * exp(exponent * Float(square)) * (isOther ? settings.otherRoomShare : 1)
        }
    }
}
