import Events
import Geometry
import Site

extension SiteAssembly {
    /// Adds openings between open areas, corridors and platforms. They share an edge without a
    /// wall, or a node that a path reaches. An opening is as wide as the longest shared edge.
    mutating func addOpenings() {
        var roomsByEdge: [[Int64]: [Int]] = [:]
        for (index, room) in rooms.rooms.enumerated() where room.isOpen {
            let ring = room.area.outer
            for (position, node) in ring.enumerated() {
                let next = ring[(position + 1) % ring.count]
                let edge = [min(node, next), max(node, next), Int64(room.level.hundredths)]
                roomsByEdge[edge, default: []].append(index)
            }
        }
        var openings: [[Int]: (length: Double, middle: Point)] = [:]
        for (edge, found) in roomsByEdge where found.count > 1 {
            let level = MapLevel(hundredths: Int(edge[2]))
            guard !walls.hasWall(edge[0], edge[1], level), let from = nodes.point(edge[0]),
                let to = nodes.point(edge[1])
            else { continue }
            let length = from.distance(to: to)
            let middle = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
            let sorted = Set(found).sorted()
            for other in sorted.dropFirst() {
                let pair = [sorted[0], other]
                if let best = openings[pair],
                    (best.length, best.middle.x, best.middle.y) >= (length, middle.x, middle.y)
                {
                    continue
                }
                openings[pair] = (length, middle)
            }
        }
        for (pair, opening) in openings.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
        where !joined.contains(pair) && !areOwn(pair) {
            addOpening(pair, opening.middle.roundedToMillimetres, opening.length)
        }
        addCorners()
    }

    /// A path that reaches a corner of several open rooms leads into each of them.
    private mutating func addCorners() {
        for node in stopLevels.keys.sorted() where rooms.isOnEdge(node) {
            guard let point = nodes.point(node), !MapWords.isDoor(nodes.tags(node)) else {
                continue
            }
            for level in (stopLevels[node] ?? []).compactMap({ $0 }).sorted() {
                let open = rooms.rooms(at: NodeOnLevel(node: node, level: level)).filter {
                    rooms.rooms[$0].isOpen
                }
                for other in open.dropFirst()
                where !joined.contains([open[0], other]) && !areOwn([open[0], other]) {
                    addOpening([open[0], other], point, nil)
                }
            }
        }
    }

    /// Whether a file of ours has both rooms: it states their openings, too.
    private func areOwn(_ pair: [Int]) -> Bool {
        pair.allSatisfy { rooms.rooms[$0].area.isOwn }
    }

    private mutating func addOpening(_ pair: [Int], _ point: Point, _ length: Double?) {
        joined.insert(pair)
        let stops = pair.map { index in
            let room = rooms.rooms[index]
            return ConnectionStop(floor: room.floor, room: room.id, point: point)
        }
        let id = pair.map { rooms.rooms[$0].id.text }.joined(separator: "-")
        let wide = length.flatMap { width(point, Point(x: point.x + $0, y: point.y)) }
        add(ConnectionRecord(id: ConnectionID(id), kind: .door, stops: stops, widthMetres: wide))
        report.count("openings")
    }
}
