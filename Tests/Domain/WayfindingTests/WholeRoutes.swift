import Events
import Geometry
import Site
import Testing
import Wayfinding

/// Expects the rules for every route: its legs join, its sums are right, and its lines through
/// rooms cross no wall.
func expectWhole(
    _ route: IndoorRoute, in site: SiteIndex, sourceLocation: SourceLocation = #_sourceLocation
) {
    let metres = route.legs.reduce(0) { $0 + $1.distanceMetres }
    #expect(abs(metres - route.distanceMetres) < 1e-6, sourceLocation: sourceLocation)
    let seconds = route.legs.reduce(0) { $0 + $1.seconds }
    #expect(abs(seconds - route.seconds) < 1e-6, sourceLocation: sourceLocation)
    for (leg, next) in zip(route.legs, route.legs.dropFirst()) {
        #expect(leg.endFloor == next.startFloor, sourceLocation: sourceLocation)
        guard let end = leg.paths.last?.points.last, let start = next.paths.first?.points.first
        else {
            Issue.record("a leg without points", sourceLocation: sourceLocation)
            continue
        }
        #expect(end.distance(to: start) < 0.002, "legs are apart", sourceLocation: sourceLocation)
    }
    for leg in route.legs {
        guard case .room(let id) = leg.passage, let room = site.roomIndex(id),
            let outline = site.outline(room)
        else { continue }
        // The first and the last step may be inside a thick wall.
        let points = leg.paths[0].points
        for (start, end) in zip(points, points.dropFirst()) {
            for share in stride(from: 0.0, through: 1, by: 0.05) {
                let point = Point(
                    x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
                let isInWall = outline.distance(from: point) > 0.001
                let isAtDoor =
                    point.distance(to: points[0]) < 0.6
                    || point.distance(to: points[points.count - 1]) < 0.6
                #expect(
                    !isInWall || isAtDoor, "\(id) is left at \(point)",
                    sourceLocation: sourceLocation)
                for hole in site.room(room).holes {
                    let isInHole = hole.polygon.map {
                        $0.contains(point) && $0.distanceToEdge(from: point) > 0.001
                    }
                    #expect(
                        isInHole != true || isAtDoor, "through a hole of \(id) at \(point)",
                        sourceLocation: sourceLocation)
                }
                for other in site.rooms(at: point, on: site.floorIndex(room, of: id)) {
                    guard site.room(other).kind == "pillar", let pillar = site.outline(other) else {
                        continue
                    }
                    #expect(
                        pillar.distanceToEdge(from: point) < 0.001, "through a pillar",
                        sourceLocation: sourceLocation)
                }
            }
        }
    }
}

extension SiteIndex {
    fileprivate func floorIndex(_ room: RoomIndex, of id: RoomID) -> FloorIndex {
        floorIndex(self.room(room).floor) ?? FloorIndex(0)
    }
}
