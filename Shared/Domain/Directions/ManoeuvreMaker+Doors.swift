import Events
import Geometry
import Glibc
import Site

extension ManoeuvreMaker {
    /// Metres by which one looks beyond a door to tell its two sides apart.
    private static let beyondMetres = 0.3

    /// The rooms before and behind a door. Where the route does not tell, the door's own record
    /// does.
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

    /// Degrees from true north in which one goes through a door: square to the wall that it is in.
    /// Nil where no wall is known.
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
        // Out of the room before, or else into the one behind.
        let isRightWay = outline.contains(beyond) == (outlines.0 == nil)
        let degrees = bearing(passage.start, beyond)
        return isRightWay ? degrees : positiveDegrees(degrees + 180)
    }
}

extension Polygon {
    /// Square to the edge that the point is nearest to, of length 1.
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
