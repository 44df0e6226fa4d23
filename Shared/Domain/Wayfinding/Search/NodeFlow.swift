/// A maximum flow in which each node carries at most one unit, and the minimum cuts that it gives.
///
/// Each node is split into an in-door and an out-door with one unit between them. A unit of flow is
/// a path of nodes; each node stores the ones before and after it. Augmenting paths are found by
/// breadth-first search over doors (Edmonds and Karp 1972).
struct NodeFlow {
    private static let none: Int32 = -1
    /// Stands before the first node of a path, and after its last.
    private static let terminal: Int32 = -2

    /// Indexed by door: 2 x node is the in-door, 2 x node + 1 the out-door.
    private var reachedFrom: [Int32]
    private var queue: [Int32] = []
    private var before: [Int32]
    private var after: [Int32]
    private var isSink: [Bool]
    private var sources: [Int32] = []
    private var sinks: [Int32] = []

    init(nodeCount: Int) {
        reachedFrom = Array(repeating: Self.none, count: 2 * nodeCount)
        before = Array(repeating: Self.none, count: nodeCount)
        after = before
        isSink = Array(repeating: false, count: nodeCount)
        queue.reserveCapacity(2 * nodeCount)
    }

    /// Sends as much flow as possible from sources to sinks. Returns false if that is more than the
    /// limit.
    mutating func run(
        _ graph: PieceGraph, sources: ArraySlice<Int32>, sinks: ArraySlice<Int32>, limit: Int
    ) -> Bool {
        self.sources = Array(sources)
        self.sinks = Array(sinks)
        for node in 0..<graph.count {
            before[node] = Self.none
            after[node] = Self.none
            isSink[node] = false
        }
        for node in sinks { isSink[Int(node)] = true }
        var amount = 0
        while let door = reach(graph, stopsAtSink: true) {
            amount += 1
            guard amount <= limit else { return false }
            augment(to: door)
        }
        return true
    }

    /// The minimum cut with the fewest nodes on the sources' side, and the number of nodes there.
    mutating func cutNearSources(_ graph: PieceGraph) -> (nodes: [Int32], before: Int) {
        _ = reach(graph, stopsAtSink: false)
        var cut: [Int32] = []
        var side = 0
        for node in 0..<Int32(graph.count) where reachedFrom[Int(2 * node)] != Self.none {
            if reachedFrom[Int(2 * node + 1)] == Self.none { cut.append(node) } else { side += 1 }
        }
        return (cut, side)
    }

    /// The minimum cut with the fewest nodes on the sinks' side, and the number of nodes there.
    mutating func cutNearSinks(_ graph: PieceGraph) -> (nodes: [Int32], before: Int) {
        turnRound()
        defer { turnRound() }
        return cutNearSources(graph)
    }

    /// Swaps sources and sinks and reverses all paths, to find a cut only.
    private mutating func turnRound() {
        swap(&before, &after)
        swap(&sources, &sinks)
    }

    /// Marks the doors that another unit could reach. Returns the out-door of the first sink
    /// reached.
    private mutating func reach(_ graph: PieceGraph, stopsAtSink: Bool) -> Int32? {
        for door in reachedFrom.indices { reachedFrom[door] = Self.none }
        queue.removeAll(keepingCapacity: true)
        for node in sources { visit(2 * node, from: Self.terminal) }
        var next = 0
        while next < queue.count {
            let door = queue[next]
            next += 1
            let node = door / 2
            let isUsed = before[Int(node)] != Self.none
            if door % 2 == 0 {
                if !isUsed {
                    visit(door + 1, from: door)
                } else if before[Int(node)] >= 0 {
                    // The path through this node can be rerouted from the node before it.
                    visit(2 * before[Int(node)] + 1, from: door)
                }
                continue
            }
            if stopsAtSink, isSink[Int(node)] { return door }
            if isUsed { visit(door - 1, from: door) }
            for index in Int(graph.first[Int(node)])..<Int(graph.first[Int(node) + 1]) {
                let other = graph.neighbours[index]
                if other != after[Int(node)] { visit(2 * other, from: door) }
            }
        }
        return nil
    }

    private mutating func visit(_ door: Int32, from: Int32) {
        guard reachedFrom[Int(door)] == Self.none else { return }
        reachedFrom[Int(door)] = from
        queue.append(door)
    }

    /// Adds the unit that reached a sink's out-door, from there back to its source.
    private mutating func augment(to last: Int32) {
        after[Int(last / 2)] = Self.terminal
        var door = last
        while reachedFrom[Int(door)] != Self.terminal {
            let from = reachedFrom[Int(door)]
            let (node, earlier) = (Int(door / 2), Int(from / 2))
            if from % 2 == 1, earlier == node {
                // Both neighbours are rerouted, so no unit goes through this node any more.
                before[node] = Self.none
                after[node] = Self.none
            } else if from % 2 == 1 {
                after[earlier] = Int32(node)
                before[node] = Int32(earlier)
            }
            door = from
        }
        before[Int(door / 2)] = Self.terminal
    }
}
