public import Events
import Geometry

/// A positioner whose state about a device can be inspected.
public protocol RememberingPositioner: PreparedPositioner {
    /// The share of each floor in the state's beliefs, the largest first; empty for an empty state.
    func floors(in state: PositionerState) -> [(floor: FloorID, share: Double)]

    /// Metres from the state's most probable place to the nearest stairs or lift of that floor. Nil
    /// where there is none.
    func metresToOtherFloors(in state: PositionerState) -> Double?
}

extension PreparedTrack: RememberingPositioner {
    func floors(in state: PositionerState) -> [(floor: FloorID, share: Double)] {
        guard let state = TrackState(state.bytes, graph: graph) else { return [] }
        var weights: [Int32: Double] = [:]
        for belief in state.beliefs {
            weights[graph.cells[belief.cell].floor, default: 0] += Double(belief.weight)
        }
        let total = weights.values.reduce(0, +)
        return weights.map { (floor: graph.floors[Int($0.key)], share: $0.value / total) }
            .sorted { ($1.share, $0.floor) < ($0.share, $1.floor) }
    }

    func metresToOtherFloors(in state: PositionerState) -> Double? {
        guard let state = TrackState(state.bytes, graph: graph),
            let best = state.beliefs.max(by: { $0.weight < $1.weight })
        else { return nil }
        let here = graph.cells[best.cell]
        return graph.cells.indices.lazy.filter { cell in
            graph.cells[cell].floor == here.floor
                && graph.edges(of: cell).contains {
                    graph.edges[$0].direction == WalkableGraph.Edge.vertical
                }
        }.map { graph.cells[$0].point.distance(to: here.point) }.min()
    }
}
