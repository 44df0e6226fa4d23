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
            scratch.activate(belief.cell)
            scratch.beliefs[Int(belief.index)] = belief.weight
        }
        normalise(&scratch)
    }

    /// Makes the belief from the evidence alone: half of it stays, half walks in any direction.
    func begin(_ scratch: inout TrackScratch) {
        for cell in scratch.evident.lazy.map(Int.init) {
            scratch.activate(cell)
            let first = scratch.modes(of: cell).lowerBound
            let evidence = scratch.evidence[cell]
            scratch.beliefs[first] = evidence / 2
            for mode in 1..<Belief.modes {
                scratch.beliefs[first + mode] = evidence / 2 / Float(WalkableGraph.directions)
            }
        }
        normalise(&scratch)
    }

    /// Moves the belief as people may have moved. It sums up to 1 afterwards.
    func predict(_ motion: TrackMotion, _ scratch: inout TrackScratch) {
        for cell in scratch.active.lazy.map(Int.init) {
            let first = scratch.modes(of: cell).lowerBound
            let staying = scratch.beliefs[first]
            let isPassage = graph.cells[cell].isPassage
            let startedShare =
                isPassage ? motion.startedInPassageShare : motion.startedShare
            let stoppedShare =
                isPassage ? motion.stoppedInPassageShare : motion.stoppedShare
            var stopped: Float = 0
            for mode in 1..<Belief.modes {
                let walking = scratch.beliefs[first + mode]
                stopped += walking * stoppedShare
                scratch.beliefs[first + mode] =
                    motion.walkingFactor
                    * (walking * (1 - stoppedShare)
                        + staying * startedShare * motion.starting[mode - 1])
            }
            scratch.beliefs[first] =
                motion.stayingFactor * (staying * (1 - startedShare) + stopped)
        }
        rideLifts(motion.liftedShare, &scratch)
        for _ in 0..<motion.moves { move(motion, &scratch) }
        normalise(&scratch)
    }

    /// Moves the walking belief on to neighbouring cells, except a share that waits.
    private func move(_ motion: TrackMotion, _ scratch: inout TrackScratch) {
        let ways = WalkableGraph.directions + 1
        // Cells reached in this move become active for the next move only.
        for position in 0..<scratch.active.count {
            let cell = Int(scratch.active[position])
            let first = cell * Belief.modes
            let edges = graph.edges(of: cell)
            for mode in 1..<Belief.modes {
                let belief = scratch.beliefs[first + mode]
                guard belief > 0 else { continue }
                let turning = (mode - 1) * ways
                var total: Float = 0
                for edge in edges {
                    let edge = graph.edges[edge]
                    total += edge.share * motion.turning[turning + Int(edge.direction)]
                }
                guard total > 0, belief > Self.leastMoving else {
                    scratch.next[first + mode] += belief
                    continue
                }
                scratch.next[first + mode] += (1 - motion.movingShare) * belief
                let leaving = motion.movingShare * belief / total
                for edge in edges {
                    let edge = graph.edges[edge]
                    let target = Int(edge.target)
                    // People who change floors keep their direction.
                    let isLevel = edge.direction != WalkableGraph.Edge.vertical
                    let newMode = isLevel ? Int(edge.direction) + 1 : mode
                    scratch.next[target * Belief.modes + newMode] +=
                        leaving * edge.share * motion.turning[turning + Int(edge.direction)]
                    scratch.activate(target)
                }
            }
        }
        for cell in scratch.active.lazy.map(Int.init) {
            let first = cell * Belief.modes
            for mode in 1..<Belief.modes {
                scratch.beliefs[first + mode] = scratch.next[first + mode]
                scratch.next[first + mode] = 0
            }
        }
    }

    private func rideLifts(_ share: Float, _ scratch: inout TrackScratch) {
        for position in 0..<scratch.active.count {
            let cell = Int(scratch.active[position])
            guard graph.cells[cell].isLift else { continue }
            let ways = graph.edges(of: cell).filter {
                graph.edges[$0].direction == WalkableGraph.Edge.vertical
            }
            guard !ways.isEmpty else { continue }
            let first = cell * Belief.modes
            let leaving = share * scratch.beliefs[first] / Float(ways.count)
            for way in ways {
                let target = Int(graph.edges[way].target)
                scratch.next[target * Belief.modes] += leaving
                scratch.activate(target)
            }
            scratch.next[first] -= leaving * Float(ways.count)
        }
        for cell in scratch.active.lazy.map(Int.init) {
            let first = cell * Belief.modes
            scratch.beliefs[first] += scratch.next[first]
            scratch.next[first] = 0
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
            let ratio = 1 + scratch.evidence[cell] / stray
            let belief = scratch.belief(in: cell)
            met += belief * ratio
            let factor = pow(ratio, new) * (belief > 0 ? pow(belief, old - 1) : 0)
            for position in scratch.modes(of: cell) { scratch.beliefs[position] *= factor }
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
            let share = settings.renewedShare * beliefs[floor] / evidences[floor]
            scratch.activate(cell)
            for position in scratch.modes(of: cell) {
                scratch.beliefs[position] += share * scratch.evidence[cell] / Float(Belief.modes)
            }
        }
    }

    func normalise(_ scratch: inout TrackScratch) {
        var total: Float = 0
        for cell in scratch.active.lazy.map(Int.init) { total += scratch.belief(in: cell) }
        guard total > 0 else { return }
        for cell in scratch.active.lazy.map(Int.init) {
            for position in scratch.modes(of: cell) { scratch.beliefs[position] /= total }
        }
    }

    /// The most probable beliefs, to be stored.
    func kept(_ scratch: TrackScratch) -> [Belief] {
        var best: Float = 0
        for cell in scratch.active.lazy.map(Int.init) {
            for position in scratch.modes(of: cell) { best = max(best, scratch.beliefs[position]) }
        }
        let least = best * settings.leastWeight
        var kept: [Belief] = []
        for cell in scratch.active.lazy.map(Int.init) {
            for position in scratch.modes(of: cell) where scratch.beliefs[position] > least {
                kept.append(Belief(index: Int32(position), weight: scratch.beliefs[position]))
            }
        }
        if kept.count > TrackSettings.keptBeliefs {
            kept.sort { ($0.weight, $1.index) > ($1.weight, $0.index) }
            kept.removeLast(kept.count - TrackSettings.keptBeliefs)
        }
        kept.sort { $0.index < $1.index }
        return kept
    }
}
