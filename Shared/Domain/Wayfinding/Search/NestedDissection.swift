import Geometry

/// Splits a graph by small separators, and the parts again, until nothing is left to split.
///
/// All pieces are ranges of one array, which becomes the order itself. Within a range the separator
/// moves to the end, and the parts that it leaves are placed before it. Pieces wait on a list, not
/// on the call stack, so deep nesting is safe.
struct NestedDissection {
    private let points: [Point]?
    /// Each node's neighbours along arcs of either direction, without duplicates and loops.
    private let neighbours: [Int32]
    private let firstNeighbour: [Int32]
    /// The order so far, and the index of each node in it.
    private var nodes: [Int32]
    private var place: [Int32]

    init(_ graph: RouteGraph) {
        points = graph.points
        (firstNeighbour, neighbours) = undirected(graph)
        nodes = Array(0..<Int32(graph.nodeCount))
        place = nodes
    }

    /// The node of each rank.
    mutating func order() -> [NodeIndex] {
        var waiting = [0..<nodes.count]
        while let range = waiting.popLast() {
            for piece in partition(range) {
                guard piece.count > 2 else { continue }
                waiting.append(separate(piece))
            }
        }
        return nodes.map { NodeIndex(Int($0)) }
    }

    /// Sorts a range by connected parts and returns their ranges.
    private mutating func partition(_ range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var begin = range.lowerBound
        while begin < range.upperBound {
            var end = begin + 1
            var next = begin
            while next < end {
                let node = Int(nodes[next])
                next += 1
                for index in Int(firstNeighbour[node])..<Int(firstNeighbour[node + 1]) {
                    let other = Int(place[Int(neighbours[index])])
                    guard other >= end, other < range.upperBound else { continue }
                    swapPlaces(other, end)
                    end += 1
                }
            }
            parts.append(begin..<end)
            begin = end
        }
        return parts
    }

    /// Moves a separator of a connected piece to its end, and returns the range before it.
    private mutating func separate(_ piece: Range<Int>) -> Range<Int> {
        var end = piece.upperBound
        for local in separator(of: piece).sorted(by: >) {
            end -= 1
            swapPlaces(piece.lowerBound + Int(local), end)
        }
        return piece.lowerBound..<end
    }

    private func separator(of piece: Range<Int>) -> [Int32] {
        let graph = pieceGraph(piece)
        if graph.isTree { return [graph.centroid] }
        var search = SeparatorSearch(graph)
        for direction in directions(of: piece, graph) { search.consider(direction) }
        return search.best
    }

    private mutating func swapPlaces(_ first: Int, _ second: Int) {
        nodes.swapAt(first, second)
        place[Int(nodes[first])] = Int32(first)
        place[Int(nodes[second])] = Int32(second)
    }

    /// The piece as a graph of its own, with nodes numbered from 0 in their order.
    private func pieceGraph(_ piece: Range<Int>) -> PieceGraph {
        var graph = PieceGraph()
        graph.first.reserveCapacity(piece.count + 1)
        for node in nodes[piece] {
            graph.first.append(Int32(graph.neighbours.count))
            for index in Int(firstNeighbour[Int(node)])..<Int(firstNeighbour[Int(node) + 1]) {
                let other = Int(place[Int(neighbours[index])])
                guard piece.contains(other) else { continue }
                graph.neighbours.append(Int32(other - piece.lowerBound))
            }
        }
        graph.first.append(Int32(graph.neighbours.count))
        return graph
    }

    /// Orders of the piece's nodes along a line, as candidates for a split. Some follow compass
    /// directions, if there are points. One sorts by how much nearer a node is to one far end of
    /// the piece than to the other, counted in arcs.
    private func directions(of piece: Range<Int>, _ graph: PieceGraph) -> [[Int32]] {
        var lines: [[Int32]] = []
        if let points {
            for (x, y) in compass {
                let along = nodes[piece].map { x * points[Int($0)].x + y * points[Int($0)].y }
                lines.append(graph.sorted { along[Int($0)] })
            }
        }
        let far = graph.farthest(from: 0)
        let oneEnd = graph.steps(from: far)
        let otherEnd = graph.steps(from: graph.farthest(from: far))
        lines.append(graph.sorted { Double(oneEnd[Int($0)] - otherEnd[Int($0)]) })
        return lines
    }
}

/// Half of eight directions, since opposite ones give the same split.
private let compass: [(Double, Double)] = [
    (1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2),
]

/// Each node's neighbours along arcs of either direction: ascending, each once, without the node
/// itself.
func undirected(_ graph: RouteGraph) -> (first: [Int32], neighbours: [Int32]) {
    let arcs = graph.arcs.filter { $0.tail != $0.head }
    let ends = arcs.map(\.tail.value) + arcs.map(\.head.value)
    let (first, others) = grouped(ends, into: graph.nodeCount) { index in
        index < arcs.count ? arcs[index].head.raw : arcs[index - arcs.count].tail.raw
    }
    var firstUnique: [Int32] = [0]
    firstUnique.reserveCapacity(first.count)
    var unique: [Int32] = []
    for node in 0..<graph.nodeCount {
        var last: Int32 = -1
        for other in others[Int(first[node])..<Int(first[node + 1])].sorted() where other != last {
            unique.append(other)
            last = other
        }
        firstUnique.append(Int32(unique.count))
    }
    return (firstUnique, unique)
}
