import Events
import Geometry
import Site

/// The shape of a place that no connection leads to.
private struct PlaceShape {
    var level: Level
    /// Nil for a point, and for a room without an outline.
    var outline: Polygon?
    var middle: Point

    func distance(from point: Point) -> Double {
        outline?.distance(from: point) ?? middle.distance(to: point)
    }

    /// The point of the shape that is nearest to `point`.
    func nearest(to point: Point) -> Point { outline?.nearestPoint(to: point) ?? middle }
}

extension PlaceJoiner {
    /// The greatest distance in metres between a room without a door and the end of the route on
    /// its floor.
    static let nearbyIndoors = 100.0
    /// The greatest thickness in metres of a wall between two rooms side by side.
    private static let wallMetres = 1.0
    /// Kinds of room that people walk through.
    private static let passageKinds: Set = [
        PlaceKind.corridor, PlaceKind.lobby, PlaceKind.platform, "area", "hall", "concourse",
    ]

    /// The link to the nearest part of the network that a route can reach. For a room it is the
    /// corridor beside it, or else the nearest connection on its floor. For a building it is the
    /// nearest connection outdoors. Nil if nothing is near.
    ///
    /// - Parameter isReached: whether a route can reach the node.
    func nearby(
        _ place: JoinedPlace, isStart: Bool, isReached: (NodeIndex) -> Bool
    ) -> JoinedPlace? {
        guard let shape = shape(of: place) else { return nil }
        var found = beside(place, shape, isReached)
        if found == nil {
            let reach = shape.level == nil ? Self.reachOutdoors : Self.nearbyIndoors
            found = nearest(to: shape, shape.level, within: reach, isStart, isReached)
        }
        // A shop on the ground floor may have its door on the street.
        if found == nil, let floor = shape.level, network.site.floor(floor).ordinal == 0 {
            found = nearest(to: shape, nil, within: Self.reachOutdoors, isStart, isReached)
        }
        guard var near = found else { return nil }
        let straight = near.spot.map { shape.distance(from: $0.point) } ?? 0
        near.room = place.room
        near.gap = ApproximateEnd(
            missing: missing(place), room: place.room.map { network.site.room($0).id },
            building: place.building, straightMetres: straight)
        return near
    }

    private func missing(_ place: JoinedPlace) -> ApproximateEnd.Missing {
        if place.building != nil { return .entrance }
        guard let room = place.room, let space = network.spaceOfRoom[room] else { return .way }
        return network.spaces[space].entries.isEmpty ? .door : .way
    }

    private func shape(of place: JoinedPlace) -> PlaceShape? {
        let site = network.site
        if let building = place.building.flatMap(site.building) {
            return building.outline.polygon.map {
                PlaceShape(level: nil, outline: $0, middle: $0.centroid)
            }
        }
        if let room = place.room, let outline = site.outline(room) {
            return PlaceShape(
                level: site.floorIndex(site.room(room).floor), outline: outline,
                middle: outline.centroid)
        }
        return place.spot.map { PlaceShape(level: $0.level, middle: $0.point) }
    }

    /// The point of a neighbouring room that is nearest to the place. The room is one that people
    /// walk through; of several, the one with the most doors.
    private func beside(
        _ place: JoinedPlace, _ shape: PlaceShape, _ isReached: (NodeIndex) -> Bool
    ) -> JoinedPlace? {
        guard let floor = shape.level, let outline = shape.outline else { return nil }
        var best: (space: Int, point: Point, entries: Int)?
        for (index, space) in network.spaces.enumerated()
        where space.floor == floor && index != place.room.flatMap({ network.spaceOfRoom[$0] }) {
            let record = network.site.room(space.room)
            guard space.entries.count > best?.entries ?? 0, !record.isRestricted,
                space.entries.count > 2
                    || Self.passageKinds.contains(PlaceKind(record.kind).base),
                space.entries.contains(where: { isReached($0.junction) }),
                let other = space.space?.outline,
                other.boundingBox.isNear(outline.boundingBox, within: Self.wallMetres)
            else { continue }
            let points = other.nearestPoints(to: shape.middle).filter {
                outline.distance(from: $0) <= Self.wallMetres
            }
            let nearest = points.min {
                $0.distance(to: shape.middle) < $1.distance(to: shape.middle)
            }
            if let nearest { best = (index, nearest, space.entries.count) }
        }
        guard let best else { return nil }
        let point = network.spaces[best.space].space?.porch(of: best.point) ?? best.point
        let spot = PlaceSpot(level: floor, point: point, space: best.space)
        let anchors = anchors(spot, in: best.space)
        return anchors.isEmpty ? nil : JoinedPlace(anchors: anchors, spot: spot)
    }

    /// The nearest point of a connection, or the nearest door.
    private func nearest(
        to shape: PlaceShape, _ level: Level, within reach: Double, _ isStart: Bool,
        _ isReached: (NodeIndex) -> Bool
    ) -> JoinedPlace? {
        var least = reach
        var node: NodeIndex?
        var way: (segment: WaySegment, foot: Point, share: Double)?
        for segment in network.segments(on: level) {
            let arc = network.graph.arcs[segment.arc.value]
            let (foot, share) = shape.middle.foot(onSegmentFrom: segment.start, to: segment.end)
            let distance = shape.distance(from: foot)
            guard distance < least, isReached(arc.tail),
                isUsable(segment.arc) || network.twin(of: segment.arc).map(isUsable) == true
            else { continue }
            least = distance
            way = (segment, foot, segment.shareBefore + share * segment.share)
        }
        for stops in network.nodeOfStop {
            for stop in stops where network.nodes[stop.value].level == level {
                let distance = shape.distance(from: network.nodes[stop.value].point)
                guard distance < least, isReached(stop) else { continue }
                (least, node) = (distance, stop)
            }
        }
        if let node {
            let spot = PlaceSpot(level: level, point: network.nodes[node.value].point)
            return JoinedPlace(anchors: [PlaceAnchor(at: node)], spot: spot)
        }
        guard let way else { return nil }
        // Outdoors the route continues straight to the building. Indoors it stops, since walls may
        // be in between.
        let point = shape.level == nil ? shape.nearest(to: way.foot) : way.foot
        let spot = PlaceSpot(level: level, point: point)
        let anchors = anchors(spot, at: way.foot, way.segment.arc, min(1, way.share), isStart)
        return anchors.isEmpty ? nil : JoinedPlace(anchors: anchors, spot: spot)
    }
}

extension BoundingBox {
    fileprivate func isNear(_ other: BoundingBox, within metres: Double) -> Bool {
        minimum.x - metres <= other.maximum.x && other.minimum.x - metres <= maximum.x
            && minimum.y - metres <= other.maximum.y && other.minimum.y - metres <= maximum.y
    }
}

extension Polygon {
    /// The nearest point of each edge.
    fileprivate func nearestPoints(to point: Point) -> [Point] {
        corners.indices.map { index in
            let end = corners[(index + 1) % corners.count]
            return point.foot(onSegmentFrom: corners[index], to: end).point
        }
    }

    fileprivate func nearestPoint(to point: Point) -> Point? {
        nearestPoints(to: point).min { $0.distance(to: point) < $1.distance(to: point) }
    }
}
