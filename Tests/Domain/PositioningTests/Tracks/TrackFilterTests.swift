import Events
import Glibc
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct TrackFilterTests {
    @Test("The sparse filter agrees with the forward algorithm over all cells", arguments: 0..<8)
    func forward(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let graph = WalkableGraphBuilder.build(
            map: RandomMap.make(&random), site: SampleSite.index)
        let settings = TrackSettings()
        let filter = TrackFilter(graph: graph, settings: settings)
        let states = graph.cells.count * TrackState.Belief.modes
        var scratch = TrackScratch()
        var slow = (0..<states).map { _ in Double.random(in: 0...1, using: &random) }
        let total = slow.reduce(0, +)
        slow = slow.map { $0 / total }
        filter.load(
            slow.enumerated().map {
                TrackState.Belief(index: Int32($0.offset), weight: Float($0.element))
            }, &scratch)
        for _ in 0..<3 {
            let motion = motion(seconds: Double.random(in: 0.5...8, using: &random), &random)
            filter.predict(motion, &scratch)
            slow = predicted(slow, motion, graph)
            let cells = graph.cells.indices.filter { _ in Bool.random(using: &random) }
            for cell in cells {
                scratch.evidence[cell] = Float.random(in: 0.01...1, using: &random)
                scratch.evident.append(Int32(cell))
            }
            let evidence = scratch.evidence.map(Double.init)
            filter.update(stray: 0.1, new: 0.8, old: 0.6, &scratch)
            slow = updated(slow, evidence, graph, Double(settings.renewedShare))
            for cell in cells { scratch.evidence[cell] = 0 }
            scratch.evident = []
        }
        let fast = graph.cells.indices.flatMap { cell in
            [scratch.staying[cell]] + (0..<8).map { scratch.walking[cell][$0] }
        }
        let worst = zip(fast, slow).map { abs(Double($0) - $1) }.max() ?? 1
        #expect(worst < 1e-5)
    }

    private func motion(seconds: Double, _ random: inout SeededRandom) -> TrackMotion {
        var scan = RadioScan(readings: [], at: Timestamp(microseconds: 0))
        if Bool.random(using: &random) { scan.steps = Int.random(in: 0...8, using: &random) }
        if Bool.random(using: &random) {
            scan.headingDegrees = Double.random(in: 0..<360, using: &random)
        }
        return TrackMotion(
            seconds: seconds, scan: scan, pitch: 2, bearing: 0, TrackSettings())
    }

    /// The prediction from every state to every state, written directly from the model's
    /// description.
    private func predicted(
        _ before: [Double], _ motion: TrackMotion, _ graph: WalkableGraph
    ) -> [Double] {
        let modes = TrackState.Belief.modes
        var now = [Double](repeating: 0, count: before.count)
        for cell in graph.cells.indices {
            let isPassage = graph.cells[cell].isPassage
            let started = Double(
                isPassage ? motion.startedInPassageShare : motion.startedShare)
            let stopped = Double(
                isPassage ? motion.stoppedInPassageShare : motion.stoppedShare)
            now[cell * modes] += before[cell * modes] * (1 - started)
            for mode in 1..<modes {
                now[cell * modes] += before[cell * modes + mode] * stopped
                now[cell * modes + mode] +=
                    before[cell * modes + mode] * (1 - stopped)
                    + before[cell * modes] * started * Double(motion.starting[mode - 1])
            }
        }
        for state in now.indices {
            now[state] *= Double(state % modes == 0 ? motion.stayingFactor : motion.walkingFactor)
        }
        for _ in 0..<motion.moves {
            var next = now.enumerated().map { $0.offset % modes == 0 ? $0.element : 0 }
            for state in now.indices where state % modes > 0 {
                let (cell, mode) = (state / modes, state % modes)
                let weights = graph.edges(of: cell).map { index in
                    let edge = graph.edges[index]
                    return Double(edge.share * motion.turning[Int(edge.direction)][mode - 1])
                }
                let total = weights.reduce(0, +)
                let leaving = total > 0 ? Double(motion.movingShare) : 0
                next[state] += now[state] * (1 - leaving)
                for (index, weight) in zip(graph.edges(of: cell), weights) where total > 0 {
                    let edge = graph.edges[index]
                    let newMode = edge.direction == 8 ? mode : Int(edge.direction) + 1
                    next[Int(edge.target) * modes + newMode] +=
                        now[state] * leaving * weight / total
                }
            }
            now = next
        }
        let total = now.reduce(0, +)
        return now.map { $0 / total }
    }

    private func updated(
        _ before: [Double], _ evidence: [Double], _ graph: WalkableGraph, _ renewed: Double
    ) -> [Double] {
        let modes = TrackState.Belief.modes
        var now = before
        for floor in graph.floors.indices {
            let cells = graph.cells.indices.filter { graph.cells[$0].floor == floor }
            let belief = cells.reduce(0) { sum, cell in
                sum + (0..<modes).reduce(0) { $0 + before[cell * modes + $1] }
            }
            let total = cells.reduce(0) { $0 + evidence[$1] }
            for cell in cells where total > 0 {
                for mode in 0..<modes {
                    now[cell * modes + mode] +=
                        renewed * belief * evidence[cell] / total / Double(modes)
                }
            }
        }
        for cell in graph.cells.indices {
            let belief = (0..<modes).reduce(0) { $0 + now[cell * modes + $1] }
            let factor =
                belief > 0 ? pow(1 + evidence[cell] / 0.1, 0.8) * pow(belief, 0.6 - 1) : 0
            for mode in 0..<modes { now[cell * modes + mode] *= factor }
        }
        let total = now.reduce(0, +)
        return now.map { $0 / total }
    }
}
