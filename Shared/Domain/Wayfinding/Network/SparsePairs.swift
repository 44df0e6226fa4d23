import Geometry

/// Two vertices of a space that are in sight of each other.
struct LinePair: Hashable, Sendable {
    var first: Int
    var second: Int
    var metres: Double
}

/// Keeps few of the lines in a space. A corridor with a hundred doors has five thousand lines; some
/// hundreds suffice.
enum SparsePairs {
    /// A line is left out if a way over kept lines is at most this many times as long. Paths are
    /// straightened afterwards. So this limits the error in choosing between two routes, not the
    /// look of a route.
    static let stretch = 1.01

    /// The greedy spanner: lines are examined from the shortest on, and kept unless kept lines are
    /// nearly as short. The source is Althöfer, Das, Dobkin, Joseph and Soares 1993, "On sparse
    /// spanners of weighted graphs".
    static func spanner(of pairs: [LinePair], over points: [Point]) -> [LinePair] {
        let sorted = pairs.sorted {
            ($0.metres, $0.first, $0.second) < ($1.metres, $1.first, $1.second)
        }
        var neighbours = [[(vertex: Int, metres: Double)]](repeating: [], count: points.count)
        var reach = BoundedReach(points: points)
        return sorted.filter { pair in
            let limit = pair.metres * stretch + 1e-9
            if reach.isWithin(limit, from: pair.first, to: pair.second, neighbours) { return false }
            neighbours[pair.first].append((pair.second, pair.metres))
            neighbours[pair.second].append((pair.first, pair.metres))
            return true
        }
    }
}

/// Checks many times whether there is a short way, without allocating each time.
private struct BoundedReach {
    private let points: [Point]
    private var metres: [Double]
    private var touched: [Int] = []
    private var waiting: [Int] = []

    init(points: [Point]) {
        self.points = points
        metres = Array(repeating: .infinity, count: points.count)
    }

    /// A label-correcting search. Only the few vertices in the narrow ellipse of the limit are
    /// visited.
    mutating func isWithin(
        _ limit: Double, from start: Int, to end: Int,
        _ neighbours: [[(vertex: Int, metres: Double)]]
    ) -> Bool {
        for vertex in touched { metres[vertex] = .infinity }
        touched.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
        metres[start] = 0
        touched.append(start)
        waiting.append(start)
        while let vertex = waiting.popLast() {
            for (next, length) in neighbours[vertex] {
                let sum = metres[vertex] + length
                guard sum < metres[next], sum + points[next].distance(to: points[end]) <= limit
                else { continue }
                if next == end { return true }
                if metres[next] == .infinity { touched.append(next) }
                metres[next] = sum
                waiting.append(next)
            }
        }
        return false
    }
}
