import Geometry

/// Two vertices of a space that see each other.
struct LinePair: Hashable, Sendable {
    var first: Int
    var second: Int
    var metres: Double
}

/// Keeps few of the lines in a space: a corridor with a hundred doors has five thousand, of which
/// some hundreds serve.
enum SparsePairs {
    /// A line is left out when there is a way over kept ones that is at most so many times as long.
    /// What a person walks is straightened afterwards, so this bounds how wrong the choice between
    /// two routes can be, not how a route looks.
    static let stretch = 1.01

    /// The greedy spanner (Althöfer, Das, Dobkin, Joseph and Soares 1993, "On sparse spanners of
    /// weighted graphs"): lines from the shortest on, each kept unless kept ones do nearly as well.
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

/// Asks again and again whether there is a short way, without allocating each time.
private struct BoundedReach {
    private let points: [Point]
    private var metres: [Double]
    private var touched: [Int] = []
    private var waiting: [Int] = []

    init(points: [Point]) {
        self.points = points
        metres = Array(repeating: .infinity, count: points.count)
    }

    /// Label correcting: what lies in the slim ellipse of the limit is a handful of vertices.
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
