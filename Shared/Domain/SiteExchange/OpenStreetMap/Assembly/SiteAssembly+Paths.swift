import Events
import Geometry
import Site

extension SiteAssembly {
    /// The most nodes of a path between two stops; a connection's line has no more bends.
    private static let longestStretch = 1_000
    /// The metres on either side of a gate that are part of the gate.
    private static let gateReach = 0.25

    /// Adds ways as connections, cut wherever they meet something else.
    mutating func addPaths() {
        findCuts()
        for path in paths where path.facts.has("footway", "crossing") {
            nodesOfCrossings.formUnion(path.nodes)
        }
        for (index, path) in paths.enumerated() {
            if path.kind == .steps || path.kind == .escalator, path.levels.count > 2 {
                addStairwell(index, path)
            } else {
                addPieces(index, path)
            }
            note(path)
        }
    }

    private static let countedAs: [MapWords.PathKind: String] = [
        .walk: "paths", .corridor: "corridors", .platform: "platforms", .steps: "stairs",
        .escalator: "escalators", .lift: "lifts",
    ]

    private mutating func note(_ path: MapPath) {
        count(Self.countedAs[path.kind] ?? "paths", path.source)
        if path.id == path.source, path.facts.isClosed {
            report.note(path.id, .closedToThePublic, "it is in the site but never open")
        }
        if path.kind == .escalator, direction(path) == nil {
            report.note(
                path.id, .guessedDirection, "its direction is not tagged, so it goes both ways")
        }
    }

    private mutating func addPieces(_ index: Int, _ path: MapPath) {
        let stops = stopPositions(path)
        var used: Set<Int64> = []
        for (first, last) in zip(stops, stops.dropFirst()) {
            var id = first == 0 ? path.id : "\(path.id)-n\(path.nodes[first])"
            if !used.insert(path.nodes[first]).inserted { id += "-\(first)" }
            addPiece(id, index, path, first, last)
        }
    }

    /// The first and last node, and those between that another thing uses.
    private func stopPositions(_ path: MapPath) -> [Int] {
        let last = path.nodes.count - 1
        var positions = [0]
        for position in 1..<last {
            let isFar = position - (positions.last ?? 0) >= Self.longestStretch
            if isFar || isStop(path.nodes[position]) { positions.append(position) }
        }
        // A ring that meets nothing gets a second stop on its far side.
        if positions.count == 1, path.nodes.first == path.nodes.last, last > 1 {
            positions.append(last / 2)
        }
        return positions + [last]
    }

    private func isStop(_ node: Int64) -> Bool {
        let tags = nodes.tags(node)
        return (levels.uses[node] ?? []).count > 1 || rooms.isOnEdge(node)
            || !tags.isEmpty && (MapWords.isLift(tags) || MapWords.isDoor(tags))
    }

    private mutating func addPiece(
        _ id: String, _ index: Int, _ path: MapPath, _ first: Int, _ last: Int
    ) {
        let ids = Array(path.nodes[first...last])
        let stops = [
            end(at: PathUse(path: index, position: first), toward: path.nodes[first + 1]),
            end(at: PathUse(path: index, position: last), toward: path.nodes[last - 1]),
        ]
        let line = nodes.points(ids.dropFirst().dropLast())
        // Two nodes may be at the same point.
        if stops[0] == stops[1], line.isEmpty { return }
        let direction = direction(path)
        var piece = connection(id, path, stops, line)
        piece.isOneWay = direction != nil && direction != .both
        if direction == .backward { piece.reverse() }
        piece.kerbMetres = kerb(of: path, ids)
        if piece.kind == .lift, stops[0].floor == stops[1].floor {
            report.note(path.id, .liftWithoutLevels, "both its ends are on one floor")
            return
        }
        if path.kind == .steps || path.kind == .escalator {
            roomsWithShafts.formUnion(stops.compactMap(\.room))
        }
        add(piece)
    }

    func connection(
        _ id: String, _ path: MapPath, _ stops: [ConnectionStop], _ line: [Point] = []
    ) -> ConnectionRecord {
        let facts = path.facts
        var kind: ConnectionRecord.Kind
        switch path.kind {
        case .steps: kind = .stairs
        case .escalator: kind = .escalator
        case .lift: kind = .lift
        case .walk, .corridor, .platform:
            kind = facts.has("ramp", "yes") || path.levels.count > 1 ? .ramp : .walk
        }
        let isStairs = kind == .stairs || kind == .escalator
        let isOutdoors = stops.allSatisfy { $0.floor == nil }
        let sign = path.kind == .platform ? PlatformSign(facts) : nil
        return ConnectionRecord(
            id: ConnectionID(id), kind: kind, name: sign?.name ?? facts.name,
            names: sign?.names ?? facts.names, stops: stops,
            line: line, accessible: facts.accessible, widthMetres: facts.widthMetres,
            slope: facts.slope, isOffGround: isOutdoors && facts.isOffGround,
            surface: facts.text("surface"),
            steps: isStairs ? facts.stepCount : nil, leads: facts.leads,
            handrail: facts.handrail, hasTactilePaving: facts.hasTactilePaving,
            openingHours: facts.openingHours)
    }

    // MARK: - Direction and kerbs

    enum Direction { case forward, backward, both }

    /// The allowed direction; nil for an escalator whose direction is not tagged.
    func direction(_ path: MapPath) -> Direction? {
        let tags = path.facts.tags
        switch tags["conveying"] {
        case "forward": return .forward
        case "backward": return .backward
        case nil, "no", "reversible": break
        default: if path.kind == .escalator { return oneWay(tags) == .both ? nil : oneWay(tags) }
        }
        return oneWay(tags)
    }

    private static let ownPaths: Set = ["footway", "steps", "corridor", "pedestrian"]

    /// On a street `oneway` is for vehicles. It counts for people only on ways for people, and in
    /// tags such as `oneway:foot`.
    private func oneWay(_ tags: OpenStreetMapData.Tags) -> Direction {
        let isOwn =
            tags["highway"].map(Self.ownPaths.contains) ?? false
            && !["yes", "designated", "permissive"].contains(tags["bicycle"] ?? "no")
        switch tags["oneway:foot"] ?? tags["foot:oneway"] ?? (isOwn ? tags["oneway"] : nil) {
        case "yes", "1", "true": return .forward
        case "-1", "reverse": return .backward
        default: return .both
        }
    }

    /// The height of the highest kerb. A kerb at the end of a crossing belongs to the crossing, not
    /// to the pavement.
    private func kerb(of path: MapPath, _ ids: [Int64]) -> Double? {
        let isCrossing = path.facts.has("footway", "crossing")
        var kerbs = path.facts.kerbMetres.map { [$0] } ?? []
        for (position, node) in ids.enumerated() {
            guard let kerb = TagFacts(nodes.tags(node)).kerbMetres else { continue }
            let isEnd = position == 0 || position == ids.count - 1
            if !isEnd || isCrossing || !nodesOfCrossings.contains(node) { kerbs.append(kerb) }
        }
        return kerbs.max()
    }

    // MARK: - Gates in the middle of a path

    /// Finds gates where two paths meet on one level. A gate gets a piece of both, so that it can
    /// be closed.
    private mutating func findCuts() {
        for node in nodes.taggedIDs where MapWords.isDoor(nodes.tags(node)) {
            let uses = levels.uses[node] ?? []
            let kinds = Set(uses.map { paths[$0.path].kind })
            let places = Set(uses.map { levels.level($0) })
            guard places.count == 1, kinds.isDisjoint(with: [.steps, .escalator, .lift]),
                !rooms.isOnEdge(node), !MapWords.isLift(nodes.tags(node))
            else { continue }
            let arms = uses.flatMap { use in
                let path = paths[use.path].nodes
                return (use.position > 0 ? [path[use.position - 1]] : [])
                    + (use.position < path.count - 1 ? [path[use.position + 1]] : [])
            }
            // Two nodes at the same point leave no room for a gate.
            guard arms.count == 2, arms[0] != arms[1], let first = reach(node, toward: arms[0]),
                let second = reach(node, toward: arms[1]), first != second
            else { continue }
            cuts[node] = arms
        }
    }

    /// The point on the path where the gate begins.
    func reach(_ node: Int64, toward neighbour: Int64) -> Point? {
        guard let point = nodes.point(node), let next = nodes.point(neighbour) else { return nil }
        let length = point.distance(to: next)
        guard length > 0 else { return nil }
        let share = min(Self.gateReach / length, 1.0 / 3)
        return Point(
            x: point.x + share * (next.x - point.x), y: point.y + share * (next.y - point.y)
        ).roundedToMillimetres
    }

    private mutating func end(at use: PathUse, toward neighbour: Int64) -> ConnectionStop {
        let node = paths[use.path].nodes[use.position]
        guard cuts[node] != nil, let point = reach(node, toward: neighbour) else {
            return stop(at: node, levels.level(use), toward: neighbour)
        }
        return stop(at: point, levels.level(use))
    }

    /// A stop at a point without a node.
    mutating func stop(at point: Point, _ level: MapLevel?) -> ConnectionStop {
        guard let level else { return ConnectionStop(floor: nil, point: point) }
        let floor = floors.floor(level, at: point)
        let room = rooms.room(at: point, on: floor).map { rooms.rooms[$0].id }
        return ConnectionStop(floor: floor, room: room, point: point)
    }

    // MARK: - Flights over several levels

    /// Adds steps over three or more levels, which are drawn once for all flights. Each level gets
    /// a stop at the end where something of that level is, or else at alternating ends.
    private mutating func addStairwell(_ index: Int, _ path: MapPath) {
        let ends = [path.nodes[0], path.nodes[path.nodes.count - 1]]
        let sorted = path.levels.sorted()
        let sides = sorted.enumerated().map { number, level in
            let found = ends.indices.filter {
                levels.others(than: index, have: level, at: ends[$0])
            }
            return found.count == 1 ? found[0] : number % 2
        }
        let line = nodes.points(path.nodes.dropFirst().dropLast())
        guard line.count <= SiteLimits.cornersPerRoom else {
            report.note(path.id, .tooManyPoints, "it has over \(SiteLimits.cornersPerRoom) bends")
            return
        }
        for lower in sorted.indices.dropLast() {
            let (from, to) = (sides[lower], sides[lower + 1])
            let stops = [
                stop(at: ends[from], sorted[lower], toward: nil),
                stop(at: ends[to], sorted[lower + 1], toward: nil),
            ]
            let bends = from == to ? [] : from == 0 ? line : line.reversed()
            var flight = connection("\(path.id)-l\(sorted[lower].text)", path, stops, bends)
            // Its floors show the direction. Stairs that return to their beginning have no sides.
            flight.leads = nil
            if from != 0 { flight.handrail = flight.handrail?.reversed }
            if from == to, flight.handrail == .left || flight.handrail == .right {
                flight.handrail = .unstated
            }
            add(flight)
        }
    }
}
