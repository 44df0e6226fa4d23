/// A connected, undirected piece of a graph, with nodes numbered from 0.
struct PieceGraph {
    /// The index of each node's first neighbour, with the end after the last.
    var first: [Int32] = []
    var neighbours: [Int32] = []

    var count: Int { first.count - 1 }

    func neighbours(of node: Int32) -> ArraySlice<Int32> {
        neighbours[Int(first[Int(node)])..<Int(first[Int(node) + 1])]
    }

    /// Whether the piece, which is connected, has only one path between any two nodes.
    var isTree: Bool { neighbours.count == 2 * (count - 1) }

    /// The node of a tree whose removal leaves no part with more than half of the nodes (Jordan
    /// 1869).
    var centroid: Int32 {
        let (order, _) = walk(from: 0)
        var before = [Int32](repeating: -1, count: count)
        for node in order {
            for other in neighbours(of: node) where other != before[Int(node)] {
                before[Int(other)] = node
            }
        }
        // From the leaves on, it is the first node whose subtree has at least half of all nodes.
        var weight = [Int](repeating: 1, count: count)
        for node in order.reversed() {
            if 2 * weight[Int(node)] >= count { return node }
            weight[Int(before[Int(node)])] += weight[Int(node)]
        }
        preconditionFailure("all hang below the first node")
    }

    /// The distance of each node in arcs.
    func steps(from start: Int32) -> [Int32] { walk(from: start).steps }

    /// A node at the greatest distance in arcs.
    func farthest(from start: Int32) -> Int32 { walk(from: start).order[count - 1] }

    /// All nodes sorted by the key; equal ones by number.
    func sorted(by key: (Int32) -> Double) -> [Int32] {
        let keys = (0..<Int32(count)).map(key)
        return (0..<Int32(count)).sorted { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    }

    private func walk(from start: Int32) -> (order: [Int32], steps: [Int32]) {
        var steps = [Int32](repeating: -1, count: count)
        var queue = [start]
        queue.reserveCapacity(count)
        steps[Int(start)] = 0
        var next = 0
        while next < queue.count {
            let node = queue[next]
            next += 1
            for other in neighbours(of: node) where steps[Int(other)] < 0 {
                steps[Int(other)] = steps[Int(node)] + 1
                queue.append(other)
            }
        }
        return (queue, steps)
    }
}
