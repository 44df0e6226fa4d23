/// The nodes from which a connection can be reached, and those that can be reached from a
/// connection. All other nodes are islands.
struct WayReach: Sendable {
    let leadsToWay: [Bool]
    let isLedToFromWay: [Bool]

    /// - Parameter isWay: for each arc, whether it is more than a step within a room.
    init(nodeCount: Int, arcs: [RouteGraph.Arc], isWay: [Bool]) {
        var tails: [Int] = []
        var heads: [Int] = []
        for (arc, isWay) in zip(arcs, isWay) where isWay {
            tails.append(arc.tail.value)
            heads.append(arc.head.value)
        }
        var before = [[Int]](repeating: [], count: nodeCount)
        var after = before
        for arc in arcs {
            before[arc.head.value].append(arc.tail.value)
            after[arc.tail.value].append(arc.head.value)
        }
        leadsToWay = Self.spread(from: tails, along: before)
        isLedToFromWay = Self.spread(from: heads, along: after)
    }

    private static func spread(from nodes: [Int], along next: [[Int]]) -> [Bool] {
        var isReached = [Bool](repeating: false, count: next.count)
        var waiting: [Int] = []
        func reach(_ node: Int) {
            guard !isReached[node] else { return }
            isReached[node] = true
            waiting.append(node)
        }
        for node in nodes { reach(node) }
        while let node = waiting.popLast() { for other in next[node] { reach(other) } }
        return isReached
    }
}
