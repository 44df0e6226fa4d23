/// The closed edges of an area, joined from the ways of its relation.
struct MapRings {
    /// Node ids in order, with the first repeated at the end.
    private(set) var outer: [[Int64]] = []
    private(set) var inner: [[Int64]] = []
    private(set) var lacksWays = false
    private(set) var hasOpenEnds = false

    init(_ relation: OpenStreetMapData.Relation, _ ways: [Int64: [Int64]]) {
        var outerWays: [[Int64]] = []
        var innerWays: [[Int64]] = []
        for member in relation.members where member.kind == .way {
            guard let nodes = ways[member.id], nodes.count >= 2 else {
                lacksWays = true
                continue
            }
            if member.role == "inner" { innerWays.append(nodes) } else { outerWays.append(nodes) }
        }
        outer = rings(of: outerWays)
        inner = rings(of: innerWays)
    }

    /// Joins ways end to end, in either direction, until each ring closes.
    private mutating func rings(of ways: [[Int64]]) -> [[Int64]] {
        var waysAtEnd: [Int64: [Int]] = [:]
        for (index, way) in ways.enumerated() {
            waysAtEnd[way[0], default: []].append(index)
            waysAtEnd[way[way.count - 1], default: []].append(index)
        }
        var isUsed = [Bool](repeating: false, count: ways.count)
        var rings: [[Int64]] = []
        for first in ways.indices where !isUsed[first] {
            isUsed[first] = true
            var ring = ways[first]
            while let last = ring.last, ring.first != last {
                guard let next = waysAtEnd[last]?.popLast() else { break }
                guard !isUsed[next] else { continue }
                isUsed[next] = true
                let way = ways[next][0] == last ? ways[next] : ways[next].reversed()
                ring += way.dropFirst()
            }
            if ring.count >= 4, ring.first == ring.last {
                rings.append(ring)
            } else {
                hasOpenEnds = true
            }
        }
        return rings
    }
}
