import Geometry
import Site

/// A room as a space to walk through: its entries, the bends of paths, and the lines of sight
/// between them.
struct WalkSpace: Sendable {
    /// A point where a path may begin, bend or end.
    struct Vertex: Sendable {
        var point: Point
        var node: NodeIndex
        /// For a bend at a corner, the corner and its walls.
        var bend: SpaceBend?
    }

    /// A stop at the room's wall, and the step from it into the room.
    struct Entry: Sendable {
        var junction: NodeIndex
        var vertex: Int
        /// From the junction over the wall to the vertex; a single point if they are the same.
        var step: [Point]
    }

    /// In a room with more vertices than this, each is joined only to its nearest ones.
    private static let mostVerticesOfAllPairs = 500
    private static let neighboursInCrowds = 40

    private(set) var room: RoomIndex
    private(set) var floor: FloorIndex
    /// Nil if the room has no outline. Then all its vertices are joined by straight lines.
    let space: FreeSpace?
    private(set) var entries: [Entry] = []
    private(set) var vertices: [Vertex] = []
    /// The lines to walk on. Between all other vertices a way over these lines is at most a
    /// hundredth longer than the straight one.
    private(set) var lines: [(first: Int, second: Int, metres: Double)] = []
    let middle: Point?

    /// - Parameters:
    ///   - stops: the junctions in the room with their points.
    ///   - makeNode: creates a new node at a point.
    init(
        room: RoomIndex, floor: FloorIndex, space: FreeSpace?,
        stops: [(junction: NodeIndex, point: Point)], makeNode: (Point) -> NodeIndex
    ) {
        self.room = room
        self.floor = floor
        self.space = space
        middle = space?.middle()
        for stop in stops {
            let porch = space?.porch(of: stop.point) ?? stop.point
            let isSame = porch == stop.point
            let node = isSame ? stop.junction : makeNode(porch)
            var step = [stop.point]
            if !isSame {
                let foot = space?.nearestOnEdges(to: stop.point).foot ?? porch
                if foot.distance(to: stop.point) > 0.01, foot.distance(to: porch) > 0.01 {
                    step.append(foot)
                }
                step.append(porch)
            }
            entries.append(Entry(junction: stop.junction, vertex: vertices.count, step: step))
            vertices.append(Vertex(point: porch, node: node, bend: nil))
        }
        // Without an outline, walls are unknown, so every pair of vertices is in sight of each
        // other.
        guard let space else {
            lines = spanning(allPairs { _, _ in true })
            return
        }
        add(space.bends(), makeNode)
        let pairs = allPairs { sees($0, $1) }
        lines = spanning(pairs)
        guard !joinsAllEntries() else { return }
        add(space.bends(isPulled: false), makeNode)
        lines = spanning(allPairs { sees($0, $1) })
    }

    /// The space of a former network, where its walls and stops are still the same. Finding lines
    /// takes most of the time in which a network is made.
    init?(
        _ former: WalkSpace, room: RoomIndex, floor: FloorIndex, outline: Polygon?,
        obstacles: [Polygon], stops: [(junction: NodeIndex, point: Point)],
        makeNode: (Point) -> NodeIndex
    ) {
        guard former.space?.outline == outline,
            outline == nil || former.space?.obstacles == obstacles,
            former.entries.map({ $0.step[0] }) == stops.map(\.point)
        else { return nil }
        self = former
        self.room = room
        self.floor = floor
        for index in vertices.indices {
            // The first vertices are those of the entries, in their order.
            if index < entries.count {
                entries[index].junction = stops[index].junction
                if entries[index].step.count == 1 {
                    vertices[index].node = stops[index].junction
                    continue
                }
            }
            vertices[index].node = makeNode(vertices[index].point)
        }
    }

    /// The vertices in sight of a point of the space.
    func vertices(from point: Point) -> [Int] {
        vertices.indices.filter { index in
            guard let space else { return true }
            let vertex = vertices[index]
            if let bend = vertex.bend, !bend.isTangent(from: point) { return false }
            return space.isClear(from: point, to: vertex.point)
        }
    }

    /// The same path without needless bends.
    func straightened(_ points: [Point]) -> [Point] {
        guard let space, points.count > 2 else { return points }
        var path = [points[0]]
        var index = 0
        while index < points.count - 1 {
            var next = points.count - 1
            while next > index + 1, !space.isClear(from: points[index], to: points[next]) {
                next -= 1
            }
            path.append(points[next])
            index = next
        }
        return path
    }

    private mutating func add(_ bends: [SpaceBend], _ makeNode: (Point) -> NodeIndex) {
        for bend in bends {
            vertices.append(Vertex(point: bend.point, node: makeNode(bend.point), bend: bend))
        }
    }

    private func sees(_ first: Int, _ second: Int) -> Bool {
        let (from, to) = (vertices[first], vertices[second])
        if let bend = from.bend, !bend.isTangent(from: to.point) { return false }
        if let bend = to.bend, !bend.isTangent(from: from.point) { return false }
        return space?.isClear(from: from.point, to: to.point) ?? true
    }

    private func allPairs(_ isJoined: (Int, Int) -> Bool) -> [LinePair] {
        var pairs: [LinePair] = []
        func consider(_ first: Int, _ second: Int) {
            guard isJoined(first, second) else { return }
            let metres = vertices[first].point.distance(to: vertices[second].point)
            pairs.append(LinePair(first: first, second: second, metres: metres))
        }
        for first in vertices.indices {
            guard vertices.count > Self.mostVerticesOfAllPairs else {
                for second in vertices.indices where second > first { consider(first, second) }
                continue
            }
            let point = vertices[first].point
            let nearest = vertices.indices.filter { $0 != first }
                .map { (metres: vertices[$0].point.distance(to: point), vertex: $0) }
                .sorted { $0 < $1 }.prefix(Self.neighboursInCrowds)
            // The other vertex may not have this one among its nearest, so the pair is sorted.
            for (_, second) in nearest { consider(min(first, second), max(first, second)) }
        }
        return pairs
    }

    private func spanning(_ pairs: [LinePair]) -> [(first: Int, second: Int, metres: Double)] {
        SparsePairs.spanner(of: pairs, over: vertices.map(\.point))
            .map { ($0.first, $0.second, $0.metres) }
    }

    private func joinsAllEntries() -> Bool {
        guard let first = entries.first else { return true }
        var neighbours = [[Int]](repeating: [], count: vertices.count)
        for line in lines {
            neighbours[line.first].append(line.second)
            neighbours[line.second].append(line.first)
        }
        var isReached = [Bool](repeating: false, count: vertices.count)
        var waiting = [first.vertex]
        isReached[first.vertex] = true
        while let vertex = waiting.popLast() {
            for next in neighbours[vertex] where !isReached[next] {
                isReached[next] = true
                waiting.append(next)
            }
        }
        return entries.allSatisfy { isReached[$0.vertex] }
    }
}
