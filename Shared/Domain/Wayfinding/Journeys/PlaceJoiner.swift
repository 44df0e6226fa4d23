import Events
import Geometry
import Site

/// A place where a route may begin or end, and its links to nodes of the network.
struct JoinedPlace {
    var anchors: [PlaceAnchor] = []
    /// The exact place; nil for a room that is reached at its door.
    var spot: PlaceSpot?
    /// The room that contains the place, or that is the place.
    var room: RoomIndex?
    /// The building that is the place, if the map has no way into it.
    var building: BuildingID?
    /// The stop of a lift or the like that is the place.
    var stop: WayStop?
    /// The stops of lifts in the room that is the place, if it is one of the lifts asked for.
    var stopsInside: [WayStop] = []
    /// Set if the links lead only near the place.
    var gap: ApproximateEnd?
}

struct PlaceSpot: Hashable {
    var level: Level
    var point: Point
    /// The space that contains the place.
    var space: Int?
}

/// One link between a place and a node of the network.
struct PlaceAnchor {
    enum Join {
        /// The place is at the node.
        case node
        /// A straight line through a space to or from one of its vertices.
        case space(Int, vertex: Int)
        /// A straight line to the nearest point of an arc, and a part of the arc from there.
        /// `shares` is the part that is used; `foot` is the nearest point.
        case arc(ArcIndex, shares: ClosedRange<Double>, foot: Point)
        /// A straight line to a stop.
        case straight
    }
    var node: NodeIndex
    var cost: Cost
    var join: Join
    var spot: PlaceSpot?

    init(node: NodeIndex, cost: Cost, join: Join, spot: PlaceSpot? = nil) {
        self.node = node
        self.cost = cost
        self.join = join
        self.spot = spot
    }

    /// A link of a place that is at the node itself.
    init(at node: NodeIndex) { self.init(node: node, cost: .free, join: .node) }

    /// The arc of which the link uses a part.
    var arc: ArcIndex? { if case .arc(let arc, _, _) = join { arc } else { nil } }
}

/// Links places to the network for one profile.
struct PlaceJoiner {
    /// The greatest distance in metres from a place outside all rooms to the nearest connection.
    static let reachIndoors = 30.0
    static let reachOutdoors = 250.0
    /// A position with a smaller error, in metres, is taken to be in the room that contains it.
    static let sureMetres = 3.0

    let network: WayNetwork
    let costs: NetworkCosts
    /// Whether the profile can use an arc.
    let isUsable: (ArcIndex) -> Bool

    /// - Parameter isStart: whether the links lead away from the place or to it.
    func join(_ place: RoutePlace, isStart: Bool) throws(NoRoute) -> [JoinedPlace] {
        let site = network.site
        switch place {
        case .room(let id):
            guard let room = site.roomIndex(id) else { throw .unknownPlace(place) }
            return [join(room, isStart: isStart)]
        case .location(let id): return try joinLocation(id, of: place, isStart)
        case .point(let id, let point, let radius):
            guard point.isFinite, abs(point.x) <= SiteLimits.coordinateMetres,
                abs(point.y) <= SiteLimits.coordinateMetres
            else { throw .unknownPlace(place) }
            let level = try id.map { id throws(NoRoute) in
                guard let floor = site.floorIndex(id) else { throw .unknownPlace(place) }
                return floor
            }
            return try join(place, point, on: level, in: nil, radius: radius, isStart)
        case .geographic(let point, let sign, let radius):
            guard abs(point.latitude) <= 90, abs(point.longitude) <= 180 else {
                throw .unknownPlace(place)
            }
            let local = site.frame.point(point)
            let level = try sign.map { sign throws(NoRoute) in
                guard let floor = network.floor(withSign: sign, near: local) else {
                    throw .unknownPlace(place)
                }
                return floor
            }
            return try join(place, local, on: level, in: nil, radius: radius, isStart)
        case .building(let id):
            guard site.building(id) != nil else { throw .unknownPlace(place) }
            let ways = network.waysOut(of: id)
            // Without a way into the building, a later step looks for the nearest point of its
            // outline.
            guard !ways.isEmpty else { return [JoinedPlace(building: id)] }
            return ways.map { JoinedPlace(anchors: [.init(at: $0.inside)], room: $0.room) }
        case .entrance(let id):
            if let id, site.building(id) == nil { throw .unknownPlace(place) }
            let ways = network.waysOut(of: id)
            guard !ways.isEmpty else { throw .noEntrance(place) }
            return ways.map { JoinedPlace(anchors: [.init(at: $0.outside)]) }
        case .entry, .zone, .kind, .floor: return try joinAny(of: place, isStart)
        }
    }

    private func joinLocation(
        _ id: LocationID, of place: RoutePlace, _ isStart: Bool
    ) throws(NoRoute) -> [JoinedPlace] {
        let site = network.site
        guard let location = site.location(id), let floor = site.floorIndex(location.floor)
        else { throw .unknownPlace(place) }
        let point = location.point
        let room = location.room.flatMap { site.roomIndex($0) }
        do throws(NoRoute) {
            return try join(place, point, on: floor, in: room, radius: 0, isStart)
        } catch {
            // The location exists, although no connection is near. A later step looks for the
            // nearest way.
            return [JoinedPlace(spot: PlaceSpot(level: floor, point: point), room: room)]
        }
    }

    /// All places of the directory entry, zone, kind or floor that can be linked. With a kind also
    /// the stops of lifts and the like that the profile can use. Stops beyond the most places of a
    /// query are left out, and so are the rooms of lifts that the profile can't use.
    private func joinAny(of place: RoutePlace, _ isStart: Bool) throws(NoRoute) -> [JoinedPlace] {
        let places = network.places(of: place)
        let stops = network.stops(of: place)
        let inside = network.stopsInRooms(of: place)
        guard places.count <= RouteQuery.mostPlaces else {
            throw .malformed(
                "one place of the query stands for \(places.count) places; the most is "
                    + "\(RouteQuery.mostPlaces)")
        }
        let usable = usable(stops).prefix(RouteQuery.mostPlaces - places.count)
        var joined = usable.map { JoinedPlace(anchors: [.init(at: $0.node)], stop: $0) }
        var failure: NoRoute?
        var isClosed = !stops.isEmpty
        for one in places {
            let within = if case .room(let id) = one { inside[id] ?? [] } else { [WayStop]() }
            guard within.isEmpty || !self.usable(within).isEmpty else {
                isClosed = true
                continue
            }
            do throws(NoRoute) {
                joined += try join(one, isStart: isStart).map { joined in
                    var joined = joined
                    joined.stopsInside = within
                    return joined
                }
            } catch {
                failure = failure ?? error
            }
        }
        if !joined.isEmpty { return joined }
        // All stops are closed to the profile. The answer names the barrier.
        throw isClosed ? .nothingNear(place) : failure ?? .unknownPlace(place)
    }

    /// The stops at which a traveller may enter the connection and go on by it.
    ///
    /// - Parameter stops: those of one connection beside each other.
    private func usable(_ stops: [WayStop]) -> [WayStop] {
        var known: (connection: Int, entries: Set<NodeIndex>)?
        return stops.filter { stop in
            if known?.connection != stop.connection {
                let entries = network.entries(of: stop.connection, isUsable: isUsable)
                known = (stop.connection, entries)
            }
            return known?.entries.contains(stop.node) == true
        }
    }

    // MARK: Rooms

    private func join(_ room: RoomIndex, isStart: Bool) -> JoinedPlace {
        guard let index = network.spaceOfRoom[room] else { return JoinedPlace(room: room) }
        let space = network.spaces[index]
        let isWhole = space.room == room
        // A route to a room ends at its door. A route from a room starts at its middle, since it is
        // unknown where in the room the traveller is.
        if isWhole, !isStart || space.middle == nil {
            let anchors = space.entries.map { PlaceAnchor(at: $0.junction) }
            return JoinedPlace(anchors: anchors, room: room)
        }
        let point = isWhole ? space.middle : network.site.outline(room)?.centroid
        guard let point else { return JoinedPlace(room: room) }
        let spot = PlaceSpot(level: space.floor, point: point, space: index)
        return JoinedPlace(anchors: anchors(spot, in: index), spot: spot, room: room)
    }

    func anchors(_ spot: PlaceSpot, in index: Int) -> [PlaceAnchor] {
        let space = network.spaces[index]
        return space.vertices(from: spot.point).map { vertex in
            let metres = spot.point.distance(to: space.vertices[vertex].point)
            return PlaceAnchor(
                node: space.vertices[vertex].node, cost: walkingCost(metres),
                join: .space(index, vertex: vertex), spot: spot)
        }
    }

    func walkingCost(_ metres: Double) -> Cost {
        Cost(seconds: metres / costs.rules.profile.walkingSpeed)
    }

    // MARK: Points

    private func join(
        _ place: RoutePlace, _ point: Point, on level: Level, in named: RoomIndex?,
        radius: Double, _ isStart: Bool
    ) throws(NoRoute) -> [JoinedPlace] {
        var room = named
        if room == nil, let level { room = network.site.room(at: point, on: level) }
        var spot = PlaceSpot(level: level, point: point, space: nil)
        if let level {
            let isKnown = named != nil || radius < Self.sureMetres
            if let index = room.flatMap({ network.spaceOfRoom[$0] }),
                isKnown || !network.spaces[index].entries.isEmpty
            {
                // A place that is certainly in a room without a door stays there: no route leads
                // through the wall.
                spot.space = index
                if network.spaces[index].space?.contains(point) == false {
                    // The point is in a wall or an obstacle, so the place is moved beside it.
                    spot.point = network.spaces[index].space?.porch(of: point) ?? point
                }
                return [JoinedPlace(anchors: anchors(spot, in: index), spot: spot, room: room)]
            }
            // A point just outside all rooms is moved into the nearest room.
            if room == nil,
                let near = nearestSpace(to: point, on: level, within: max(radius, Self.sureMetres))
            {
                spot.space = near
                spot.point = network.spaces[near].space?.porch(of: point) ?? point
                let anchors = anchors(spot, in: near)
                if !anchors.isEmpty {
                    return [
                        JoinedPlace(anchors: anchors, spot: spot, room: network.spaces[near].room)
                    ]
                }
            }
            spot = PlaceSpot(level: level, point: point, space: nil)
        }
        let reach = max(radius, level == nil ? Self.reachOutdoors : Self.reachIndoors)
        let anchors = nearestWay(to: spot, within: reach, isStart)
        guard !anchors.isEmpty else { throw .nothingNear(place) }
        return [JoinedPlace(anchors: anchors, spot: spot, room: room)]
    }

    private func nearestSpace(
        to point: Point, on floor: FloorIndex, within reach: Double
    ) -> Int? {
        var best: (space: Int, distance: Double)?
        for (index, space) in network.spaces.enumerated()
        where space.floor == floor && !space.entries.isEmpty {
            guard let outline = space.space?.outline,
                outline.boundingBox.contains(point, tolerance: reach)
            else { continue }
            let distance = outline.distance(from: point)
            if distance <= best?.distance ?? reach { best = (index, distance) }
        }
        return best?.space
    }

    /// Links to the nearest usable connection, or to a stop if there is none. A connection on an
    /// island is used only if there is no other.
    private func nearestWay(
        to spot: PlaceSpot, within reach: Double, _ isStart: Bool
    ) -> [PlaceAnchor] {
        let anchors = nearestSegment(to: spot, within: reach, isStart) { network.isOnMainland[$0] }
        if !anchors.isEmpty { return anchors }
        let others = nearestSegment(to: spot, within: reach, isStart) { _ in true }
        return others.isEmpty ? nearestStop(to: spot, within: reach) : others
    }

    private func nearestSegment(
        to spot: PlaceSpot, within reach: Double, _ isStart: Bool, isWanted: (Int) -> Bool
    ) -> [PlaceAnchor] {
        var best: (segment: WaySegment, foot: Point, share: Double)?
        var least = reach
        for segment in network.segments(on: spot.level) {
            let (foot, share) = spot.point.foot(onSegmentFrom: segment.start, to: segment.end)
            let distance = foot.distance(to: spot.point)
            guard distance < least, isWanted(network.graph.arcs[segment.arc.value].tail.value)
            else { continue }
            let twin = network.twin(of: segment.arc)
            guard isUsable(segment.arc) || twin.map(isUsable) == true else { continue }
            least = distance
            best = (segment, foot, segment.shareBefore + share * segment.share)
        }
        guard let best else { return [] }
        return anchors(spot, at: best.foot, best.segment.arc, min(1, best.share), isStart)
    }

    private func nearestStop(to spot: PlaceSpot, within reach: Double) -> [PlaceAnchor] {
        var least = reach
        var nearest: NodeIndex?
        for stops in network.nodeOfStop {
            for node in stops where network.nodes[node.value].level == spot.level {
                let distance = network.nodes[node.value].point.distance(to: spot.point)
                if distance < least { (least, nearest) = (distance, node) }
            }
        }
        guard let nearest else { return [] }
        return [
            PlaceAnchor(node: nearest, cost: walkingCost(least), join: .straight, spot: spot)
        ]
    }

    func anchors(
        _ spot: PlaceSpot, at foot: Point, _ arc: ArcIndex, _ share: Double, _ isStart: Bool
    ) -> [PlaceAnchor] {
        let approach = walkingCost(foot.distance(to: spot.point))
        var anchors: [PlaceAnchor] = []
        func add(_ arc: ArcIndex, _ shares: ClosedRange<Double>) {
            guard isUsable(arc) else { return }
            let ends = network.graph.arcs[arc.value]
            let part = shares.upperBound - shares.lowerBound
            anchors.append(
                PlaceAnchor(
                    node: isStart ? ends.head : ends.tail,
                    cost: approach + costs.openCost(network.arcs[arc.value], share: part),
                    join: .arc(arc, shares: shares, foot: foot), spot: spot))
        }
        add(arc, isStart ? share...1 : 0...share)
        if let twin = network.twin(of: arc) { add(twin, isStart ? 1 - share...1 : 0...1 - share) }
        return anchors
    }
}
