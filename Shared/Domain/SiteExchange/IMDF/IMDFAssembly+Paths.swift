import Events
import Geometry
import Site

/// Reads the file `navPath`, which is not part of the standard: points where people walk, each with
/// its neighbours.
extension IMDFAssembly {
    private struct Node {
        let feature: IMDFFeature
        let point: Point
        let floor: FloorRecord?
        let room: RoomRecord?
        let isDirt: Bool

        var stop: ConnectionStop {
            ConnectionStop(floor: floor?.id, room: room?.id, point: point)
        }
    }

    private struct Edge: Hashable {
        let one: String
        let other: String

        init(_ a: String, _ b: String) { (one, other) = a < b ? (a, b) : (b, a) }
    }

    mutating func addPaths() {
        let (nodes, order) = pathNodes()
        var seen: Set<Edge> = []
        var rides: [Edge] = []
        for id in order {
            guard let node = nodes[id] else { continue }
            for neighbour in node.feature["neighbours"].list.compactMap(\.text) {
                guard let other = nodes[neighbour], neighbour != id else {
                    dangling(node.feature, "neighbours")
                    continue
                }
                let back = other.feature["neighbours"].list
                if !back.contains(.text(id)) {
                    let detail = "\(neighbour) does not list it; the path goes both ways"
                    report.note(id, IMDFNote.oneSidedNeighbour, detail)
                }
                let edge = Edge(id, neighbour)
                guard seen.insert(edge).inserted else { continue }
                if isRide(node, other) { rides.append(edge) } else { add(edge, nodes) }
            }
        }
        addRides(rides, nodes)
    }

    private mutating func pathNodes() -> ([String: Node], [String]) {
        var nodes: [String: Node] = [:]
        var order: [String] = []
        for feature in features("navPath") {
            guard let point = place(feature.geometry) else {
                report.note(feature.id, IMDFNote.malformedGeometry, "the point can't be read")
                continue
            }
            var floor: FloorRecord?
            if let level = feature["level_id"].text {
                floor = floorByID[level]
                if floor == nil {
                    dangling(feature, "level_id")
                    continue
                }
            }
            nodes[feature.id] = Node(
                feature: feature, point: point, floor: floor,
                room: floor.flatMap { rooms.room(at: point, on: $0.id) },
                isDirt: feature["tags"].list.contains("dirt"))
            order.append(feature.id)
        }
        return (nodes, order)
    }

    /// Whether the way between two points is a ride in a lift.
    private func isRide(_ one: Node, _ other: Node) -> Bool {
        guard let floor = one.floor, let second = other.floor, floor.id != second.id else {
            return false
        }
        return one.room?.kind == "lift" || other.room?.kind == "lift"
    }

    private mutating func add(_ edge: Edge, _ nodes: [String: Node]) {
        guard var from = nodes[edge.one], var to = nodes[edge.other] else { return }
        var kind = ConnectionRecord.Kind.walk
        if let low = from.floor, let high = to.floor, low.id != high.id {
            if low.ordinal > high.ordinal { swap(&from, &to) }
            kind = from.room?.kind == "ramp" || to.room?.kind == "ramp" ? .ramp : .stairs
            for room in [from.room, to.room] { _ = room.map { climbed.insert($0.id) } }
        }
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID(joinedIdentifier(edge.one, edge.other)), kind: kind,
                stops: [from.stop, to.stop],
                surface: from.isDirt && to.isDirt && kind == .walk ? "dirt" : nil))
    }

    /// Joins the rides of each lift, which lead from level to level, into one connection.
    private mutating func addRides(_ rides: [Edge], _ nodes: [String: Node]) {
        var neighbours: [String: [String]] = [:]
        var order: [String] = []
        for ride in rides {
            for (one, other) in [(ride.one, ride.other), (ride.other, ride.one)] {
                if neighbours[one] == nil { order.append(one) }
                neighbours[one, default: []].append(other)
            }
        }
        var visited: Set<String> = []
        for start in order where visited.insert(start).inserted {
            var cabin = [start]
            var next = 0
            while next < cabin.count {
                for other in neighbours[cabin[next]] ?? [] where visited.insert(other).inserted {
                    cabin.append(other)
                }
                next += 1
            }
            addLift(cabin.compactMap { nodes[$0] })
        }
    }

    private mutating func addLift(_ cabin: [Node]) {
        let stops = cabin.sorted {
            let (left, right) = ($0.floor?.ordinal ?? 0, $1.floor?.ordinal ?? 0)
            return left == right ? $0.feature.id < $1.feature.id : left < right
        }
        for room in stops.compactMap(\.room) { climbed.insert(room.id) }
        guard let lowest = stops.first else { return }
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID(lowest.feature.id), kind: .lift,
                stops: stops.prefix(SiteLimits.stopsPerConnection).map(\.stop)))
    }
}
