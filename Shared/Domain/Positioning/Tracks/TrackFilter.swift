import Glibc

/// The forward algorithm of a hidden Markov model (Rabiner 1989, "A tutorial on hidden Markov
/// models", section III A). Its states are a graph's cells, each with staying and eight directions
/// of walking. Only the few states with a belief worth keeping are computed.
struct TrackFilter: Sendable {
    typealias Belief = TrackState.Belief
    /// Smaller beliefs do not move, because they are far below those that are kept.
    private static let leastMoving: Float = 1e-8

    let graph: WalkableGraph
    let settings: TrackSettings

    /// Loads the belief as it was after the last scan.
    func load(_ beliefs: [Belief], _ scratch: inout TrackScratch) {
        scratch.fit(cells: graph.cells.count)
        for belief in beliefs {
            let cell = belief.cell
            scratch.activate(cell)
            if belief.mode == 0 {
                scratch.staying[cell] = belief.weight
            } else {
                scratch.walking[cell][belief.mode - 1] = belief.weight
            }
        }
        normalise(&scratch)
    }

    /// Makes the belief from the evidence alone: half of it stays, half walks in any direction.
    func begin(_ scratch: inout TrackScratch) {
        for cell in scratch.evident.lazy.map(Int.init) {
            scratch.activate(cell)
            let half = scratch.evidence[cell] / 2
            scratch.staying[cell] = half
            scratch.walking[cell] = .init(repeating: half / Float(WalkableGraph.directions))
        }
        normalise(&scratch)
    }

    /// Moves the belief as people may have moved. It sums up to 1 afterwards.
    ///
    /// - Returns: the sum before, which the device's own sensors may have made less than 1.
    @discardableResult
    func predict(_ motion: TrackMotion, _ scratch: inout TrackScratch) -> Float {
        for cell in scratch.active.lazy.map(Int.init) {
            let (staying, walking) = (scratch.staying[cell], scratch.walking[cell])
            let isPassage = graph.cells[cell].isPassage
            let started = isPassage ? motion.startedInPassageShare : motion.startedShare
            let stopped = isPassage ? motion.stoppedInPassageShare : motion.stoppedShare
            scratch.walking[cell] =
                motion.walkingFactor
                * (walking * (1 - stopped) + staying * started * motion.starting)
            scratch.staying[cell] =
                motion.stayingFactor * (staying * (1 - started) + walking.sum() * stopped)
        }
        rideLifts(motion.liftedShare, &scratch)
        for _ in 0..<motion.moves { move(motion, &scratch) }
        return normalise(&scratch)
    }

    /// Moves the walking belief on to neighbouring cells, except a share that waits.
    private func move(_ motion: TrackMotion, _ scratch: inout TrackScratch) {
        // Cells reached in this move become active for the next move only.
        for position in 0..<scratch.active.count {
            let cell = Int(scratch.active[position])
            let walking = scratch.walking[cell]
            guard walking != .zero else { continue }
            let edges = graph.edges(of: cell)
            var total = TrackScratch.Walking.zero
            for edge in edges {
                let edge = graph.edges[edge]
                total += edge.share * motion.turning[Int(edge.direction)]
            }
            let isMoving = (total .> 0) .& (walking .> Self.leastMoving)
            guard any(isMoving) else {
                scratch.nextWalking[cell] += walking
                continue
            }
            let moved = motion.movingShare * walking
            scratch.nextWalking[cell] += walking - moved.replacing(with: 0, where: .!isMoving)
            let leaving = (moved / total).replacing(with: 0, where: .!isMoving)
            for edge in edges {
                let edge = graph.edges[edge]
                let target = Int(edge.target)
                let flow = leaving * (edge.share * motion.turning[Int(edge.direction)])
                if edge.direction == WalkableGraph.Edge.vertical {
                    // People who change floors keep their direction.
                    scratch.nextWalking[target] += flow
                } else {
                    scratch.nextWalking[target][Int(edge.direction)] += flow.sum()
                }
                scratch.activate(target)
            }
        }
        for cell in scratch.active.lazy.map(Int.init) {
            scratch.walking[cell] = scratch.nextWalking[cell]
            scratch.nextWalking[cell] = .zero
        }
    }

    private func rideLifts(_ share: Float, _ scratch: inout TrackScratch) {
        var isRiding = false
        for position in 0..<scratch.active.count {
            let cell = Int(scratch.active[position])
            guard graph.cells[cell].isLift else { continue }
            let ways = graph.edges(of: cell).filter {
                graph.edges[$0].direction == WalkableGraph.Edge.vertical
            }
            guard !ways.isEmpty else { continue }
            isRiding = true
            let leaving = share * scratch.staying[cell] / Float(ways.count)
            for way in ways {
                let target = Int(graph.edges[way].target)
                scratch.nextStaying[target] += leaving
                scratch.activate(target)
            }
            scratch.nextStaying[cell] -= leaving * Float(ways.count)
        }
        guard isRiding else { return }
        for cell in scratch.active.lazy.map(Int.init) {
            scratch.staying[cell] += scratch.nextStaying[cell]
            scratch.nextStaying[cell] = 0
        }
    }

    /// Multiplies the belief by the scan's evidence.
    ///
    /// - Parameters:
    ///   - stray: the evidence of every cell that has none of its own.
    ///   - new: the share of the scan that is new, as an exponent of its evidence.
    ///   - old: the share of the belief that the scan does not repeat, as an exponent of the
    ///     belief.
    /// - Returns: the mean evidence at the belief's cells, in multiples of `stray`.
    @discardableResult
    func update(stray: Float, new: Float, old: Float, _ scratch: inout TrackScratch) -> Float {
        renew(&scratch)
        var met: Float = 0
        for cell in scratch.active.lazy.map(Int.init) {
            let evidence = scratch.evidence[cell]
            let ratio = 1 + evidence / stray
            let belief = scratch.belief(in: cell)
            met += belief * ratio
            guard belief > 0 else {
                scratch.multiply(cell, by: 0)
                continue
            }
            // Most cells have no evidence, and scans are mostly far enough apart to repeat nothing.
            var factor: Float = evidence > 0 ? pow(ratio, new) : 1
            if old != 1 { factor *= pow(belief, old - 1) }
            if factor != 1 { scratch.multiply(cell, by: factor) }
        }
        normalise(&scratch)
        return met
    }

    /// Replaces a share of the belief by the evidence, only on floors with belief.
    private func renew(_ scratch: inout TrackScratch) {
        var beliefs = [Float](repeating: 0, count: graph.floors.count)
        for cell in scratch.active.lazy.map(Int.init) {
            beliefs[Int(graph.cells[cell].floor)] += scratch.belief(in: cell)
        }
        var evidences = [Float](repeating: 0, count: graph.floors.count)
        for cell in scratch.evident.lazy.map(Int.init) {
            evidences[Int(graph.cells[cell].floor)] += scratch.evidence[cell]
        }
        for cell in scratch.evident.lazy.map(Int.init) {
            let floor = Int(graph.cells[cell].floor)
            guard beliefs[floor] > 0 else { continue }
            let share =
                settings.renewedShare * beliefs[floor] / evidences[floor] * scratch.evidence[cell]
                / Float(Belief.modes)
            scratch.activate(cell)
            scratch.staying[cell] += share
            scratch.walking[cell] += share
        }
    }

    /// Returns the sum before.
    @discardableResult
    func normalise(_ scratch: inout TrackScratch) -> Float {
        var total: Float = 0
        for cell in scratch.active.lazy.map(Int.init) { total += scratch.belief(in: cell) }
        guard total > 0 else { return 0 }
        let factor = 1 / total
        for cell in scratch.active.lazy.map(Int.init) { scratch.multiply(cell, by: factor) }
        return total
    }

    /// The most probable beliefs, to be stored.
    func kept(_ scratch: TrackScratch) -> [Belief] {
        var (staying, walking) = (Float(0), TrackScratch.Walking.zero)
        for cell in scratch.active.lazy.map(Int.init) {
            staying = max(staying, scratch.staying[cell])
            let lanes = scratch.walking[cell]
            walking.replace(with: lanes, where: lanes .> walking)
        }
        let least = max(staying, walking.max()) * settings.leastWeight
        let cells = scratch.active.filter { cell in
            scratch.staying[Int(cell)] > least || any(scratch.walking[Int(cell)] .> least)
        }
        var kept: [Belief] = []
        for cell in cells.sorted().lazy.map(Int.init) {
            let first = cell * Belief.modes
            if scratch.staying[cell] > least {
                kept.append(Belief(index: Int32(first), weight: scratch.staying[cell]))
            }
            let walking = scratch.walking[cell]
            for lane in 0..<WalkableGraph.directions where walking[lane] > least {
                kept.append(Belief(index: Int32(first + 1 + lane), weight: walking[lane]))
            }
        }
        if kept.count > TrackSettings.keptBeliefs {
            kept.sort { ($0.weight, $1.index) > ($1.weight, $0.index) }
            kept.removeLast(kept.count - TrackSettings.keptBeliefs)
            kept.sort { $0.index < $1.index }
        }
        return kept
    }
}
