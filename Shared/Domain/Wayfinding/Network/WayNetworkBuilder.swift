import Events
import Geometry
import Site

/// Collects the nodes and arcs of a network.
struct WayNetworkBuilder {
    let site: SiteIndex
    let heights: WayHeights
    var junctions: WayJunctions
    private(set) var arcs: [WayArc] = []
    private(set) var graphArcs: [RouteGraph.Arc] = []
    private(set) var spaces: [WalkSpace] = []
    private(set) var spaceOfRoom: [RoomIndex: Int] = [:]

    init(_ site: SiteIndex) {
        self.site = site
        heights = WayHeights(floors: site.floors)
        junctions = WayJunctions(site)
    }

    private mutating func add(_ arc: WayArc, from tail: NodeIndex, to head: NodeIndex) {
        arcs.append(arc)
        graphArcs.append(RouteGraph.Arc(from: tail, to: head))
    }

    private mutating func addBoth(_ arc: WayArc, from tail: NodeIndex, to head: NodeIndex) {
        add(arc, from: tail, to: head)
        add(arc.reversed, from: head, to: tail)
    }

    // MARK: Rooms

    /// - Parameter former: a network of an earlier form of the site, whose spaces may be the same.
    mutating func addSpaces(after former: WayNetwork?) {
        let nesting = RoomNesting(site)
        var stopsOfSpace: [RoomIndex: [NodeIndex]] = [:]
        for (room, stops) in junctions.stopsOfRoom.sorted(by: { $0.key < $1.key }) {
            for stop in stops where stopsOfSpace[nesting.whole(room)]?.contains(stop) != true {
                stopsOfSpace[nesting.whole(room), default: []].append(stop)
            }
        }
        for index in site.rooms.indices {
            let room = RoomIndex(index)
            let whole = nesting.whole(room)
            guard whole == room, let floor = site.floorIndex(site.room(room).floor) else {
                continue
            }
            spaceOfRoom[room] = spaces.count
            addSpace(
                room, floor, stops: stopsOfSpace[room] ?? [], obstacles: nesting.obstacles(room),
                former: former?.space(ofRoom: site.room(room).id))
        }
        for index in site.rooms.indices {
            spaceOfRoom[RoomIndex(index)] = spaceOfRoom[nesting.whole(RoomIndex(index))]
        }
    }

    private mutating func addSpace(
        _ room: RoomIndex, _ floor: FloorIndex, stops: [NodeIndex], obstacles: [Polygon],
        former: WalkSpace?
    ) {
        let outline = site.outline(room)
        let points = stops.map { (junction: $0, point: junctions.nodes[$0.value].point) }
        func makeNode(_ point: Point) -> NodeIndex { junctions.makeNode(floor, point) }
        let same = former.flatMap {
            WalkSpace(
                $0, room: room, floor: floor, outline: outline, obstacles: obstacles,
                stops: points, makeNode: makeNode)
        }
        let made =
            same
            ?? WalkSpace(
                room: room, floor: floor,
                space: outline.map { FreeSpace(outline: $0, obstacles: obstacles) },
                stops: points, makeNode: makeNode)
        let index = spaces.count
        for (number, entry) in made.entries.enumerated() where entry.step.count > 1 {
            let arc = WayArc(
                course: .step(entry: number, isOut: false), space: index,
                metres: entry.step.lengthMetres)
            addBoth(arc, from: entry.junction, to: made.vertices[entry.vertex].node)
        }
        for line in made.lines {
            let arc = WayArc(course: .inside, space: index, metres: line.metres)
            addBoth(
                arc, from: made.vertices[line.first].node, to: made.vertices[line.second].node)
        }
        spaces.append(made)
    }

    // MARK: Connections

    mutating func addConnections() {
        for (connection, first, second) in junctions.doorways {
            let arc = WayArc(course: .through, connection: connection, metres: 0)
            if site.document.connections[connection].isOneWay {
                add(arc, from: first, to: second)
            } else {
                addBoth(arc, from: first, to: second)
            }
        }
        for (index, record) in site.document.connections.enumerated() {
            switch record.kind {
            case .lift, .platformLift: addLift(index, record)
            case .walk, .door, .stairs, .ramp, .escalator: addAlong(index, record)
            }
        }
    }

    private func level(_ node: NodeIndex) -> Level { junctions.nodes[node.value].level }

    private mutating func addAlong(_ index: Int, _ record: ConnectionRecord) {
        let stops = junctions.nodeOfStop[index]
        for first in 0..<stops.count - 1 {
            let (tail, head) = (stops[first], stops[first + 1])
            let line = record.points(from: first)
            let metres = line.lengthMetres
            // The two sides of a door at one point are joined already.
            if record.kind == .door, metres < 0.001, level(tail) == level(head) { continue }
            var arc = WayArc(
                course: .along(first: first, isBackward: false), connection: index,
                metres: metres)
            heights.measure(&arc, record, from: level(tail), to: level(head))
            if record.isOneWay {
                add(arc, from: tail, to: head)
            } else {
                addBoth(arc, from: tail, to: head)
            }
        }
    }

    private mutating func addLift(_ index: Int, _ record: ConnectionRecord) {
        let stops = junctions.nodeOfStop[index]
        var levels: [Level] = []
        var cars: [NodeIndex] = []
        for stop in stops where !levels.contains(level(stop)) {
            levels.append(level(stop))
            cars.append(
                junctions.makeNode(level(stop), junctions.nodes[stop.value].point))
        }
        for stop in stops {
            guard let car = levels.firstIndex(of: level(stop)) else { continue }
            let arc = WayArc(course: .board, connection: index, metres: 0)
            addBoth(arc, from: stop, to: cars[car])
        }
        let order =
            record.isOneWay
            ? Array(levels.indices)
            : levels.indices.sorted { first, second in
                let climb = heights.climb(from: levels[first], to: levels[second])
                return climb.direction > 0 || (climb.direction == 0 && first < second)
            }
        for (low, high) in zip(order, order.dropFirst()) {
            let climb = heights.climb(from: levels[low], to: levels[high])
            var arc = WayArc(course: .ride, connection: index, metres: 0)
            (arc.rise, arc.climb, arc.direction) = (climb.rise, climb.metres, climb.direction)
            if record.isOneWay {
                add(arc, from: cars[low], to: cars[high])
            } else {
                addBoth(arc, from: cars[low], to: cars[high])
            }
        }
    }

    /// For each floor, outdoors first: the straight segments of connections that stay on one floor.
    func segments() -> [[WaySegment]] {
        var segments = [[WaySegment]](repeating: [], count: site.floors.count + 1)
        for (index, arc) in arcs.enumerated() {
            guard case .along(let first, false) = arc.course, let connection = arc.connection,
                level(graphArcs[index].tail) == level(graphArcs[index].head)
            else { continue }
            let points = site.document.connections[connection].points(from: first)
            let whole = points.lengthMetres
            guard whole > 0 else { continue }
            let floor = level(graphArcs[index].tail).map { $0.value + 1 } ?? 0
            var along = 0.0
            for (start, end) in zip(points, points.dropFirst()) {
                let metres = start.distance(to: end)
                segments[floor].append(
                    WaySegment(
                        arc: ArcIndex(index), start: start, end: end, shareBefore: along / whole,
                        share: metres / whole))
                along += metres
            }
        }
        return segments
    }

    /// For each node, the number of its connected part and the number of nodes in that part.
    func parts() -> (ofNode: [Int], sizes: [Int]) {
        var parts = DisjointSets(count: junctions.nodes.count)
        for arc in graphArcs { parts.join(arc.tail.value, arc.head.value) }
        return (
            junctions.nodes.indices.map { parts.root($0) },
            junctions.nodes.indices.map { parts.size(with: $0) }
        )
    }

    /// For each floor, the doors into rooms; a door between two rooms appears for each of them.
    func doorsOfFloor() -> [[(point: Point, room: RoomIndex)]] {
        var doors = [[(point: Point, room: RoomIndex)]](repeating: [], count: site.floors.count)
        for record in site.document.connections where record.kind == .door {
            for stop in record.stops {
                guard let floor = stop.floor.flatMap({ site.floorIndex($0) }),
                    let room = stop.room.flatMap({ site.roomIndex($0) })
                else { continue }
                doors[floor.value].append((stop.point, room))
            }
        }
        return doors
    }
}

/// A straight segment of an arc along a connection.
struct WaySegment: Sendable {
    var arc: ArcIndex
    var start: Point
    var end: Point
    /// The share of the arc before the segment, and the share that is the segment.
    var shareBefore: Double
    var share: Double
}

extension ConnectionRecord {
    /// The points from one stop to the next, with the bends between them.
    func points(from first: Int) -> [Point] {
        let bends = stops.count == 2 ? line : []
        let (start, end) = (stops[first], stops[first + 1])
        return [start.point] + bends + [end.point]
    }
}
