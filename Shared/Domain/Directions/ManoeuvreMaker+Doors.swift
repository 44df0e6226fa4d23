import Events
import Geometry
import Glibc
import Site
import Wayfinding

extension ManoeuvreMaker {
    /// Metres beyond a door at which its far side is looked up.
    private static let beyondMetres = 0.3

    /// The rooms before and behind a door, from the route or else from the door's own record.
    func doorRooms(_ passage: PassagePiece) -> (before: RoomID?, after: RoomID?) {
        let rooms = guide.connection(passage.connection)?.stops.map(\.room) ?? []
        func other(_ known: RoomID?) -> RoomID? {
            guard let known else { return nil }
            return rooms.first { $0 != known } ?? nil
        }
        return (
            passage.roomBefore ?? other(passage.roomAfter),
            passage.roomAfter ?? other(passage.roomBefore)
        )
    }

    /// The direction in which the traveller goes through a door, in degrees from true north. It is
    /// at a right angle to the door's wall; nil if no room's outline shows the wall.
    func doorBearing(
        _ passage: PassagePiece, from before: RoomID?, to after: RoomID?
    ) -> Double? {
        if passage.start.distance(to: passage.end) > Self.beyondMetres {
            return bearing(passage.start, passage.end)
        }
        let outlines = (
            before.flatMap(site.roomIndex).flatMap(site.outline),
            after.flatMap(site.roomIndex).flatMap(site.outline)
        )
        guard let outline = outlines.0 ?? outlines.1,
            let normal = outline.normal(near: passage.start)
        else { return nil }
        let beyond = Point(
            x: passage.start.x + Self.beyondMetres * normal.x,
            y: passage.start.y + Self.beyondMetres * normal.y)
        // The direction must lead out of the room before the door, or else into the one behind it.
        let isRightWay = outline.contains(beyond) == (outlines.0 == nil)
        let degrees = bearing(passage.start, beyond)
        return isRightWay ? degrees : positiveDegrees(degrees + 180)
    }
}

// MARK: By touch

extension ManoeuvreMaker {
    func leaf(
        _ passage: PassagePiece, _ rooms: (before: RoomID?, after: RoomID?)
    ) -> DoorLeaf {
        let record = guide.connection(passage.connection)
        let isForward =
            record?.isForward(
                from: passage.start, on: passage.startFloor, leaving: rooms.before,
                entering: rooms.after) ?? true
        return DoorLeaf(record, isForward: isForward)
    }

    /// The handrail and the steps of all flights, if they are the same and stated for all.
    func facts(_ passage: PassagePiece) -> TouchFacts {
        var facts = TouchFacts()
        var handrails: Set<Handrail?> = []
        var steps: [Int?] = []
        for leg in flights {
            guard case .connection(let id, _) = leg.passage, let record = guide.connection(id),
                let start = leg.paths.first?.points.first
            else { continue }
            let isForward = record.isForward(
                from: start, on: leg.startFloor, leaving: nil, entering: nil)
            handrails.insert(record.handrail(isForward: isForward))
            steps.append(record.steps)
        }
        if handrails.count == 1 { facts.handrail = handrails.first ?? nil }
        if passage.kind == .stairs, !steps.isEmpty, !steps.contains(nil) {
            facts.steps = steps.compactMap { $0 }.reduce(0, +)
        }
        return facts
    }
}

extension Polygon {
    /// The normal of the outline's edge that is nearest to the point, of length 1.
    fileprivate func normal(near point: Point) -> Point? {
        var best: (metres: Double, normal: Point)?
        for (start, end) in zip(corners, Array(corners.dropFirst()) + corners.prefix(1)) {
            let length = start.distance(to: end)
            guard length > 0 else { continue }
            let metres = point.distance(toSegmentFrom: start, to: end)
            guard metres < best?.metres ?? .infinity else { continue }
            let normal = Point(x: (end.y - start.y) / length, y: (start.x - end.x) / length)
            best = (metres, normal)
        }
        return best?.normal
    }
}
