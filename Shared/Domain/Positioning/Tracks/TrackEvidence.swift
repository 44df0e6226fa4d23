import Geometry
import Glibc

/// Spreads the candidates of a scan over the cells of a graph as evidence.
///
/// The evidence is a mixture. A share of it lies around the scan's mean, as wide as its calibrated
/// error, and the rest around its candidates. A small share is spread everywhere, because the scan
/// may be wrong altogether.
struct TrackEvidence: Sendable {
    /// Candidates with less than this share of the largest weight are ignored.
    private static let leastShare = 0.003
    /// Kernels end at this many deviations.
    private static let reach = 2.5

    let graph: WalkableGraph
    let settings: TrackSettings
    /// The site's room index for each of the map's rooms.
    let rooms: [Int32]

    /// The evidence in each cell that has none of its own.
    var stray: Float {
        let radius = TrackSettings.strayMetres
        let cells = Double.pi * radius * radius / (graph.pitch * graph.pitch)
        return Float(settings.strayShare / cells)
    }

    /// Adds the candidates to the evidence.
    ///
    /// - Parameter deviation: the deviation of each coordinate of the guess's mean, in metres.
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
        let meanShare = guess.isFresh ? 0 : settings.meanShare
        for candidate in candidates
        where candidate.weight >= Self.leastShare * largest
            && graph.floors.indices.contains(Int(candidate.floor))
        {
            let isOnFloor = candidate.floor == guess.floor
            let share = candidate.weight / total * (isOnFloor ? 1 - meanShare : 1)
            let room = candidate.room < 0 ? -1 : rooms[Int(candidate.room)]
            add(
                share, candidate.point, candidate.floor, deviation: settings.kernelMetres,
                room: room, &scratch)
        }
        guard meanShare > 0 else { return }
        add(
            meanShare * guess.floorShare, guess.mean.point, guess.floor,
            deviation: deviation, room: nil, &scratch)
    }

    /// Adds a normal distribution with this mass around a point.
    ///
    /// - Parameter room: the point's room, which the mass mostly stays in; nil where it is unknown.
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
