import Events
import Geometry
import Site

/// The probable entrance of a room without a door.
private struct GuessedDoor {
    /// The length of the shared edge in metres; 0 for the end of a path.
    var metres: Double
    var node: Int64
    /// The open room on the other side; nil for a path.
    var room: Int?
    /// The level of the path on the other side; nil outdoors.
    var level: MapLevel?
}

extension SiteAssembly {
    /// Adds doors to rooms without any. A path that ends at a room's edge leads into the room. A
    /// shop that is not tagged as a room need not have walls. It is entered from the square, path
    /// or open area at its edge. Each guess is noted.
    mutating func addGuessedDoors() {
        let entered = Set(connections.flatMap { $0.stops.compactMap(\.room) })
        let closed = rooms.rooms.indices.filter { index in
            let room = rooms.rooms[index]
            return !room.area.isOwn && !room.isEntered && !entered.contains(room.id)
        }
        let guesses = guesses(for: closed)
        for index in closed {
            guard let guess = guesses[index], let point = nodes.point(guess.node) else {
                count("roomsWithoutDoor", rooms.rooms[index].id.text)
                continue
            }
            let room = rooms.rooms[index]
            let outside =
                guess.room.map { stop(in: $0, point) }
                ?? stop(at: guess.node, guess.level, toward: nil)
            add(
                ConnectionRecord(
                    id: ConnectionID("\(room.id)-n\(guess.node)"), kind: .door,
                    stops: [outside, stop(in: index, point)]))
            report.note(
                room.id.text, .guessedDoor, "no door is drawn, so n\(guess.node) becomes one")
            report.count("guessedDoors")
        }
    }

    /// The best guess for each room: the longest shared edge, or else the end of a path.
    private func guesses(for closed: [Int]) -> [Int: GuessedDoor] {
        var roomsByNode: [Int64: [Int]] = [:]
        for index in closed {
            for node in Set(rooms.rooms[index].area.outer) {
                roomsByNode[node, default: []].append(index)
            }
        }
        var best: [Int: GuessedDoor] = [:]
        func offer(_ guess: GuessedDoor, _ index: Int) {
            if let known = best[index],
                (known.metres, -known.node) >= (guess.metres, -guess.node)
            {
                return
            }
            best[index] = guess
        }
        offerEdges(of: closed, offer)
        for (number, path) in paths.enumerated() where path.kind != .lift {
            for position in Set([0, path.nodes.count - 1]) {
                let node = path.nodes[position]
                guard path.nodes.first != path.nodes.last, !MapWords.isDoor(nodes.tags(node)),
                    let here = roomsByNode[node], here.count <= Self.mostNeighbours
                else { continue }
                let level = levels.level(PathUse(path: number, position: position))
                for index in here where isBeside(rooms.rooms[index], level) {
                    // If an open area is at the node, the path leads into that area, not into the
                    // room.
                    let place = NodeOnLevel(node: node, level: rooms.rooms[index].level)
                    guard !rooms.rooms(at: place).contains(where: { rooms.rooms[$0].isEntered })
                    else { continue }
                    offer(GuessedDoor(metres: 0, node: node, room: nil, level: level), index)
                }
            }
        }
        return best
    }

    /// At no point of a real building do so many rooms meet.
    private static let mostNeighbours = 16

    private func isBeside(_ room: MapRoom, _ level: MapLevel?) -> Bool {
        level.map { $0 == room.level } ?? (room.level == .ground)
    }

    /// Offers edges that rooms share with open areas, squares and paths, unless the room is tagged
    /// as one with walls.
    private func offerEdges(of closed: [Int], _ offer: (GuessedDoor, Int) -> Void) {
        struct Edge: Hashable {
            let low: Int64
            let high: Int64

            init(_ one: Int64, _ other: Int64) {
                low = min(one, other)
                high = max(one, other)
            }
        }
        var roomsByEdge: [Edge: [Int]] = [:]
        for index in closed where rooms.rooms[index].area.facts.tags["indoor"] == nil {
            let ring = rooms.rooms[index].area.outer
            for (node, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                roomsByEdge[Edge(node, next), default: []].append(index)
            }
        }
        func offerEdge(
            _ from: Int64, _ to: Int64, _ level: MapLevel?, room: Int?
        ) {
            guard let here = roomsByEdge[Edge(from, to)], here.count <= Self.mostNeighbours,
                let start = nodes.point(from), let end = nodes.point(to)
            else { return }
            for index in here where isBeside(rooms.rooms[index], level) {
                if let level, walls.hasWall(from, to, level) { continue }
                // The door is at an end of the edge, since other paths meet only at nodes.
                offer(
                    GuessedDoor(
                        metres: start.distance(to: end), node: min(from, to), room: room,
                        level: level), index)
            }
        }
        for (index, open) in rooms.rooms.enumerated() where open.isOpen {
            let ring = open.area.outer
            for (node, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                offerEdge(node, next, open.level, room: index)
            }
        }
        for (number, path) in paths.enumerated()
        where path.kind == .walk || path.kind == .platform || path.kind == .corridor {
            for position in path.nodes.indices.dropLast() {
                let ends = [position, position + 1].map {
                    levels.level(PathUse(path: number, position: $0))
                }
                guard ends[0] == ends[1] else { continue }
                offerEdge(path.nodes[position], path.nodes[position + 1], ends[0], room: nil)
            }
        }
    }
}
