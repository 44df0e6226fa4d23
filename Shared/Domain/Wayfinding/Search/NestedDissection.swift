import Geometry

/// Cuts a graph into pieces by small separators until nothing is left to cut.
///
/// All pieces are ranges of one array, which is in the end the order itself: within a range the
/// separator goes to the end and what it leaves unconnected stands side by side before it. The
/// pieces wait on a list rather than on the stack, however deep they nest.
struct NestedDissection {
    private let points: [Point]?
    /// Both directions of all arcs, without doubles and loops.
    private let neighbours: [Int32]
    private let firstNeighbour: [Int32]
    /// The order so far, and where each node stands in it.
    private var nodes: [Int32]
    private var place: [Int32]

    init(_ graph: RouteGraph) {
        points = graph.points
        (firstNeighbour, neighbours) = undirected(graph)
        nodes = Array(0..<Int32(graph.nodeCount))
        place = nodes
    }

    /// From rank to node.
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

    /// Puts the connected parts of a range side by side.
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

    /// Puts a separator of a connected piece to its end, and gives what is before it.
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

    /// The piece by itself, its nodes numbered from 0 as they stand.
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

    /// Ways to lay out the piece's nodes on a line: along the compass where there are points, and
    /// by how much nearer a node is to one far end of the piece than to the other, counted in arcs,
    /// which needs no points.
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

/// Of eight directions half: their opposites cut the same.
private let compass: [(Double, Double)] = [
    (1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2),
]

/// Each node's neighbours along arcs of either direction, ascending, once each, without itself.
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
